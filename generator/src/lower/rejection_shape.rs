//! What a server answers by itself, in the shape that the document has for its errors.
//!
//! The rule, which is told in the guide too: every operation that documents a status (by code, by
//! range, or by a `default` beside a success) has the same schema for it, in the same JSON media
//! type; that schema is a plain object; it has one of `message`, `detail`, `error` and `title` as
//! texts, which get the reason phrase of HTTP, or of `code`, `status`, `statusCode` and `status_code`
//! as numbers, which get the status; and what else it requires has one value by the document: a
//! `const`, a `default`, or an empty object or list. Anything else would be made up.
//!
//! A validation rejection may be documented operation by operation, and its body may have a member for the
//! errors of fields: [`validation_shape`].

use crate::ir::{FieldErrorFormat, Rejection};
use crate::model::{Constraints, Model, Operation, Response, Schema, SchemaId, StatusSpec, Types};

use super::validation_shape;

/// In the order in which one is taken for what is wrong with each field.
const TEXTS: [&str; 4] = ["message", "detail", "error", "title"];
const NUMBERS: [&str; 4] = ["code", "status", "statusCode", "status_code"];

/// The rejection with a status, where the document's errors say what it looks like.
pub(super) fn rejection(model: &Model, status: u16, phrase: &str) -> Option<Rejection> {
    let (media, schema) = shape(model, status)?;
    // Of all rejection_bodies, only this one has fields.
    filled(model, (media, schema), (status, phrase), status == 400)
}

/// A rejection whose body is of a schema, where that can be filled: with the errors of fields or without.
pub(super) fn filled(
    model: &Model,
    (media, schema): (&str, SchemaId),
    (status, phrase): (u16, &str),
    with_fields: bool,
) -> Option<Rejection> {
    let schema = model.schemas.get(schema.0 as usize)?;
    let (members, list) = fill(model, schema, (status, phrase), with_fields)?;
    let is_there = |name: &&&str| members.iter().any(|(known, _)| known == *name);
    let text_place = || {
        TEXTS
            .iter()
            .find(is_there)
            .map(|name| (*name, FieldErrorFormat::Map))
    };
    let place = list.or_else(text_place).filter(|_| with_fields);
    let (fields, fields_as) = match place {
        Some((name, fields_as)) => (Some(pointer(name)), fields_as),
        None => (None, FieldErrorFormat::Map),
    };
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", text(name)))
        .collect();
    Some(Rejection {
        status,
        content_type: media.to_owned(),
        body: format!("{{{}}}", members.join(",")),
        fields,
        fields_as,
    })
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The media type and the schema that all operations have for a status.
fn shape(model: &Model, status: u16) -> Option<(&str, SchemaId)> {
    let mut shape = None;
    for operation in &model.operations {
        let Some(response) = response(operation, status) else {
            continue;
        };
        let this = json(response)?;
        if *shape.get_or_insert(this) != this {
            return None;
        }
    }
    shape
}

/// The JSON of a response: its media type and its schema.
pub(super) fn json(response: &Response) -> Option<(&str, SchemaId)> {
    let mut content = response.content.iter();
    let media = content.find(|media| media.name.contains("json"))?;
    Some((media.name.as_str(), media.schema?))
}

/// What an operation documents for a status.
pub(super) fn response(operation: &Operation, status: u16) -> Option<&Response> {
    let of = |wanted: StatusSpec| {
        let mut responses = operation.responses.iter();
        responses.find(|response| response.status == wanted)
    };
    let range = u8::try_from(status / 100).ok()?;
    // Without a success beside it, `default` is the success.
    let beside = operation
        .responses
        .iter()
        .any(|response| match response.status {
            StatusSpec::Code(code) => code < 400,
            StatusSpec::Range(first) => first < 4,
            StatusSpec::Default => false,
        });
    of(StatusSpec::Code(status))
        .or_else(|| of(StatusSpec::Range(range)))
        .or_else(|| of(StatusSpec::Default).filter(|_| beside))
}

/// Members of a body by name, as JSON.
type Members<'a> = Vec<(&'a str, String)>;

/// The members of a body, in the document's order, and which of them takes the errors of fields;
/// `None` when it requires something else.
fn fill<'a>(
    model: &'a Model,
    schema: &'a Schema,
    (status, phrase): (u16, &str),
    with_fields: bool,
) -> Option<(Members<'a>, Option<(&'a str, FieldErrorFormat)>)> {
    if !is_object(schema) {
        return None;
    }
    let mut filled = Vec::new();
    let mut says = false;
    let mut list = None;
    for (name, id) in &schema.properties {
        let property = model.schemas.get(id.0 as usize)?;
        let fields = match with_fields && list.is_none() {
            true => validation_shape::fields_as(model, name, property),
            false => None,
        };
        if let Some((empty, fields_as)) = fields {
            says = true;
            filled.push((name.as_str(), empty.to_owned()));
            list = Some((name.as_str(), fields_as));
        } else if let Some(value) = value(name, property, status, phrase) {
            says = true;
            filled.push((name.as_str(), value));
        } else if schema.required.contains(name) {
            filled.push((name.as_str(), only_value(property)?));
        }
    }
    let is_filled = |name: &String| filled.iter().any(|(known, _)| known == name);
    (says && schema.required.iter().all(is_filled)).then_some((filled, list))
}

/// Whether nothing is asked of values but to be an object with some members.
pub(super) fn is_object(schema: &Schema) -> bool {
    is_plain(schema) && (schema.types.is_unstated() || schema.types.contains(Types::OBJECT))
}

/// The value that a property has by the document, whatever is wrong.
pub(super) fn only_value(property: &Schema) -> Option<String> {
    let listed = match property.enumeration.as_deref() {
        Some([one]) => Some(one),
        _ => None,
    };
    let stated = property.constant.as_ref().or(listed);
    if let Some(value) = stated.or(property.default.as_ref()) {
        return Some(value.to_json());
    }
    if !is_plain(property) || !property.required.is_empty() || !property.prefix_items.is_empty() {
        return None;
    }
    match property.types.without(Types::NULL) {
        Types::OBJECT => Some("{}".to_owned()),
        Types::ARRAY => Some("[]".to_owned()),
        _ => None,
    }
}

fn value(name: &str, property: &Schema, status: u16, phrase: &str) -> Option<String> {
    if !is_plain(property) || property.write_only {
        return None;
    }
    let number = Types::INTEGER.union(Types::NUMBER);
    match property.types.without(Types::NULL) {
        Types::STRING if TEXTS.contains(&name) && property.format.is_none() => Some(text(phrase)),
        types if NUMBERS.contains(&name) && !types.is_unstated() && number.contains(types) => {
            Some(status.to_string())
        }
        _ => None,
    }
}

/// Whether nothing is asked of values but their type and their members.
pub(super) fn is_plain(schema: &Schema) -> bool {
    schema.reference.is_none()
        && schema.boolean.is_none()
        && schema.enumeration.is_none()
        && schema.constant.is_none()
        && schema.all_of.is_empty()
        && schema.any_of.is_empty()
        && schema.one_of.is_empty()
        && schema.not.is_none()
        && schema.discriminator.is_none()
        && schema.content_encoding.is_none()
        && schema.content_media_type.is_none()
        && schema.constraints == Constraints::default()
}

/// A text as JSON.
fn text(of: &str) -> String {
    serde_json::Value::from(of).to_string()
}
