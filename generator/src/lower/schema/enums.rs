//! `enum` and `const`.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::codes;
use crate::ir::{
    Doc, Literal, LiteralEnum, LiteralVariant, Name, StringEnum, StringVariant, TypeId, TypeKind,
};
use crate::model::Types;
use crate::source::{Number, Value};
use crate::vocabulary::{ENUM_NAMES, ENUM_TEXTS};

use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::shape::Shape;
use crate::lower::{Lowering, Openness, schema};

impl Lowering<'_> {
    /// Returns the enum for a list of scalars. `null` is not a variant, but part of the type's
    /// uses.
    pub(in crate::lower) fn enumeration(
        &mut self,
        values: Vec<Value>,
        shape: &Shape,
        ty: TypeId,
    ) -> TypeKind {
        let mut distinct: Vec<Value> = Vec::with_capacity(values.len());
        let mut seen: HashSet<String> = HashSet::with_capacity(values.len());
        for value in &values {
            if !seen.insert(value.to_json()) {
                self.document
                    .diagnostics
                    .report(
                        codes::REPEATED_VALUE,
                        &shape.origin,
                        format!("duplicate value {} in `enum`", value.to_json()),
                    )
                    .help("remove one of them");
            } else {
                distinct.push(value.clone());
            }
        }
        let kept = distinct
            .iter()
            .filter(|value| !matches!(value, Value::Null));
        let strings = kept.clone().all(|value| matches!(value, Value::String(_)));
        let names = labels(shape, &ENUM_NAMES, &values);
        let docs = labels(shape, &ENUM_TEXTS, &values);
        let about =
            |value: &Value, from: &HashMap<String, String>| from.get(&value.to_json()).cloned();
        if strings {
            let variants = kept.filter_map(|value| match value {
                Value::String(text) => Some(StringVariant {
                    name: Name {
                        wanted: about(value, &names),
                        ..Name::new(text)
                    },
                    doc: Doc {
                        text: about(value, &docs),
                        ..Doc::default()
                    },
                }),
                _ => None,
            });
            let variants: Vec<_> = variants.collect();
            self.types
                .openness
                .insert(ty, openness(shape, variants.len()));
            return TypeKind::StringEnum(StringEnum {
                variants,
                fallback: None,
            });
        }
        let variants = kept.filter_map(|value| {
            let literal = literal(value)?;
            let name = Name {
                wanted: about(value, &names),
                ..Name::new(value_words(value))
            };
            let doc = Doc {
                text: about(value, &docs),
                ..Doc::default()
            };
            Some(LiteralVariant {
                name,
                value: literal,
                doc,
            })
        });
        let variants: Vec<_> = variants.collect();
        let complete = is_complete(&variants);
        let open = match openness(shape, variants.len()) {
            Openness::Unstated if complete => Openness::Closed,
            open => open,
        };
        self.types.openness.insert(ty, open);
        TypeKind::LiteralEnum(LiteralEnum {
            variants,
            fallback: None,
        })
    }

    /// Returns the enum for a choice of values (`oneOf: [{ const: a, description: … }, …]`). The
    /// texts of an alternative document its variant, and a title names the variant of a value that is
    /// not a string. Listed strings combined with any string are an
    /// open enum.
    pub(in crate::lower) fn choice_of_values(
        &mut self,
        candidates: &[Candidate],
        shape: &Shape,
        ty: TypeId,
    ) -> Option<TypeKind> {
        let mut found: Vec<(Value, Value, Value)> = Vec::new();
        let mut any = false;
        let mut seen: HashSet<String> = HashSet::new();
        for candidate in candidates {
            let part = self.document.shape(candidate.schema);
            let Some(own) = part.enumeration.filter(|_| part.choices.is_empty()) else {
                any |= part.types == Types::STRING;
                if part.types == Types::STRING && part.choices.is_empty() && part.format.is_none() {
                    continue;
                }
                return None;
            };
            let strings = own.iter().all(|value| matches!(value, Value::String(_)));
            let fits = if strings {
                part.format.is_none() && (part.types.is_unstated() || part.types == Types::STRING)
            } else {
                // Enums with names of their own are variants.
                own.iter().all(is_value) && !self.document.is_named(candidate.written)
            };
            if !fits {
                return None;
            }
            let doc = schema::doc_of(self.document.schema(candidate.written), false).text;
            let doc = doc
                .filter(|_| own.len() == 1)
                .map_or(Value::Null, Value::String);
            let title = self.document.schema(candidate.written).title.clone();
            let title = title.filter(|title| own.len() == 1 && !strings && is_short(title));
            let name = title.map_or(Value::Null, Value::String);
            for value in own {
                if seen.insert(value.to_json()) {
                    found.push((value, name.clone(), doc.clone()));
                }
            }
        }
        // An alternative that contradicts the values around the choice has its own ones.
        let around = shape.enumeration.iter().flatten().map(Value::to_json);
        let around: HashSet<String> = around.collect();
        let is_listed = |(value, ..): &(Value, Value, Value)| around.contains(&value.to_json());
        if found.iter().any(is_listed) {
            found.retain(is_listed);
        }
        let values: Vec<Value> = found.iter().map(|(value, ..)| value.clone()).collect();
        let strings = values.iter().all(|value| matches!(value, Value::String(_)));
        if values.is_empty() || (any && !strings) {
            return None;
        }
        let mut extensions = shape.extensions.clone();
        if any {
            extensions.insert(0, ("x-extensible-enum".to_owned(), Value::Bool(true)));
        }
        let (names, docs) = found.into_iter().map(|(_, name, doc)| (name, doc)).unzip();
        extensions.push((ENUM_NAMES[0].to_owned(), Value::Array(names)));
        extensions.push((ENUM_TEXTS[0].to_owned(), Value::Array(docs)));
        let alone = Shape {
            origin: shape.origin.clone(),
            is_const: shape.is_const,
            extensions,
            ..Shape::default()
        };
        Some(self.enumeration(values, &alone, ty))
    }
}

