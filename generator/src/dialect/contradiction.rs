//! Values that are certainly not valid for a schema.
//!
//! Only what needs no interpretation is compared: types, enums, bounds, required and forbidden
//! properties. Whatever else a schema states counts as met.

use std::collections::HashMap;
use std::fmt;

use super::compared::Notation;
use super::constraints::bound;
use super::context::weight;
use crate::diagnostic::beginning;
use crate::model::{Constraints, Schema, SchemaId, Types};
use crate::source::Value;

/// The depth to which values are compared.
const DEEPEST: usize = 64;
/// The number of comparisons for a document: of a value with a schema, and with each of its properties
/// and listed values. Values beyond it count as valid.
const MOST: usize = 20_000_000;
/// The number of results that are kept for an example.
const KEPT: usize = 100_000;

/// The number of characters of a name in a message.
const SHOWN: usize = 100;

/// A value for a message.
#[derive(Clone, Copy)]
enum Called<'a> {
    Root,
    Item,
    Property(&'a str),
}

impl fmt::Display for Called<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("the value"),
            Self::Item => f.write_str("an item"),
            Self::Property(name) => write!(f, "`{}`", beginning(name, SHOWN)),
        }
    }
}

/// Returns whether a value is certainly not valid for a schema.
pub(crate) fn contradicts(schemas: &[Schema], id: SchemaId, value: &Value) -> bool {
    let mut judge = Judge::new(schemas);
    judge.contradiction(id, value, Notation::Json).is_some()
}

/// A comparison of values with schemas.
pub(super) struct Judge<'a> {
    schemas: &'a [Schema],
    left: usize,
    /// The results of schemas with parts or alternatives, which may lead to the same schema on many
    /// ways.
    known: HashMap<(SchemaId, *const Value), Option<String>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(schemas: &'a [Schema]) -> Self {
        Self {
            schemas,
            left: MOST,
            known: HashMap::new(),
        }
    }

    /// Returns why a value is not valid for a schema, or `None` if it may be valid.
    pub(super) fn contradiction(
        &mut self,
        schema: SchemaId,
        value: &Value,
        as_: Notation,
    ) -> Option<String> {
        match (as_, value) {
            // A list or an object in the style of the parameter, or a number in quotes.
            (Notation::Text, Value::String(_)) => None,
            _ => {
                self.known = HashMap::new();
                self.compare(schema, value, Called::Root, 0)
            }
        }
    }

    /// Takes an amount of work from what is left. Returns `None` if that is less.
    fn charge(&mut self, amount: usize) -> Option<()> {
        let left = self.left.checked_sub(amount);
        self.left = left.unwrap_or_default();
        left.map(|_| ())
    }

    fn compare(
        &mut self,
        id: SchemaId,
        value: &Value,
        name: Called<'_>,
        depth: usize,
    ) -> Option<String> {
        let schema = self.schemas.get(id.0 as usize)?;
        self.charge(1)?;
        let key = (id, std::ptr::from_ref(value));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let members = value.as_object().map_or(0, |object| object.len());
        let names = members.saturating_mul(schema.properties.len());
        self.charge(names + schema.required.len())?;
        // Documents write `null` for an absent value of any type.
        if depth > DEEPEST || value.is_null() {
            return None;
        }
        self.charge(cost(schema, value))?;
        let found = own(schema, value, name)
            .or_else(|| self.compare_required(schema, value, name))
            .or_else(|| self.compare_further(schema, value, name, depth))
            .or_else(|| self.compare_parts(schema, value, depth));
        let further = [&schema.all_of, &schema.one_of, &schema.any_of];
        let is_composed =
            schema.reference.is_some() || further.iter().any(|schemas| !schemas.is_empty());
        if is_composed && self.known.len() < KEPT {
            self.known.insert(key, found.clone());
        }
        found
    }

    /// Compares a value with what a schema refers to, with its parts, and with its alternatives.
    fn compare_further(
        &mut self,
        schema: &Schema,
        value: &Value,
        name: Called<'_>,
        depth: usize,
    ) -> Option<String> {
        let mut parts = schema.reference.iter().chain(&schema.all_of);
        let found = parts.find_map(|part| self.compare(*part, value, name, depth + 1));
        found
            .or_else(|| self.compare_choice("oneOf", &schema.one_of, value, name, depth))
            .or_else(|| self.compare_choice("anyOf", &schema.any_of, value, name, depth))
    }

    /// Looks for required properties that an object lacks. One that only one direction has may be
    /// absent, and one that is not declared is reported elsewhere.
    fn compare_required(
        &mut self,
        schema: &Schema,
        value: &Value,
        name: Called<'_>,
    ) -> Option<String> {
        let object = value.as_object()?;
        for absent in &schema.required {
            if object.contains_key(absent.as_str()) {
                continue;
            }
            self.charge(schema.properties.len())?;
            let declared = schema.properties.iter().find(|(name, _)| name == absent);
            let declared_schema = declared.and_then(|(_, id)| self.schemas.get(id.0 as usize));
            if declared_schema.is_some_and(|found| !found.read_only && !found.write_only) {
                return Some(format!(
                    "{name} lacks the required `{}`",
                    beginning(absent, SHOWN)
                ));
            }
        }
        None
    }

    fn compare_choice(
        &mut self,
        keyword: &str,
        alternatives: &[SchemaId],
        value: &Value,
        name: Called<'_>,
        depth: usize,
    ) -> Option<String> {
        let mut all = alternatives.iter();
        let never = !alternatives.is_empty()
            && all.all(|id| self.compare(*id, value, name, depth + 1).is_some());
        never.then(|| format!("{name} matches no alternative of `{keyword}`"))
    }

    fn compare_parts(&mut self, schema: &Schema, value: &Value, depth: usize) -> Option<String> {
        match value {
            Value::Object(object) => object.iter().find_map(|(key, value)| {
                let declared = schema.properties.iter().find(|(name, _)| name == key);
                let schema_id = match declared {
                    Some((_, id)) => *id,
                    // Another part may declare the property.
                    None if schema.unevaluated || !schema.pattern_properties.is_empty() => {
                        return None;
                    }
                    None => schema.additional_properties?,
                };
                if declared.is_none()
                    && self.schemas.get(schema_id.0 as usize)?.boolean == Some(false)
                {
                    return Some(format!(
                        "unknown property `{}`, and `additionalProperties` is `false`",
                        beginning(key, SHOWN)
                    ));
                }
                self.compare(schema_id, value, Called::Property(key), depth + 1)
            }),
            Value::Array(items) => {
                let item_schema = schema.items.filter(|_| schema.prefix_items.is_empty())?;
                items
                    .iter()
                    .find_map(|item| self.compare(item_schema, item, Called::Item, depth + 1))
            }
            _ => None,
        }
    }
}

