//! Values as small trees of texts.

use crate::values::WireError;
use crate::values::decimal::Decimal;
use crate::values::enums::{literal_text, same, same_text};
use crate::values::{Binary, Json};
use serde::de::Unexpected;

/// A value as a small tree of texts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// Null.
    Null,
    /// A number, `true` or `false`, whose text is also its JSON.
    Bare(String),
    /// A number, `true` or `false` from JSON.
    Scalar(Json),
    /// A number from JSON as it is written: with a fraction or an exponent, or with more digits
    /// than 64 bits can represent.
    Decimal(String),
    /// A string, or a text whose type is not known.
    Text(String),
    /// A text at a place where an object can be written only as JSON.
    Field(String),
    /// A list.
    List(Vec<Node>),
    /// All values under one name, which may occur once or several times.
    Repeated(Vec<Node>),
    /// Numbers and values: a list, or an object with numbers as names.
    Numbered(Vec<(String, Node)>),
    /// Names and values, in their order.
    Object(Vec<(String, Node)>),
    /// Bytes with a name and a media type.
    File(Box<Binary>),
}

impl Node {
    /// Converts JSON, which distinguishes numbers from strings.
    pub(crate) fn from_json(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Number(number) if !number.is_u64() && !number.is_i64() => {
                Self::number(&number.to_string())
            }
            Json::Bool(_) | Json::Number(_) => Self::Scalar(json),
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(items.into_iter().map(Self::from_json).collect()),
            Json::Object(fields) => Self::Object(
                fields
                    .into_iter()
                    .map(|(key, value)| (key, Self::from_json(value)))
                    .collect(),
            ),
        }
    }

    /// Converts the text of a JSON number.
    pub(crate) fn number(text: &str) -> Self {
        let unsigned = text.parse::<u64>().map(Json::from);
        let whole = unsigned.or_else(|_| text.parse::<i64>().map(Json::from));
        match whole {
            // `-0` has to keep its sign.
            Ok(whole) if text != "-0" => Self::Scalar(whole),
            _ => Self::Decimal(text.to_owned()),
        }
    }

    /// Returns the number of a JSON number, as far as an `f64` can represent it.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Scalar(json) => json.as_f64(),
            Self::Decimal(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Converts to JSON; bytes that are not UTF-8 are converted lossily.
    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Scalar(json) => json.clone(),
            // serde_json rejects only numbers out of range; no type accepts the resulting string as
            // a number.
            Self::Bare(text) | Self::Decimal(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| text.clone().into())
            }
            Self::Text(text) | Self::Field(text) => text.clone().into(),
            Self::List(items) | Self::Repeated(items) => items.iter().map(Self::to_json).collect(),
            Self::Numbered(fields) | Self::Object(fields) => {
                let members = fields.iter();
                let members = members.map(|(key, value)| (key.clone(), value.to_json()));
                Json::Object(members.collect())
            }
            Self::File(file) => String::from_utf8_lossy(&file.data).into_owned().into(),
        }
    }

    /// Returns the number of scalars, lists and objects in the tree.
    pub(crate) fn count(&self) -> u64 {
        let within: u64 = match self {
            Self::List(items) | Self::Repeated(items) => items.iter().map(Self::count).sum(),
            Self::Numbered(fields) | Self::Object(fields) => {
                fields.iter().map(|(_, value)| value.count()).sum()
            }
            _ => 0,
        };
        within.saturating_add(1)
    }

    /// Returns whether the tree is null, a text, or a list or an object of such values.
    pub(crate) fn is_settled(&self) -> bool {
        match self {
            Self::Null | Self::Text(_) => true,
            Self::List(items) => items.iter().all(Self::is_settled),
            Self::Object(fields) => fields.iter().all(|(_, value)| value.is_settled()),
            _ => false,
        }
    }

    /// Returns the tree with every ambiguous node resolved, for a type that accepts any value. All
    /// scalars become texts.
    pub(crate) fn settled(&self) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Bare(text) | Self::Text(text) => Self::Text(text.clone()),
            Self::Scalar(json) => Self::Text(literal_text(json)),
            Self::Decimal(text) => Self::Text(text.clone()),
            Self::Field(text) => match serde_json::from_str::<Json>(text) {
                Ok(json @ (Json::Object(_) | Json::Array(_))) => Self::from_json(json).settled(),
                _ => Self::Text(text.clone()),
            },
            Self::Repeated(items) if items.len() == 1 => {
                items.first().map_or(Self::Null, Self::settled)
            }
            Self::List(items) | Self::Repeated(items) => {
                Self::List(items.iter().map(Self::settled).collect())
            }
            Self::Numbered(fields) => {
                Self::List(fields.iter().map(|(_, value)| value.settled()).collect())
            }
            Self::Object(fields) => Self::Object(
                fields
                    .iter()
                    .map(|(key, value)| (key.clone(), value.settled()))
                    .collect(),
            ),
            Self::File(file) => match std::str::from_utf8(&file.data) {
                Ok(text) if file.is_json() => Self::Field(text.to_owned()).settled(),
                Ok(text) => Self::Text(text.to_owned()),
                Err(_) => self.clone(),
            },
        }
    }

    /// Returns the value of a key of an object. If a name is repeated, the last value counts, as is
    /// usual for JSON.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => {
                let mut fields = fields.iter().rev();
                fields
                    .find(|(known, _)| known == key)
                    .map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns whether the node is this scalar; if every scalar is a text, the texts are compared.
    pub(crate) fn is_literal(&self, literal: &Json, text: bool) -> bool {
        match self {
            Self::Null => literal.is_null(),
            Self::Scalar(json) => same(literal, json),
            Self::Decimal(own) => same_text(literal, own),
            Self::Text(own) if text => literal_text(literal) == *own || same_text(literal, own),
            Self::Text(own) => literal.as_str() == Some(own),
            _ => false,
        }
    }

    /// Returns the node as an integer by JSON Schema: `1.0` is an integer (Validation, section
    /// 6.1.1).
    pub(crate) fn whole(&self) -> Whole {
        match self {
            Self::Scalar(Json::Number(number)) => {
                let int = number.as_i64().map(i128::from);
                match int.or_else(|| number.as_u64().map(i128::from)) {
                    Some(int) => Whole::Is(int),
                    None => of_float(number.as_f64().unwrap_or(f64::NAN)),
                }
            }
            Self::Bare(text) | Self::Decimal(text) => Whole::new(text),
            _ => Whole::Not,
        }
    }

    /// Returns the description of the node for a type error.
    pub(crate) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Scalar(Json::Bool(value)) => Unexpected::Bool(*value),
            Self::Scalar(json) => match (json.as_u64(), json.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (_, Some(value)) => Unexpected::Signed(value),
                _ => Unexpected::Float(json.as_f64().unwrap_or_default()),
            },
            Self::Decimal(text) => Unexpected::Float(text.parse().unwrap_or_default()),
            Self::Bare(text) | Self::Text(text) | Self::Field(text) => Unexpected::Str(text),
            Self::List(_) | Self::Repeated(_) | Self::Numbered(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
            Self::File(file) => Unexpected::Bytes(&file.data),
        }
    }

    /// Returns the tree as JSON text.
    pub(crate) fn json(&self) -> Result<String, WireError> {
        let mut out = String::new();
        self.write_json(&mut out)?;
        Ok(out)
    }

    fn write_json(&self, out: &mut String) -> Result<(), WireError> {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bare(text) | Self::Decimal(text) => out.push_str(text),
            Self::Scalar(json) => out.push_str(&literal_text(json)),
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

    /// Returns the text of a scalar; any other node is written as JSON.
    pub(crate) fn text(&self) -> Result<String, WireError> {
        match self {
            Self::Null => Ok(String::new()),
            Self::Scalar(json) => Ok(literal_text(json)),
            Self::Bare(text) | Self::Decimal(text) | Self::Text(text) | Self::Field(text) => {
                Ok(text.clone())
            }
            Self::File(file) => file_text(file).map(str::to_owned),
            Self::List(_) | Self::Repeated(_) | Self::Numbered(_) | Self::Object(_) => self.json(),
        }
    }

    /// Returns whether the node is undefined by RFC 6570: null, or a list or an object of nulls.
    pub(crate) fn is_undefined(&self) -> bool {
        match self {
            Self::Null => true,
            Self::List(items) => items.iter().all(|item| matches!(item, Self::Null)),
            Self::Object(fields) => fields.iter().all(|(_, value)| matches!(value, Self::Null)),
            _ => false,
        }
    }
}

/// A number as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// An integer.
    Is(i128),
    /// An integer that no type can represent.
    TooLarge,
    /// Not an integer.
    Not,
}

impl Whole {
    /// Parses a JSON number.
    pub(crate) fn new(text: &str) -> Self {
        match Decimal::parse(text) {
            Some(decimal) if decimal.is_whole() => {
                decimal.to_int().map_or(Self::TooLarge, Self::Is)
            }
            _ => Self::Not,
        }
    }
}

/// Below this, an `f64` represents every integer exactly; from here on the `f64` may be a
/// neighbour, and the text decides.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[allow(clippy::cast_possible_truncation)]
fn of_float(number: f64) -> Whole {
    match number.fract() == 0.0 && number.abs() < EXACT {
        true => Whole::Is(number as i128),
        false => Whole::Not,
    }
}

fn push_string(out: &mut String, text: &str) {
    // Serializing a string as JSON never fails.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn file_text(file: &Binary) -> Result<&str, WireError> {
    std::str::from_utf8(&file.data)
        .map_err(|_| WireError::new("bytes that are not text can only be a body or a part of one"))
}
