//! A value as a small tree of texts.

use super::WireError;
use crate::{Binary, Json};

/// A value as a small tree of texts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// Nothing.
    Null,
    /// A number, `true` or `false`: the text is JSON too.
    Bare(String),
    /// A string, or a text of which it is not known what it is.
    Text(String),
    /// A text in a place where an object can only be written as JSON.
    Field(String),
    /// Several.
    List(Vec<Node>),
    /// All that came under one name, once or more often.
    Repeated(Vec<Node>),
    /// Numbers and values: a list, or an object with numbers for names.
    Numbered(Vec<(String, Node)>),
    /// Names and values, in their order.
    Object(Vec<(String, Node)>),
    /// Bytes with a name and a type.
    File(Box<Binary>),
}

impl Node {
    /// JSON whose scalars are texts.
    pub(crate) fn from_texts(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(_) | Json::Number(_) => Self::Text(json.to_string()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(items) => Self::List(items.iter().map(Self::from_texts).collect()),
            Json::Object(fields) => Self::Object(
                fields
                    .iter()
                    .map(|(key, value)| (key.clone(), Self::from_texts(value)))
                    .collect(),
            ),
        }
    }

    /// The tree as JSON text.
    pub(crate) fn json(&self) -> Result<String, WireError> {
        let mut out = String::new();
        self.write_json(&mut out)?;
        Ok(out)
    }

    fn write_json(&self, out: &mut String) -> Result<(), WireError> {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bare(text) => out.push_str(text),
            Self::Text(text) | Self::Field(text) => push_string(out, text),
            Self::File(file) => push_string(out, file_text(file)?),
            Self::List(items) | Self::Repeated(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write_json(out)?;
                }
                out.push(']');
            }
            Self::Object(fields) | Self::Numbered(fields) => {
                out.push('{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    push_string(out, key);
                    out.push(':');
                    value.write_json(out).map_err(|error| error.within(key))?;
                }
                out.push('}');
            }
        }
        Ok(())
    }

    /// The text of a scalar; what has no text of its own is written as JSON.
    pub(crate) fn text(&self) -> Result<String, WireError> {
        match self {
            Self::Null => Ok(String::new()),
            Self::Bare(text) | Self::Text(text) | Self::Field(text) => Ok(text.clone()),
            Self::File(file) => file_text(file).map(str::to_owned),
            Self::List(_) | Self::Repeated(_) | Self::Numbered(_) | Self::Object(_) => self.json(),
        }
    }

    /// The only one of what may come more often.
    pub(crate) fn single(self) -> Result<Self, WireError> {
        match self {
            Self::Repeated(mut items) => match (items.pop(), items.is_empty()) {
                (Some(item), true) => Ok(item),
                (Some(_), false) => Err(WireError::new("is given more than once")),
                (None, _) => Err(WireError::absent()),
            },
            other => Ok(other),
        }
    }

    /// Whether it is undefined in the sense of RFC 6570: null, or nothing but that.
    pub(crate) fn is_undefined(&self) -> bool {
        match self {
            Self::Null => true,
            Self::List(items) => items.iter().all(|item| matches!(item, Self::Null)),
            Self::Object(fields) => fields.iter().all(|(_, value)| matches!(value, Self::Null)),
            _ => false,
        }
    }
}

fn push_string(out: &mut String, text: &str) {
    // A string is always JSON.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn file_text(file: &Binary) -> Result<&str, WireError> {
    std::str::from_utf8(&file.data)
        .map_err(|_| WireError::new("bytes that are not text can only be a body or a part of one"))
}
