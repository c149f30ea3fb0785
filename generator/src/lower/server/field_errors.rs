//! The member of an error body for field errors.
//!
//! Field errors are written to the first member of the body with a name in [`PLACES`] that is a
//! list of texts, a list of objects with a message, or a map of texts or of lists of texts. This
//! covers FastAPI's `{"detail": [{"loc": ["body", "name"], "msg": "…", "type": "…"}]}`, and the
//! `errors` of ASP.NET and of many others.

use crate::ir::{FieldErrorFormat, FieldErrorPart};
use crate::model::{Model, Schema, SchemaId, Types};

use crate::lower::schema::plain::{is_object, is_plain, is_text, only_value};

/// Members for field errors, in lower case and without signs.
const PLACES: [&str; 12] = [
    "detail",
    "details",
    "errors",
    "fielderrors",
    "fields",
    "invalidparams",
    "issues",
    "messages",
    "params",
    "validation",
    "validationerrors",
    "violations",
];

/// Returns the format of field errors in a member, and its value without any errors.
pub(in crate::lower) fn format(
    model: &Model,
    name: &str,
    property: &Schema,
) -> Option<(&'static str, FieldErrorFormat)> {
    if !PLACES.contains(&plain_name(name).as_str()) || !is_plain(property) || property.write_only {
        return None;
    }
    match property.types.without(Types::NULL) {
        Types::ARRAY if property.prefix_items.is_empty() => {
            let item = schema(model, property.items?)?;
            let fields_as = match is_text(item) {
                true => FieldErrorFormat::Texts,
                false => FieldErrorFormat::Objects(members(model, item)?),
            };
            Some(("[]", fields_as))
        }
        Types::OBJECT if property.properties.is_empty() && property.required.is_empty() => {
            Some(("{}", map(model, property)?))
        }
        _ => None,
    }
}

/// Returns the format of field errors in a map of any values.
fn map(model: &Model, property: &Schema) -> Option<FieldErrorFormat> {
    if !property.pattern_properties.is_empty() || property.unevaluated_properties == Some(false) {
        return None;
    }
    let Some(value) = property.additional_properties else {
        return Some(FieldErrorFormat::Map);
    };
    let value = schema(model, value)?;
    if let Some(anything) = value.boolean {
        return anything.then_some(FieldErrorFormat::Map);
    }
    match value.types.without(Types::NULL) {
        Types::ARRAY if is_plain(value) => {
            is_text(schema(model, value.items?)?).then_some(FieldErrorFormat::Lists)
        }
        types if types.is_unstated() && is_plain(value) => Some(FieldErrorFormat::Map),
        _ => is_text(value).then_some(FieldErrorFormat::Map),
    }
}

/// Returns the members of an object that describes the error of one field, or `None` if it has no
/// message or requires other values.
fn members(model: &Model, item: &Schema) -> Option<Vec<(String, FieldErrorPart)>> {
    if !is_object(item) {
        return None;
    }
    let mut members: Vec<(String, FieldErrorPart)> = Vec::new();
    for (name, id) in &item.properties {
        let property = schema(model, *id)?;
        let required = item.required.contains(name);
        match part(model, name, property, required) {
            // One text for the message is sufficient.
            Some(FieldErrorPart::Message) if !required && has_message(&members) => {}
            Some(part) => members.push((name.clone(), part)),
            None if required => {
                members.push((name.clone(), FieldErrorPart::Fixed(only_value(property)?)));
            }
            None => {}
        }
    }
    let is_filled = |name: &String| members.iter().any(|(known, _)| known == name);
    (item.required.iter().all(is_filled) && has_message(&members)).then_some(members)
}

fn has_message(members: &[(String, FieldErrorPart)]) -> bool {
    members
        .iter()
        .any(|(_, part)| *part == FieldErrorPart::Message)
}

/// Returns the part of a field error that a member describes, by its name and type.
fn part(model: &Model, name: &str, property: &Schema, required: bool) -> Option<FieldErrorPart> {
    let name = plain_name(name);
    if is_text(property) {
        return match name.as_str() {
            "msg" | "message" | "description" | "reason" | "error" | "detail" | "title" => {
                Some(FieldErrorPart::Message)
            }
            "field" | "path" | "name" | "param" | "parameter" | "property" | "propertyname"
            | "fieldname" => Some(FieldErrorPart::Path),
            "pointer" | "jsonpointer" => Some(FieldErrorPart::Pointer),
            "in" | "location" | "place" => Some(FieldErrorPart::Place),
            // Filled only if required: there is no common list of kinds.
            "type" | "code" | "kind" | "rule" if required => Some(FieldErrorPart::Kind),
            _ => None,
        };
    }
    let is_list = is_plain(property)
        && property.types.without(Types::NULL) == Types::ARRAY
        && property.prefix_items.is_empty();
    if !is_list || !matches!(name.as_str(), "loc" | "location" | "path") {
        return None;
    }
    let item = schema(model, property.items?)?;
    if is_text(item) {
        return Some(FieldErrorPart::LocationTexts);
    }
    takes_steps(model, item).then_some(FieldErrorPart::Location)
}

/// Returns whether values may be texts and integers.
fn takes_steps(model: &Model, item: &Schema) -> bool {
    let both = Types::STRING.union(Types::INTEGER);
    if is_plain(item) {
        return item.types.is_unstated() || item.types.contains(both);
    }
    let choices = [&item.any_of, &item.one_of];
    let mut found = Types::UNSTATED;
    for id in choices.into_iter().flatten() {
        match schema(model, *id) {
            Some(choice) if is_plain(choice) => found = found.union(choice.types),
            _ => {}
        }
    }
    item.all_of.is_empty() && found.contains(both)
}

fn schema(model: &Model, id: SchemaId) -> Option<&Schema> {
    model.schemas.get(id.0 as usize)
}

/// Returns a name in lower case, without signs.
fn plain_name(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
