//! Values changed so that they keep to rules.

use super::{At, Inventor, JSON};
use bothends::ir::{Bound, Rule};
use bothends_runtime::Json;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Number, json};

impl Inventor<'_> {
    /// A value changed so far that most rules are content with it.
    pub(super) fn fit(&mut self, mut value: Json, rules: &[Rule], at: At) -> Json {
        for rule in rules {
            self.fit_one(&mut value, rule, at);
        }
        // A multiple may have come out below what it has to be.
        let step = rules.iter().find_map(|rule| match rule {
            Rule::MultipleOf(step) => Some(as_float(*step)),
            _ => None,
        });
        let too_low = |number: &Number| {
            rules.iter().any(|rule| match rule {
                Rule::Minimum(bound) => below(number, *bound),
                Rule::ExclusiveMinimum(bound) => !above(number, *bound),
                _ => false,
            })
        };
        if let (Some(step), Json::Number(number)) = (step, &mut value)
            && too_low(number)
        {
            let more = number.as_f64().unwrap_or_default() + step;
            *number = if number.is_f64() {
                exact(Bound::Float(more), 0)
            } else {
                exact(Bound::Int(more as i128), 0)
            };
        }
        value
    }

    fn fit_one(&mut self, value: &mut Json, rule: &Rule, at: At) {
        let length = |limit: &u64| usize::try_from(*limit).unwrap_or(usize::MAX).min(2000);
        match (rule, value) {
            (Rule::MinLength(least), Json::String(text)) => {
                let missing = length(least).saturating_sub(text.chars().count());
                text.extend(std::iter::repeat_n('a', missing));
            }
            (Rule::MaxLength(most), Json::String(text)) => {
                *text = text.chars().take(length(most)).collect()
            }
            (Rule::Pattern(pattern, _), Json::String(text)) => {
                if let Some(fitting) = self.matching(pattern) {
                    *text = fitting;
                }
            }
            (Rule::Format(format), Json::String(text)) => {
                if let Some(example) = example(format) {
                    *text = example.to_owned();
                }
            }
            (Rule::Minimum(bound), Json::Number(number)) if below(number, *bound) => {
                *number = exact(*bound, 0)
            }
            (Rule::Maximum(bound), Json::Number(number)) if above(number, *bound) => {
                *number = exact(*bound, 0)
            }
            (Rule::ExclusiveMinimum(bound), Json::Number(number)) if !above(number, *bound) => {
                *number = exact(*bound, 1)
            }
            (Rule::ExclusiveMaximum(bound), Json::Number(number)) if !below(number, *bound) => {
                *number = exact(*bound, -1)
            }
            (Rule::MultipleOf(step), Json::Number(number)) if number.is_f64() => {
                let (float, step) = (number.as_f64().unwrap_or_default(), as_float(*step));
                *number = exact(Bound::Float((float / step).trunc() * step), 0);
            }
            (Rule::MultipleOf(Bound::Int(step)), Json::Number(number)) => {
                let integer = number.as_i64().map(i128::from).unwrap_or_default();
                *number = exact(Bound::Int(integer / (*step).max(1) * step), 0);
            }
            (Rule::MinItems(least), Json::Array(items)) => {
                let first = items.first().cloned().unwrap_or_else(|| json!("x"));
                let missing = length(least).saturating_sub(items.len());
                items.extend(std::iter::repeat_n(first, missing));
            }
            (Rule::MaxItems(most), Json::Array(items)) => items.truncate(length(most)),
            (Rule::UniqueItems, Json::Array(items)) => {
                let mut seen: Vec<Json> = Vec::new();
                items.retain(|item| {
                    !seen.contains(item) && {
                        seen.push(item.clone());
                        true
                    }
                });
            }
            (Rule::Items(rules), Json::Array(items)) => {
                for item in items {
                    *item = self.fit(item.take(), rules, at);
                }
            }
            (Rule::TupleList(parts), Json::Array(items)) => {
                for (item, rules) in items.iter_mut().zip(parts) {
                    *item = self.fit(item.take(), rules, at);
                }
            }
            (Rule::Constants(all), value) => {
                let constant = all.first().and_then(|text| serde_json::from_str(text).ok());
                *value = constant.unwrap_or_default();
            }
            (Rule::OneOfRequired(groups), Json::Object(fields)) => {
                let others = groups.iter().skip(1).flatten();
                let first = groups.first().into_iter().flatten();
                for name in others.filter(|name| !first.clone().any(|kept| kept == *name)) {
                    fields.remove(name);
                }
                for name in first {
                    fields.entry(name.clone()).or_insert_with(|| json!("x"));
                }
            }
            (Rule::PropertyNames(rules), Json::Object(fields)) => {
                let listed = rules.iter().find_map(|rule| match rule {
                    Rule::Enum(all) => Some(all),
                    _ => None,
                });
                *fields = std::mem::take(fields)
                    .into_iter()
                    .filter(|(key, _)| listed.is_none_or(|all| all.contains(key)))
                    .map(|(key, value)| match self.fit(json!(key), rules, JSON) {
                        Json::String(key) => (key, value),
                        _ => (key, value),
                    })
                    .collect();
            }
            (Rule::DependentRequired(name, others), Json::Object(fields))
                if others.iter().any(|other| !fields.contains_key(other)) =>
            {
                fields.remove(name);
            }
            (Rule::AdditionalProperties(rules), Json::Object(fields)) => {
                for (_, value) in fields {
                    *value = self.fit(value.take(), rules, at);
                }
            }
            _ => {}
        }
    }

    /// A text that a pattern takes; most patterns have some that begin and end with them.
    pub(super) fn matching(&mut self, pattern: &str) -> Option<String> {
        let strategy =
            proptest::string::string_regex(pattern.trim_start_matches('^').trim_end_matches('$'))
                .ok()?;
        let seed = [self.next().to_le_bytes()[0]; 32];
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        Some(strategy.new_tree(&mut runner).ok()?.current())
    }
}

/// A text of a format.
fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "uri" | "url" | "uri-reference" | "iri" | "iri-reference" => "https://example.com/a?b=c#d",
        "email" | "idn-email" => "somebody@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uuid" => "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "date-time" => "2020-02-29T23:59:59Z",
        "date" => "2020-02-29",
        "time" => "23:59:59Z",
        "duration" => "P1DT2H",
        "byte" => "YQ==",
        _ => return None,
    })
}

fn as_float(bound: Bound) -> f64 {
    match bound {
        Bound::Int(bound) => bound as f64,
        Bound::Float(bound) => bound,
    }
}

fn below(number: &Number, bound: Bound) -> bool {
    number
        .as_f64()
        .is_some_and(|number| number < as_float(bound))
}

fn above(number: &Number, bound: Bound) -> bool {
    number
        .as_f64()
        .is_some_and(|number| number > as_float(bound))
}

fn exact(bound: Bound, more: i8) -> Number {
    match bound {
        Bound::Int(bound) => {
            i64::try_from(bound + i128::from(more)).map_or(Number::from(0), Number::from)
        }
        Bound::Float(bound) => Number::from_f64(bound + f64::from(more)).unwrap_or(Number::from(0)),
    }
}
