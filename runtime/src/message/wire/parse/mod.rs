//! Parsing of a parameter's style by the type of its value.
//!
//! The same text can be one value or several, which only the type determines. The text is therefore
//! kept until the type requests a scalar, a list or an object.

mod ask;
mod raw_values;
mod split;
mod spread;

use crate::message::wire::notation::{Notation, Param, Place};
use crate::message::wire::percent::decode;
use crate::message::wire::query::Pairs;
use crate::message::wire::{cookie, header};
use crate::values::read::members::{self, Members};
use crate::values::read::{Arena, FieldErrors, ReadAs, State, gather, json};
use crate::values::{Node, Strictness, WireError};
use http::HeaderMap;

use ask::Asking;
use raw_values::RawValues;
pub(crate) use split::Encoded;
use spread::Names;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

/// The sources of a request's parameters.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    /// The values of the path variables, undecoded.
    pub(crate) path: &'a [(&'static str, Cow<'a, str>)],
    pub(crate) query: &'a Pairs<'a>,
    /// The query, undecoded.
    pub(crate) whole_query: &'a str,
    pub(crate) headers: &'a HeaderMap,
    /// The locations and names of all parameters.
    pub(crate) declared: &'static [(&'static str, &'static str)],
    pub(crate) encoded: Encoded,
    pub(crate) strictness: Strictness,
}

/// The kind of value that a type requests.
#[derive(Clone, Copy)]
pub(super) enum Ask {
    Scalar,
    List,
    Struct(&'static [&'static str]),
    Map,
    Any,
}

/// Decodes a parameter with a name.
pub(super) fn read<T, R: ReadAs<T>>(
    param: Param,
    key: &'static str,
    sources: &Sources<'_>,
) -> Result<T, FieldErrors> {
    let source = ParamSource::new(param, key, sources)?;
    if param.form == Notation::Json {
        return json::<T, R>(&source.scalar()?, sources.strictness);
    }
    let (read, lost) = source.read::<T, R>();
    match read {
        // The pairs that were taken for the object belong to no parameter, so the object is absent.
        Err(_) if source.is_guessed.get() => Err(WireError::absent().into()),
        Err(field_errors) if source.has_two_readings() => {
            let (other, _) = source.other_reading().read::<T, R>();
            other.map_err(|_| field_errors)
        }
        // If an open enum does not list some items, the other interpretation of commas may yield
        // listed ones.
        Ok(value) if lost > 0 && source.has_two_readings() => {
            let (other, less) = source.other_reading().read::<T, R>();
            Ok(other.ok().filter(|_| less < lost).unwrap_or(value))
        }
        read => read,
    }
}

/// A parameter before it is decoded.
pub(super) struct ParamSource<'a> {
    param: Param,
    key: &'static str,
    /// The values under the name, still encoded.
    values: RawValues<'a>,
    /// All pairs of the same location, for objects that are spread over it.
    pairs: Cow<'a, Pairs<'a>>,
    declared: &'static [(&'static str, &'static str)],
    encoded: Encoded,
    strictness: Strictness,
    /// Whether no pair has the parameter's name, so that all undeclared pairs are taken for an
    /// object, although there may be none.
    is_guessed: Cell<bool>,
}

impl<'a> ParamSource<'a> {
    pub(super) fn new(
        param: Param,
        key: &'static str,
        sources: &Sources<'a>,
    ) -> Result<Self, WireError> {
        let pairs = match param.place {
            Place::Query => Cow::Borrowed(sources.query),
            Place::Cookie => Cow::Owned(cookies(sources.headers, param.form == Notation::Cookie)?),
            Place::Path | Place::Header | Place::QueryString => Cow::Owned(Vec::new()),
        };
        let values = match param.place {
            Place::Path => {
                let variables = sources.path.iter().filter(|(name, _)| *name == key);
                let values = variables.map(|(_, value)| Cow::Borrowed(&**value));
                // A template may contain a variable twice, with the same value.
                values.collect::<RawValues<'_>>().without_repetition()
            }
            Place::Header => {
                let texts: Option<Vec<&str>> = header::texts(sources.headers, key).collect();
                let texts = texts.ok_or_else(|| WireError::new("is not UTF-8"))?;
                header::values(key, param, texts).into_iter().collect()
            }
            Place::Query | Place::QueryString | Place::Cookie => {
                let found = pairs.iter().filter(|(name, _)| name == key);
                found.map(|(_, value)| Cow::Borrowed(*value)).collect()
            }
        };
        Ok(Self {
            param,
            key,
            values,
            pairs,
            declared: sources.declared,
            encoded: sources.encoded,
            strictness: sources.strictness,
            is_guessed: Cell::new(false),
        })
    }

    /// Reads the value, and returns the number of members that it does not keep.
    fn read<T, R: ReadAs<T>>(&self) -> (Result<T, FieldErrors>, u64) {
        let arena = Arena::default();
        let state = State::tree(&arena, self.strictness);
        let asked = OnceCell::new();
        let read = gather(&state, || {
            members::begin(&state);
            let asking = Asking {
                source: self,
                state: &state,
                asked: &asked,
            };
            R::read(asking, &state)
        });
        (read, state.lost().count())
    }

