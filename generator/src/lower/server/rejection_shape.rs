//! Rejections of a server in the shape of the document's errors.
//!
//! The rule, which the guide describes too: every operation that documents a status (by code, by
//! range, or by a `default` next to a success) has the same schema for it, in the same JSON media
//! type. That schema is a plain object. It has one of `message`, `detail`, `error` and `title` as
//! texts, which get the reason phrase of HTTP, or of `code`, `status`, `statusCode` and
//! `status_code` as numbers, which get the status. All its other required properties have a single
//! value in the document: a `const`, a `default`, or an empty object or list. Otherwise the values
//! would have to be invented, so the rule does not apply.
//!
//! The body of a validation rejection may have a member for field errors: [`field_errors`]. It may be
//! documented for each operation: [`validation_shape`](crate::lower::server::validation_shape).

use crate::ir::{FieldErrorFormat, Rejection};
use crate::model::{Model, Operation, Response, Schema, SchemaId, StatusSpec, Types};

use crate::lower::schema::plain::{is_object, is_plain, only_value};
use crate::lower::server::field_errors;

/// The members for the message, in the order of preference.
const TEXTS: [&str; 4] = ["message", "detail", "error", "title"];
const NUMBERS: [&str; 4] = ["code", "status", "statusCode", "status_code"];

/// Returns the rejection with a status, if the document's errors define its shape.
pub(in crate::lower) fn rejection(model: &Model, status: u16, phrase: &str) -> Option<Rejection> {
    let (media, schema) = shape(model, status)?;
    // Among all rejections, only this one has field errors.
    filled(model, (media, schema), (status, phrase), status == 400)
}

/// Returns a rejection with a body of a schema that can be filled, with or without field errors.
pub(in crate::lower) fn filled(
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

/// Returns the media type and the schema that all operations have for a status.
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

/// Returns the JSON content of a response: its media type and its schema.
pub(in crate::lower) fn json(response: &Response) -> Option<(&str, SchemaId)> {
    let mut content = response.content.iter();
    let media = content.find(|media| media.name.contains("json"))?;
    Some((media.name.as_str(), media.schema?))
}

/// Returns the documented response of an operation for a status.
pub(in crate::lower) fn response(operation: &Operation, status: u16) -> Option<&Response> {
    let shape_of = |wanted: StatusSpec| {
        let mut responses = operation.responses.iter();
        responses.find(|response| response.status == wanted)
    };
    let range = u8::try_from(status / 100).ok()?;
    // Without a documented success, `default` is the success.
    let beside = operation
        .responses
        .iter()
        .any(|response| match response.status {
            StatusSpec::Code(code) => code < 400,
            StatusSpec::Range(first) => first < 4,
            StatusSpec::Default => false,
        });
    shape_of(StatusSpec::Code(status))
        .or_else(|| shape_of(StatusSpec::Range(range)))
        .or_else(|| shape_of(StatusSpec::Default).filter(|_| beside))
}

/// Members of a body by name, as JSON.
type Members<'a> = Vec<(&'a str, String)>;

/// Returns the members of a body in document order, and the member for field errors. Returns `None`
/// if the body requires any other value.
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
            true => field_errors::format(model, name, property),
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

/// Returns a text as JSON.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