/// Returns whether a value can be a variant: a scalar other than null.
fn is_value(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Array(_) | Value::Object(_))
}

/// Returns whether the document declares an enum as open.
///
/// `x-extensible-enum` is the convention of Zalando's guidelines, here as a boolean next to `enum`.
fn openness(shape: &Shape, values: usize) -> Openness {
    let stated = shape
        .extensions
        .iter()
        .find_map(|(key, value)| match value {
            Value::Bool(open) if key == "x-extensible-enum" => Some(*open),
            _ => None,
        });
    match stated {
        Some(true) => Openness::Open,
        Some(false) => Openness::Closed,
        // A single value is a tag and not a choice: other values are never valid.
        None if shape.is_const || values == 1 => Openness::Closed,
        None => Openness::Unstated,
    }
}

/// Returns whether the listed types have no other values: `true` and `false`.
fn is_complete(variants: &[LiteralVariant]) -> bool {
    let boolean = |variant: &LiteralVariant| matches!(variant.value, Literal::Bool(_));
    variants.len() == 2 && variants.iter().all(boolean)
}

/// Returns texts for the values of an enum, by the JSON of the values. The source is a list in the
/// order of the values, or a map by value.
fn labels(shape: &Shape, keys: &[&str], values: &[Value]) -> HashMap<String, String> {
    let found = shape
        .extensions
        .iter()
        .find(|(key, _)| keys.contains(&key.as_str()));
    let mut labels = HashMap::new();
    let mut label = |value: &Value, text: &Value| {
        if let Value::String(text) = text {
            // For a repeated value, the first text is used.
            labels
                .entry(value.to_json())
                .or_insert_with(|| text.clone());
        }
    };
    match found.map(|(_, value)| value) {
        Some(Value::Array(texts)) => {
            for (value, text) in values.iter().zip(texts) {
                label(value, text);
            }
        }
        Some(Value::Object(texts)) => {
            for value in values {
                if let Some(text) = texts.get(value_words(value).as_str()) {
                    label(value, text);
                }
            }
        }
        _ => {}
    }
    labels
}

fn literal(value: &Value) -> Option<Literal> {
    Some(match value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Bool(*value),
        Value::Number(Number::Int(value)) => Literal::Int(*value),
        Value::Number(Number::Float(value)) => Literal::Float(*value),
        Value::String(value) => Literal::String(value.clone()),
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// Returns the words for the name of a value.
pub(in crate::lower) fn value_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_json(),
    }
}

/// Returns whether a title may be a name.
pub(in crate::lower) fn is_short(title: &str) -> bool {
    title.len() <= 40 && title.split_whitespace().count() <= 4 && !title.trim().is_empty()
}