/// Returns the work of a comparison of a value with the keywords that look at all of it.
fn cost(schema: &Schema, value: &Value) -> usize {
    let listed = schema.enumeration.as_ref().map_or(0, Vec::len);
    let bounds = [schema.constraints.min_length, schema.constraints.max_length];
    let looks = listed
        + usize::from(schema.constant.is_some())
        + usize::from(bounds.iter().any(Option::is_some));
    match looks {
        0 => 0,
        looks => looks.saturating_mul(weight(value)),
    }
}

/// Compares a value with the keywords of a schema that concern the value itself.
fn own(schema: &Schema, value: &Value, name: Called<'_>) -> Option<String> {
    if let Some(wanted) = wrong_type(schema, value) {
        return Some(format!(
            "expected {wanted} for {name}, found {}",
            value.kind()
        ));
    }
    let is_one = |known: &Value| is_same(known, value);
    if let Some(values) = &schema.enumeration
        && !values.iter().any(is_one)
    {
        return Some(format!("{name} is not in the `enum`"));
    }
    if let Some(constant) = &schema.constant
        && !is_one(constant)
    {
        return Some(format!("{name} is not the `const`"));
    }
    out_of_bounds(&schema.constraints, value)
        .map(|keyword| format!("{name} is not within `{keyword}`"))
}

/// Returns whether two values are equal, where a number or a boolean equals its text: YAML reads
/// unquoted texts as such values.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::String(text), scalar @ (Value::Number(_) | Value::Bool(_)))
        | (scalar @ (Value::Number(_) | Value::Bool(_)), Value::String(text)) => {
            scalar.scalar_text().as_ref() == Some(text)
        }
        (left, right) => left == right,
    }
}