    fn text<'r>(&self, raw: &'r str) -> Result<Cow<'r, str>, WireError> {
        let plus = self.param.place == Place::Query;
        if self.param.place == Place::Header || self.param.form == Notation::Cookie {
            return Ok(raw.into());
        }
        decode(raw, plus).map_err(|_| WireError::new("is badly encoded"))
    }

    fn item(&self, raw: &str) -> Result<Node, WireError> {
        let raw = if self.param.place == Place::Header {
            raw.trim_matches([' ', '\t'])
        } else {
            raw
        };
        self.text(raw).map(|text| Node::Field(text.into_owned()))
    }

    /// Returns the only value, without the prefix of its style.
    fn only_value(&self) -> Result<&str, WireError> {
        let value = match &*self.values {
            [] => return Err(WireError::absent()),
            [value] => value,
            _ => return Err(WireError::new("is given more than once")),
        };
        let wrong = || WireError::new("is not in the style of this parameter");
        match self.param.form {
            Notation::Label => value.strip_prefix('.').ok_or_else(wrong),
            Notation::Matrix => value.strip_prefix(';').ok_or_else(wrong),
            _ => Ok(value),
        }
    }

    /// Returns the value after its name, if the style writes the name.
    fn named(&self) -> Result<&str, WireError> {
        let value = self.only_value()?;
        if self.param.form != Notation::Matrix {
            return Ok(value);
        }
        let (name, value) = value.split_once('=').unwrap_or((value, ""));
        if self.text(name)? == self.key {
            Ok(value)
        } else {
            Err(WireError::new("is not under its name"))
        }
    }

    fn scalar(&self) -> Result<Cow<'_, str>, WireError> {
        if self.param.place != Place::Header {
            return self.text(self.named()?);
        }
        match header::as_one(self.key, &self.values) {
            Some(whole) => Ok(whole.into()),
            _ => self.text(self.named()?),
        }
    }

    const fn spreads(&self) -> bool {
        matches!(
            self.param.form,
            Notation::Form | Notation::Cookie | Notation::Deep
        ) && self.param.exploded()
            || matches!(self.param.form, Notation::Deep)
    }

    pub(super) fn node(&self, ask: Ask, members: &Members) -> Result<Node, WireError> {
        if self.param.form == Notation::Deep {
            return self.deep();
        }
        match ask {
            Ask::Scalar => Ok(Node::Text(self.scalar()?.into_owned())),
            Ask::List => self.list(),
            Ask::Struct(keys) => self.object(Names::These(keys)),
            Ask::Map => self.object(Names::Others),
            Ask::Any => self.any(members),
        }
    }

    fn list(&self) -> Result<Node, WireError> {
        let explode = self.param.exploded();
        let raw: Vec<&str> = match (self.param.place, self.param.form) {
            (Place::Query | Place::Cookie, _) if explode => {
                if self.values.is_empty() {
                    return Err(WireError::absent());
                }
                self.values.iter().map(AsRef::as_ref).collect()
            }
            (_, Notation::Matrix) if explode => {
                let mut items = Vec::new();
                for item in self.only_value()?.split(';') {
                    let (name, value) = item.split_once('=').unwrap_or((item, ""));
                    if self.text(name)? != self.key {
                        return Err(WireError::new("is not under its name"));
                    }
                    items.push(value);
                }
                items
            }
            (Place::Header, _) if header::is_line_by_line(self.key) => {
                if self.values.is_empty() {
                    return Err(WireError::absent());
                }
                self.values.iter().map(AsRef::as_ref).collect()
            }
            _ => self.split(self.named()?),
        };
        raw.into_iter()
            .map(|item| self.item(item))
            .collect::<Result<_, _>>()
            .map(Node::List)
    }

    fn object(&self, names: Names<'_>) -> Result<Node, WireError> {
        let explode = self.param.exploded();
        if explode && matches!(self.param.place, Place::Query | Place::Cookie) {
            return self.spread(names);
        }
        let mut fields = Vec::new();
        if explode {
            let value = self.only_value()?;
            // Each field has its own `=`, so an encoded comma is part of a value.
            let parts: Vec<&str> = match self.has_encoded_commas() {
                true => value.split(',').collect(),
                false => self.split(value),
            };
            for field in parts {
                let (key, value) = field.split_once('=').unwrap_or((field, ""));
                fields.push((self.item(key)?.text()?, self.item(value)?));
            }
        } else {
            let items = self.split(self.named()?);
            let (pairs, odd) = items.as_chunks::<2>();
            if !odd.is_empty() {
                return Err(WireError::new("has a name without a value"));
            }
            for [key, value] in pairs {
                fields.push((self.item(key)?.text()?, self.item(value)?));
            }
        }
        Ok(Node::Object(fields))
    }

    /// Parses a value for a type that accepts any kind.
    fn any(&self, members: &Members) -> Result<Node, WireError> {
        if self.values.is_empty() {
            let tagged = |(name, _): &(Cow<'_, str>, &str)| members.tags.contains(&&**name);
            return if !self.spreads() {
                Err(WireError::absent())
            } else if self.pairs.iter().any(tagged) {
                self.spread(Names::Others)
            } else if members.any {
                self.is_guessed.set(members.is_declared);
                self.spread(Names::Others)
            } else {
                self.spread(Names::These(&members.keys))
            };
        }
        match self.list()? {
            Node::List(mut items) if items.len() == 1 => match items.pop().unwrap_or(Node::Null) {
                Node::Field(text) => Ok(Node::Text(text)),
                other => Ok(other),
            },
            other => Ok(other),
        }
    }
}

fn cookies(headers: &HeaderMap, raw: bool) -> Result<Pairs<'_>, WireError> {
    let mut pairs = Vec::new();
    for text in header::texts(headers, "cookie") {
        let text = text.ok_or_else(|| WireError::new("is not UTF-8"))?;
        pairs.extend(cookie::pairs(text, raw));
    }
    Ok(pairs)
}
