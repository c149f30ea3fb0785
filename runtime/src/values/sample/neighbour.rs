//! Invalid neighbours of valid values: values that break one rule.

use super::object::are_valid;
use super::unmet::keyword;
use super::{number, text};
use crate::values::check::{Bound, item_rules, part_rules, value_rules};
use crate::values::form::{Form, Rows};
use crate::values::outline::Meta;
use crate::values::outline::Outline;
use crate::values::{Json, Rule};
use serde_json::Map as Members;

/// The maximum number of items of a list, and of values of a map, that are changed.
const PARTS: usize = 4;
/// The maximum length of a text or a list that is longer than it may be.
const LONG: u64 = 2_000;

/// A change of a value that breaks a rule.
pub(super) struct Change {
    /// The steps to the changed value.
    pub(super) path: Vec<String>,
    pub(super) rule: &'static str,
    /// The new value; `None` if the value is removed.
    pub(super) value: Option<Json>,
}

impl Change {
    /// Returns the whole value with the change.
    pub(super) fn apply(&self, whole: &Json) -> Option<Json> {
        let mut whole = whole.clone();
        let mut at = &mut whole;
        let (last, steps) = match self.path.split_last() {
            Some(split) => split,
            None => return self.value.clone(),
        };
        for step in steps {
            at = match at {
                Json::Object(members) => members.get_mut(step)?,
                Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        match (at, &self.value) {
            (Json::Object(members), Some(value)) => {
                members.insert(last.clone(), value.clone());
            }
            (Json::Object(members), None) => drop(members.remove(last)?),
            (Json::Array(items), Some(value)) => {
                *items.get_mut(last.parse::<usize>().ok()?)? = value.clone();
            }
            _ => return None,
        }
        Some(whole)
    }
}

/// Collects the changes of a value.
#[derive(Default)]
pub(super) struct Changes {
    path: Vec<String>,
    pub(super) all: Vec<Change>,
}

impl Changes {
    fn add(&mut self, rule: &'static str, value: impl Into<Json>) {
        self.all.push(Change {
            path: self.path.clone(),
            rule,
            value: Some(value.into()),
        });
    }

    fn at(&mut self, step: &str, look: impl FnOnce(&mut Self)) {
        self.path.push(step.to_owned());
        look(self);
        self.path.pop();
    }

    fn remove(&mut self, step: &str, rule: &'static str) {
        self.at(step, |changes| {
            changes.all.push(Change {
                path: changes.path.clone(),
                rule,
                value: None,
            });
        });
    }

    /// Collects the changes of a value of a form.
    pub(super) fn collect(&mut self, form: Form, rules: &[Rule], value: &Json) {
        match form {
            Form::Constant(_) => match value {
                Json::String(text) => self.add("const", format!("{text} other")),
                _ => self.add("const", "other"),
            },
            Form::Scalar {
                outline,
                rules: own,
                ..
            } => self.scalar(&outline, &[rules, own].concat(), value),
            Form::Nullable(_) if value.is_null() => {}
            Form::Nullable(inner) => self.collect(inner(), rules, value),
            Form::Ruled(inner, own) => self.collect(inner(), &[rules, own].concat(), value),
            Form::List(item) => self.list(item, rules, value),
            Form::Tuple(items) => self.parts(items(), rules, value),
            Form::Prefix(parts, _) => {
                let (required, optional) = parts();
                self.parts(required.into_iter().chain(optional).collect(), rules, value);
            }
            Form::Map(inner) => self.map(inner, rules, value),
            Form::Object(meta, rows) => self.object(meta, rows, rules, value),
            Form::Tagged {
                table,
                variants,
                rules,
                open,
            } => {
                if !open || rules.1.contains(&Rule::Known) {
                    self.at(table.key, |changes| {
                        changes.add("discriminator", "unlisted")
                    });
                }
                self.at(table.key, |changes| changes.add("discriminator", 7));
                let tag = value
                    .get(table.key)
                    .and_then(Json::as_str)
                    .unwrap_or_default();
                let index = table.values.iter().position(|names| names.contains(&tag));
                let form = index.and_then(|index| variants().into_iter().nth(index));
                if let Some(form) = form {
                    self.collect(form, &[], value);
                }
            }
            Form::OneOf { .. } => self.others("oneOf"),
            Form::AnyOf(..) => self.others("anyOf"),
            Form::JsonText(_) => self.add("type", 7),
            Form::Unknown(_) => {}
        }
    }

    /// Adds a value of each type.
    fn others(&mut self, rule: &'static str) {
        for value in [
            Json::Null,
            Json::Bool(true),
            Json::from(0.5),
            Json::from("other"),
            Json::Array(Vec::new()),
            Json::Object(Members::new()),
        ] {
            self.add(rule, value);
        }
    }

    fn scalar(&mut self, outline: &Outline, rules: &[Rule], value: &Json) {
        let is_listed = |open: bool| !open || rules.contains(&Rule::Known);
        match outline {
            Outline::Any => {}
            Outline::Integer => {
                self.add("type", "other");
                self.add("type", 0.5);
            }
            Outline::Bool | Outline::Number => self.add("type", "other"),
            Outline::Formatted(_) => {
                self.add("type", 7);
                self.add("format", "not of the format");
            }
            Outline::Values { open, .. } => {
                self.add("type", 7);
                if is_listed(*open) {
                    self.add("enum", "unlisted value");
                }
            }
            Outline::Literals { open, .. } => match is_listed(*open) {
                true => self.add("enum", "unlisted value"),
                false => self.add("type", Json::Array(Vec::new())),
            },
            Outline::Null => self.add("type", "other"),
            _ => self.add("type", 7),
        }
        if !matches!(outline, Outline::Any | Outline::Null) {
            self.add("type", Json::Null);
        }
        match value {
            Json::String(text) => self.text(text, rules),
            Json::Number(number) if !matches!(outline, Outline::Literals { .. }) => {
                self.number(number.as_f64().unwrap_or_default(), outline, rules);
            }
            _ => {}
        }
        if rules.iter().any(|rule| matches!(rule, Rule::Constants(_))) {
            self.add("enum", "unlisted value");
        }
    }

    /// Adds texts that break one of the rules.
    fn text(&mut self, known: &str, rules: &[Rule]) {
        let mut texts: Vec<String> = ["", "~", "0", "a", "A", " "].map(str::to_owned).to_vec();
        texts.push(format!("{known}~"));
        texts.push(format!("~{known}"));
        let size = known.chars().count();
        for rule in rules {
            match *rule {
                Rule::MinLength(least) => {
                    let fewer = usize::try_from(least.saturating_sub(1)).unwrap_or(0);
                    texts.push(known.chars().take(fewer).collect());
                }
                Rule::MaxLength(most) if most < LONG => {
                    let more = usize::try_from(most + 1).unwrap_or(0).saturating_sub(size);
                    texts.push(known.to_owned() + &"a".repeat(more));
                    texts.push("0".repeat(more) + known);
                }
                _ => {}
            }
        }
        for text in texts {
            let is_valid = |rule: &Rule| text::is_valid(&text, std::slice::from_ref(rule));
            if let Some(rule) = only_broken(rules, is_valid) {
                self.add(rule, text);
            }
        }
    }

    /// Adds numbers that break one of the rules.
    fn number(&mut self, known: f64, outline: &Outline, rules: &[Rule]) {
        let mut numbers = Vec::new();
        for rule in rules {
            match *rule {
                Rule::Minimum(bound)
                | Rule::ExclusiveMinimum(bound)
                | Rule::Maximum(bound)
                | Rule::ExclusiveMaximum(bound) => {
                    let bound = number::float(bound);
                    numbers.extend([bound - 1.0, bound + 1.0, bound, bound - 0.5, bound + 0.5]);
                }
                Rule::MultipleOf(step) => {
                    let step = number::float(step);
                    numbers.extend([known + step / 2.0, known + 1.0, known - 1.0]);
                }
                _ => {}
            }
        }
        if matches!(outline, Outline::Integer) {
            numbers.retain(|number| number.fract() == 0.0);
        }
        // Beyond this magnitude, a number is not changed by one.
        for number in numbers.into_iter().filter(|number| number.abs() < 1e15) {
            let is_valid =
                |rule: &Rule| number::is_valid(Bound::Float(number), std::slice::from_ref(rule));
            if let Some(rule) = only_broken(rules, is_valid) {
                self.add(rule, number::json(number));
            }
        }
    }

    fn parts(&mut self, forms: Vec<Form>, rules: &[Rule], value: &Json) {
        let items = value.as_array().into_iter().flatten();
        for (place, (form, item)) in forms.into_iter().zip(items).enumerate() {
            self.at(&place.to_string(), |changes| {
                changes.collect(form, part_rules(rules, place), item);
            });
        }
        self.add("type", Json::Object(Members::new()));
    }

    fn list(&mut self, form: fn() -> Form, rules: &[Rule], value: &Json) {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        self.add("type", Json::Object(Members::new()));
        for (place, item) in items.iter().enumerate().take(PARTS) {
            self.at(&place.to_string(), |changes| {
                changes.collect(form(), item_rules(rules), item);
            });
        }
        for rule in rules {
            match *rule {
                Rule::MinItems(least) => {
                    let fewer = usize::try_from(least.saturating_sub(1)).unwrap_or(0);
                    let fewer = items.iter().take(fewer).cloned().collect();
                    self.add("minItems", Json::Array(fewer));
                }
                Rule::MaxItems(most) if most < LONG && !rules.contains(&Rule::UniqueItems) => {
                    let count = usize::try_from(most + 1).unwrap_or(0);
                    let more: Vec<Json> = items.iter().cycle().take(count).cloned().collect();
                    if more.len() == count {
                        self.add("maxItems", Json::Array(more));
                    }
                }
                Rule::UniqueItems => {
                    if let [first, ..] = items {
                        let mut more = items.to_vec();
                        match more.get_mut(1) {
                            Some(second) => *second = first.clone(),
                            None => more.push(first.clone()),
                        }
                        self.add("uniqueItems", Json::Array(more));
                    }
                }
                _ => {}
            }
        }
    }

    fn map(&mut self, form: fn() -> Form, rules: &[Rule], value: &Json) {
        self.add("type", Json::Array(Vec::new()));
        let empty = Members::new();
        let members = value.as_object().unwrap_or(&empty);
        for (name, value) in members.iter().take(PARTS) {
            self.at(name, |changes| {
                changes.collect(form(), value_rules(rules), value)
            });
        }
        self.whole(members, rules);
    }

    fn object(&mut self, meta: &'static Meta, rows: &'static Rows, rules: &[Rule], value: &Json) {
        self.add("type", Json::Array(Vec::new()));
        let empty = Members::new();
        let members = value.as_object().unwrap_or(&empty);
        for ((key, place), optional) in meta.keys.iter().zip(rows.rows).zip(meta.optional) {
            let Some(value) = members.get(*key) else {
                continue;
            };
            if *optional == 0 || place.rules.contains(&Rule::Required) {
                self.remove(key, "required");
            }
            self.at(key, |changes| {
                changes.collect((place.form)(), place.rules, value)
            });
        }
        if meta.is_closed() {
            self.at("unknown property", |changes| {
                changes.add("additionalProperties", true);
            });
        }
        if let [place] = rows.rest {
            for (key, value) in members
                .iter()
                .filter(|(key, _)| meta.find(key, 0).is_none())
            {
                self.at(key, |changes| {
                    changes.collect((place.form)(), place.rules, value)
                });
            }
        }
        self.whole(members, &[rows.whole, rules].concat());
    }

    /// Adds objects that break a rule about their properties as a whole.
    fn whole(&mut self, members: &Members<String, Json>, rules: &[Rule]) {
        for name in members.keys() {
            let mut fewer = members.clone();
            fewer.remove(name);
            let is_valid = |rule: &Rule| are_valid(&fewer, std::slice::from_ref(rule));
            if let Some(rule) = only_broken(rules, is_valid) {
                self.remove(name, rule);
            }
        }
    }
}

/// Returns the name of the only rule that is broken.
fn only_broken(rules: &[Rule], is_valid: impl Fn(&Rule) -> bool) -> Option<&'static str> {
    let mut broken = rules.iter().filter(|rule| !is_valid(rule));
    let rule = broken.next()?;
    broken.next().is_none().then(|| keyword(rule))
}
