//! The rules that the keywords of one schema state.

use crate::diagnostic::codes;
use crate::ir::{Bound, Rule};
use crate::model::{Constraints, SchemaId};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::pattern;
use crate::lower::schema::shape::Shape;

/// Formats that the runtime checks. Formats with a type of their own are checked by
/// deserialization.
const FORMATS: [&str; 8] = [
    "email",
    "idn-email",
    "uri",
    "url",
    "iri",
    "hostname",
    "ipv4",
    "ipv6",
];

impl Document<'_> {
    /// Returns the rules of an object as a whole.
    pub(in crate::lower) fn object_rules(&mut self, c: &Constraints) -> Vec<Rule> {
        let least = c.min_properties.filter(|least| *least > 0);
        let mut rules: Vec<Rule> = least.map(Rule::MinProperties).into_iter().collect();
        rules.extend(c.max_properties.map(Rule::MaxProperties));
        for id in &c.property_names {
            let names = self.name_rules(*id);
            rules.extend((!names.is_empty()).then_some(Rule::PropertyNames(names)));
        }
        let dependent = c.dependent_required.iter().cloned();
        rules.extend(dependent.map(|(name, others)| Rule::DependentRequired(name, others)));
        rules.extend(c.required_groups.iter().cloned().map(|required_group| {
            match required_group.at_most_one {
                true => Rule::OneOfRequired(required_group.groups),
                false => Rule::AnyOfRequired(required_group.groups),
            }
        }));
        rules
    }

    /// Returns the rules of property names, which are strings.
    fn name_rules(&mut self, id: SchemaId) -> Vec<Rule> {
        let shape = self.shape(id);
        if !shape.choices.is_empty() {
            let message = "`propertyNames` with a choice of schemas is not checked";
            self.diagnostics
                .report(codes::NOT_CHECKED, &shape.origin, message)
                .help("use a `pattern` instead");
        }
        let mut rules = self.keywords(&shape.constraints, &shape.origin);
        rules.retain(|rule| {
            matches!(
                rule,
                Rule::MinLength(_) | Rule::MaxLength(_) | Rule::Pattern(..)
            )
        });
        rules.extend(formats(&shape));
        if let Some(values) = &shape.enumeration {
            let listed = values.iter().filter_map(Value::as_str).map(str::to_owned);
            rules.push(Rule::Enum(listed.collect()));
        }
        rules
    }

    /// Translates a pattern. Returns `Some(None)` if the pattern matches every text.
    pub(in crate::lower) fn translated(
        &mut self,
        text: &str,
        origin: &Origin,
    ) -> Option<Option<String>> {
        match pattern::translate(text) {
            Ok(translated) => Some(translated),
            Err(reason) => {
                self.diagnostics
                    .report(
                        codes::PATTERN_NOT_CHECKED,
                        origin,
                        format!("pattern `{text}` is not checked: {reason}"),
                    )
                    .help("write the pattern without look-around and back references, or check it in the handler");
                None
            }
        }
    }

    /// Returns the rules of a value as its keywords state them.
    pub(in crate::lower) fn keywords(&mut self, c: &Constraints, origin: &Origin) -> Vec<Rule> {
        let Constraints {
            minimum,
            maximum,
            multiple_of,
            min_length,
            max_length,
            pattern,
            min_items,
            max_items,
            unique_items,
            // `object_rules`
            min_properties: _,
            max_properties: _,
            property_names: _,
            dependent_required: _,
            required_groups: _,
        } = c;
        let mut rules = Vec::new();
        let above_zero = |size: &u64| *size > 0;
        rules.extend(min_length.filter(above_zero).map(Rule::MinLength));
        rules.extend(max_length.map(Rule::MaxLength));
        for text in pattern {
            let translated = self.translated(text, origin).flatten();
            rules.extend(translated.map(|regex| {
                let own = (regex != *text).then(|| text.clone());
                Rule::Pattern(regex, own)
            }));
        }
        match minimum {
            Some((bound, false)) => rules.extend(number(bound).map(Rule::Minimum)),
            Some((bound, true)) => rules.extend(number(bound).map(Rule::ExclusiveMinimum)),
            None => {}
        }
        match maximum {
            Some((bound, false)) => rules.extend(number(bound).map(Rule::Maximum)),
            Some((bound, true)) => rules.extend(number(bound).map(Rule::ExclusiveMaximum)),
            None => {}
        }
        let steps = multiple_of.iter().filter_map(number);
        rules.extend(
            steps
                .filter(|step| !is_any_step(*step))
                .map(Rule::MultipleOf),
        );
        rules.extend(min_items.filter(above_zero).map(Rule::MinItems));
        rules.extend(max_items.map(Rule::MaxItems));
        rules.extend(unique_items.then_some(Rule::UniqueItems));
        rules.extend(self.object_rules(c));
        rules
    }
}

/// Returns the rule for a list of constants, for values whose type is any JSON.
pub(in crate::lower) fn constants(shape: &Shape) -> Option<Rule> {
    let composed = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_));
    let values = shape.enumeration.as_ref()?;
    let composed = values.iter().any(composed);
    composed.then(|| Rule::Constants(values.iter().map(Value::to_json).collect()))
}

/// Returns the formats of a string that are checked.
pub(in crate::lower) fn formats(shape: &Shape) -> impl Iterator<Item = Rule> {
    let all = shape.other_formats.iter().chain(&shape.format);
    let checked = all.filter(|each| FORMATS.contains(&each.as_str()));
    checked.map(|format| Rule::Format(format.clone()))
}

fn number(value: &Value) -> Option<Bound> {
    match value {
        Value::Number(number) => Some(
            number
                .as_integer()
                .map_or_else(|| Bound::Float(number.as_f64()), Bound::Int),
        ),
        _ => None,
    }
}

/// Returns whether a `multipleOf` is not a positive number, and thus has no effect.
fn is_any_step(step: Bound) -> bool {
    match step {
        Bound::Int(step) => step <= 0,
        Bound::Float(step) => step <= 0.0 || !step.is_finite(),
    }
}

/// Returns whether every value of a number's type satisfies the rule.
pub(in crate::lower) fn is_implied(name: &str, rule: &Rule) -> bool {
    let Some((least, most)) = range(name) else {
        return false;
    };
    match rule {
        Rule::Minimum(Bound::Int(bound)) => *bound <= least,
        Rule::Maximum(Bound::Int(bound)) => *bound >= most,
        Rule::MultipleOf(Bound::Int(step)) => *step == 1,
        _ => false,
    }
}

fn range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        _ => return None,
    })
}