/// Returns the types of a schema if the value has another one. YAML reads unquoted texts as numbers
/// and booleans, which are texts where the type is `string`.
fn wrong_type(schema: &Schema, value: &Value) -> Option<String> {
    let own = match value {
        Value::Null => return None,
        Value::Bool(_) => Types::BOOLEAN.union(Types::STRING),
        Value::Number(number) if number.as_integer().is_some() => {
            Types::INTEGER.union(Types::NUMBER).union(Types::STRING)
        }
        Value::Number(number) if number.as_f64().fract() == 0.0 => return None,
        Value::Number(_) => Types::NUMBER.union(Types::STRING),
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    };
    // Bytes have no example in JSON.
    let is_binary = schema.format.as_deref() == Some("binary");
    if schema.types.is_unstated() || is_binary || schema.types.0 & own.0 != 0 {
        return None;
    }
    let names = ["boolean", "integer", "number", "string", "array", "object"];
    let stated = names
        .into_iter()
        .filter(|name| Types::from_name(name).is_some_and(|ty| schema.types.contains(ty)));
    let stated: Vec<String> = stated.map(|name| format!("`{name}`")).collect();
    Some(if stated.is_empty() {
        "`null`".to_owned()
    } else {
        stated.join(" or ")
    })
}

/// Returns the keyword whose bound a value violates.
pub(super) fn out_of_bounds(bounds: &Constraints, value: &Value) -> Option<&'static str> {
    let size = |size: usize, least: Option<u64>, most: Option<u64>, names: [&'static str; 2]| {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        if least.is_some_and(|least| size < least) {
            return Some(names[0]);
        }
        most.is_some_and(|most| size > most).then_some(names[1])
    };
    match value {
        Value::Number(number) => {
            let number = number.as_f64();
            let is_below =
                |(least, excluded): (f64, bool)| number < least || (excluded && number <= least);
            let is_above =
                |(most, excluded): (f64, bool)| number > most || (excluded && number >= most);
            if bound(bounds.minimum.as_ref()).is_some_and(is_below) {
                return Some("minimum");
            }
            bound(bounds.maximum.as_ref())
                .is_some_and(is_above)
                .then_some("maximum")
        }
        Value::String(text) if bounds.min_length.or(bounds.max_length).is_some() => size(
            text.chars().count(),
            bounds.min_length,
            bounds.max_length,
            ["minLength", "maxLength"],
        ),
        Value::Array(items) => size(
            items.len(),
            bounds.min_items,
            bounds.max_items,
            ["minItems", "maxItems"],
        ),
        Value::Object(object) => {
            let names = ["minProperties", "maxProperties"];
            size(
                object.len(),
                bounds.min_properties,
                bounds.max_properties,
                names,
            )
        }
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Object;

    /// Returns what is left of the work after a comparison of a value with the first schema.
    fn spent(schemas: &[Schema], value: &Value) -> usize {
        let mut judge = Judge::new(schemas);
        let found = judge.contradiction(SchemaId(0), value, Notation::Json);
        assert_eq!(found, None);
        MOST - judge.left
    }

    /// Schemas of which each has the next one twice as a part.
    fn doubled(last: Schema) -> Vec<Schema> {
        let parts = (1..=24).map(|next| Schema {
            all_of: vec![SchemaId(next); 2],
            ..Schema::default()
        });
        parts.chain([last]).collect()
    }

    #[test]
    fn a_schema_on_many_ways_is_compared_once() {
        let text = Value::String("x".repeat(64_000));
        let mut last = Schema::default();
        assert_eq!(spent(&doubled(last.clone()), &text), 49);
        last.constraints.max_length = Some(64_000);
        assert_eq!(spent(&doubled(last), &text), 49 + 2 * 1_001);
    }

    #[test]
    fn comparisons_with_all_of_a_value_are_charged() {
        let list = |last| Value::Array((0..1_000).chain([last]).map(Value::from).collect());
        let schema = Schema {
            enumeration: Some(vec![list(1), list(0)]),
            ..Schema::default()
        };
        assert!(spent(&[schema], &list(0)) >= 2_000);
        let names = || (0..100).map(|index| format!("p{index}"));
        let schema = Schema {
            required: names().map(|name| name + "x").collect(),
            properties: names().map(|name| (name, SchemaId(0))).collect(),
            ..Schema::default()
        };
        assert!(spent(&[schema], &Value::Object(Object::new())) >= 10_000);
    }
}
