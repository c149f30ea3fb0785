//! Common deviations from the standard that have only one possible meaning.
//!
//! Rejecting a document for such a deviation does not help its user; accepting the deviation
//! silently would hide that other tools may reject the document. The value is therefore read with
//! its intended meaning and reported (`W0106`). A value without any effect is ignored and reported
//! (`W0107`). If two meanings are possible, the callers report an error.

use super::context::Context;
use crate::diagnostic::codes;
use crate::model::{Schema, Types};
use crate::resolve::Node;
use crate::source::{Number, Value};
use crate::vocabulary::{ENUM_NAMES, ENUM_TEXTS};

/// The number of values of an enum that are listed in a message.
const SHOWN: usize = 5;

impl<'t> Context<'t, '_> {
    /// Reports that a value is read with its intended meaning.
    pub(super) fn meant(&mut self, node: &Node<'t>, reading: &str) {
        let message = format!("{} is read as {reading}", called(node));
        self.report(codes::MEANT, &node.origin(), message);
    }

    /// Reports that a value without any effect is ignored.
    pub(super) fn ignored(&mut self, node: &Node<'t>, wanted: &str) {
        let is = match node.value {
            Value::Array(_) | Value::Object(_) => node.value.kind().to_owned(),
            scalar => scalar.to_json(),
        };
        let message = format!(
            "expected {wanted} for {}, found {is}; it is ignored",
            called(node)
        );
        self.report(codes::IGNORED, &node.origin(), message);
    }

    /// Returns a boolean, possibly in quotes.
    pub(super) fn lenient_flag(&mut self, node: &Node<'t>) -> Option<bool> {
        let text = node.value.as_str()?.trim().to_ascii_lowercase();
        let flag = match text.as_str() {
            "true" | "yes" => true,
            "false" | "no" => false,
            _ => return None,
        };
        self.meant(node, if flag { "`true`" } else { "`false`" });
        Some(flag)
    }

    /// Returns a number, possibly in quotes.
    pub(super) fn lenient_number(&mut self, node: &Node<'t>) -> Option<Number> {
        let text = node.value.as_str()?.trim();
        let int = text.parse().ok().map(Number::Int);
        let float = || text.parse().ok().filter(|it: &f64| it.is_finite());
        let number = int.or_else(|| float().map(Number::Float))?;
        self.meant(node, "a number");
        Some(number)
    }

    /// Returns whether an empty list represents an empty object, as some languages write it.
    pub(super) fn is_empty_object(&mut self, node: &Node<'t>) -> bool {
        let is = node.value.as_array().is_some_and(<[Value]>::is_empty);
        if is {
            self.meant(node, "an object without entries");
        }
        is
    }

    /// Returns whether a single item, to which `holder` leads, is given instead of a list. A parameter is distinguished from
    /// a map of parameters by its `in`.
    pub(super) fn is_one_item(&mut self, holder: &Node<'t>, node: &Node<'t>) -> bool {
        let is = match node.value {
            Value::Null | Value::Array(_) => false,
            Value::Object(object) => {
                holder.pointer.last().as_deref() != Some("parameters")
                    || object
                        .get("in")
                        .is_some_and(|place| place.as_str().is_some())
            }
            _ => true,
        };
        if is {
            self.meant(holder, "a list of one item");
        }
        is
    }

    /// Returns the type and the format for the name of a type in other languages and tools.
    pub(super) fn lenient_type(
        &mut self,
        node: &Node<'t>,
    ) -> Option<(Types, Option<&'static str>)> {
        let text = node.value.as_str()?.trim().to_ascii_lowercase();
        if matches!(text.as_str(), "any" | "mixed" | "enum" | "") {
            self.meant(node, "no type at all");
            return Some((Types::UNSTATED, None));
        }
        let (name, format) = match text.as_str() {
            "string" | "str" | "text" => ("string", None),
            "integer" | "int" => ("integer", None),
            "long" | "int64" => ("integer", Some("int64")),
            "int32" => ("integer", Some("int32")),
            "number" | "decimal" => ("number", None),
            "float" => ("number", Some("float")),
            "double" => ("number", Some("double")),
            "boolean" | "bool" => ("boolean", None),
            "array" | "list" => ("array", None),
            "object" | "map" | "dict" | "dictionary" => ("object", None),
            "null" => ("null", None),
            "file" | "binary" => ("string", Some("binary")),
            "date" => ("string", Some("date")),
            "date-time" | "datetime" | "timestamp" => ("string", Some("date-time")),
            "uuid" => ("string", Some("uuid")),
            _ => return None,
        };
        let types = Types::from_name(name)?;
        self.meant(
            node,
            &match format {
                None => format!("`{name}`"),
                Some(format) => format!("`{name}` with the format `{format}`"),
            },
        );
        Some((types, format))
    }

    /// Converts the values of an enum to the declared type: YAML reads words without quotes as
    /// numbers, and some tools put quotes around numbers.
    pub(super) fn convert_values(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(at) = node.get("enum") else { return };
        let stated = schema.types.without(Types::NULL);
        let Some(values) = schema.enumeration.as_mut() else {
            return;
        };
        if values.is_empty() || (stated == Types::ARRAY && values.iter().all(is_scalar)) {
            schema.enumeration = None;
            let message = "`enum` lists no value of this type; it is ignored";
            self.report(codes::IGNORED, &at.origin(), message);
            return;
        }
        let mut changed = Vec::new();
        for value in values.iter_mut() {
            let fitting = match value {
                Value::Number(_) | Value::Bool(_) if stated == Types::STRING => {
                    value.scalar_text().map(Value::String)
                }
                Value::String(text) if stated == Types::INTEGER => text
                    .trim()
                    .parse()
                    .ok()
                    .map(|int| Value::Number(Number::Int(int))),
                _ => None,
            };
            if let Some(fitting) = fitting {
                if changed.len() < SHOWN {
                    changed.push(format!("`{}`", fitting.to_json_within(40)));
                }
                *value = fitting;
            }
        }
        if stated == Types::INTEGER {
            self.leave_out_texts(&at, schema);
        }
        if !changed.is_empty() {
            let reading = format!(
                "a list of values of the type beside it: {}",
                changed.join(", ")
            );
            self.meant(&at, &reading);
        }
    }

    /// Leaves out values of an enum that are no integers, with their names and texts.
    fn leave_out_texts(&mut self, at: &Node<'t>, schema: &mut Schema) {
        let values = schema.enumeration.get_or_insert_default();
        // Texts are what the enum means where no value has the type.
        if !values.iter().any(|value| matches!(value, Value::Number(_))) {
            return;
        }
        let fits = |value: &Value| matches!(value, Value::Number(_) | Value::Null);
        let kept: Vec<bool> = values.iter().map(fits).collect();
        let others = values.iter().filter(|value| !fits(value)).take(SHOWN);
        let others: Vec<String> = others
            .map(|value| format!("`{}`", value.to_json_within(40)))
            .collect();
        if others.is_empty() {
            return;
        }
        let labels = schema.extensions.iter_mut().filter_map(|(key, labels)| {
            let is_label = [ENUM_NAMES, ENUM_TEXTS].concat().contains(&key.as_str());
            match labels {
                Value::Array(labels) if is_label => Some(labels),
                _ => None,
            }
        });
        for list in [values].into_iter().chain(labels) {
            let mut kept = kept.iter();
            list.retain(|_| kept.next() != Some(&false));
        }
        let message = format!(
            "values of `enum` are not integers: {}; they are left out",
            others.join(", ")
        );
        self.report(codes::IGNORED, &at.origin(), message);
    }

    /// Returns the word of a fixed set that a text equals except for its case or a plural, or
    /// `None`.
    pub(super) fn word(&mut self, node: &Node<'t>, known: &[&'static str]) -> Option<&'static str> {
        let text = node.value.as_str()?;
        if let Some(word) = known.iter().find(|word| **word == text) {
            return Some(word);
        }
        let loose = text.trim();
        let same = |word: &&&str| {
            let plural = loose.strip_suffix(['s', 'S']).unwrap_or(loose);
            word.eq_ignore_ascii_case(loose) || word.eq_ignore_ascii_case(plural)
        };
        let word = known.iter().find(same)?;
        self.meant(node, &format!("`{word}`"));
        Some(word)
    }
}

/// Returns the name of a node for a message. An item of a list has no name of its own.
fn called(node: &Node<'_>) -> String {
    let mut steps = node
        .pointer
        .segments()
        .collect::<Vec<_>>()
        .into_iter()
        .rev();
    let name = steps.next().unwrap_or_default();
    match steps.next() {
        Some(list) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("an item of `{list}`")
        }
        _ => format!("`{name}`"),
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}
