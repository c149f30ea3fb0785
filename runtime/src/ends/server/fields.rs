//! The format of field errors in the responses of an API.

use crate::values::BODY;
use crate::values::{FieldError, Json};

/// The format of field errors at the place that
/// [`RejectionBody::fields`](super::RejectionBody::fields) states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldErrorFormat {
    /// `{"name": "is required"}`; if the place contains a text, the errors are appended to it.
    Map,
    /// `{"name": ["is required"]}`
    Lists,
    /// `["name: is required"]`
    Texts,
    /// An array of objects with these members.
    Objects(&'static [(&'static str, FieldErrorPart)]),
}

/// A member of an object that describes a field error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldErrorPart {
    /// The location of the field, as FastAPI writes it: `["body", "items", 0, "name"]`.
    Location,
    /// The location as strings only: `["body", "items", "0", "name"]`.
    LocationTexts,
    /// `path`, `query`, `header`, `cookie` or `body`.
    Place,
    /// The path of the field: `items[0].name`.
    Path,
    /// The path of the field as a JSON pointer (RFC 6901): `/items/0/name`.
    Pointer,
    /// The error message.
    Message,
    /// `missing` for a missing required field, and `value_error` otherwise.
    Kind,
    /// A constant JSON text.
    Fixed(&'static str),
}

impl FieldErrorFormat {
    /// Returns the errors of all fields as a list; `None` for the format [`Self::Map`].
    pub(super) fn list(self, fields: &[FieldError]) -> Option<Json> {
        match self {
            Self::Map => None,
            Self::Lists => Some(lists(fields)),
            Self::Texts => Some(fields.iter().map(sentence).map(Json::from).collect()),
            Self::Objects(members) => Some(
                fields
                    .iter()
                    .map(|field| {
                        let members = members.iter();
                        let member = |(name, part): &(&str, FieldErrorPart)| {
                            ((*name).to_owned(), part.value_of(field))
                        };
                        Json::Object(members.map(member).collect())
                    })
                    .collect(),
            ),
        }
    }
}

/// Returns one field error as text: `name: is required`.
pub(super) fn sentence(FieldError { field, message, .. }: &FieldError) -> String {
    format!("{field}: {message}")
}

fn lists(fields: &[FieldError]) -> Json {
    let mut all = serde_json::Map::new();
    for FieldError { field, message, .. } in fields {
        let known = all
            .entry(field.as_str())
            .or_insert_with(|| Json::from([""; 0].as_slice()));
        if let Json::Array(known) = known {
            known.push(Json::from(message.as_str()));
        }
    }
    Json::Object(all)
}

impl FieldErrorPart {
    fn value_of(self, error: &FieldError) -> Json {
        match self {
            Self::Location => location(error).map(Step::json).collect(),
            Self::LocationTexts => location(error)
                .map(|step| Json::from(step.text()))
                .collect(),
            Self::Place => Json::from(place(error)),
            Self::Path => Json::from(error.field.as_str()),
            Self::Pointer => {
                let pointer = steps(error).map(|step| {
                    let text = step.text().replace('~', "~0").replace('/', "~1");
                    format!("/{text}")
                });
                Json::from(pointer.collect::<String>())
            }
            Self::Message => Json::from(error.message.as_str()),
            Self::Kind => Json::from(match error.message.starts_with("is required") {
                true => "missing",
                false => "value_error",
            }),
            Self::Fixed(json) => serde_json::from_str(json).unwrap_or_default(),
        }
    }
}

/// Returns the place of a field. The default is the body, which is what handlers validate.
fn place(error: &FieldError) -> &'static str {
    match error.place {
        "" => BODY,
        "querystring" => "query",
        place => place,
    }
}

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Name(&'a str),
    Index(&'a str, u64),
}

impl Step<'_> {
    fn json(self) -> Json {
        match self {
            Self::Name(name) => Json::from(name),
            Self::Index(_, index) => Json::from(index),
        }
    }

    const fn text(&self) -> &str {
        match self {
            Self::Name(name) | Self::Index(name, _) => name,
        }
    }
}

fn location(error: &FieldError) -> impl Iterator<Item = Step<'_>> {
    std::iter::once(Step::Name(place(error))).chain(steps(error))
}

/// Returns the steps of `items[0].name`; no steps for the body itself.
fn steps(error: &FieldError) -> impl Iterator<Item = Step<'_>> {
    let whole = error.field == BODY && place(error) == BODY;
    let field = if whole { "" } else { error.field.as_str() };
    field
        .split(['.', '['])
        .filter(|step| !step.is_empty())
        .map(|step| match step.strip_suffix(']') {
            None => Step::Name(step),
            Some(inside) => inside
                .parse()
                .map_or(Step::Name(inside), |index| Step::Index(inside, index)),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn field_locations_are_formatted() {
        for (place, field, location, pointer) in [
            ("query", "limit", json!(["query", "limit"]), "/limit"),
            ("body", "a[0].b", json!(["body", "a", 0, "b"]), "/a/0/b"),
            ("body", "[2][3]", json!(["body", 2, 3]), "/2/3"),
            ("body", "body", json!(["body"]), ""),
            ("", "name", json!(["body", "name"]), "/name"),
            ("path", "body", json!(["path", "body"]), "/body"),
            ("body", "a/b~c", json!(["body", "a/b~c"]), "/a~1b~0c"),
            ("query", "p[x]", json!(["query", "p", "x"]), "/p/x"),
            ("body", "", json!(["body"]), ""),
        ] {
            let error = FieldError::new(field, "is wrong").placed(place);
            assert_eq!(
                FieldErrorPart::Location.value_of(&error),
                location,
                "{field}"
            );
            assert_eq!(
                FieldErrorPart::Pointer.value_of(&error),
                json!(pointer),
                "{field}"
            );
        }
    }
}
