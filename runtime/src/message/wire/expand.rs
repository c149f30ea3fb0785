//! Serialization of a tree in a style: RFC 6570 and the additions of OpenAPI.
//!
//! An undefined value as defined by RFC 6570 (null, an empty list or object) is omitted; an empty
//! string is present and empty. A value for which a style has no rule, an object or a list inside
//! of a list, is written as JSON text.

use crate::message::wire::notation::{Notation, Param, Place};
use crate::message::wire::percent::{Keep, encode, encode_into};
use crate::values::{Node, WireError};

/// A serialized parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expanded {
    /// One text, for a path or a header.
    Text(String),
    /// Encoded names and values, for a query or cookies.
    Pairs(Vec<(String, String)>),
}

impl Expanded {
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Pairs(_) => String::new(),
        }
    }
}

/// How the texts of a parameter are encoded.
#[derive(Clone, Copy)]
enum Coding {
    Percent(Keep),
    /// Unencoded. A text with a delimiter is an error, and so is a text with space at its ends,
    /// which is insignificant next to a delimiter.
    Raw(&'static [u8]),
}

impl Coding {
    fn new(param: Param, segment: Option<&'static str>) -> Self {
        match (param.place, param.form) {
            (Place::Header, _) => Self::Raw(b""),
            (_, Notation::Cookie) => Self::Raw(b";"),
            (Place::Path, _) if param.reserved => {
                Self::Percent(Keep::PATH.but_literals_of(segment))
            }
            (Place::Path, _) => Self::Percent(Keep::UNRESERVED.but_literals_of(segment)),
            _ if param.reserved => Self::Percent(Keep::QUERY),
            _ => Self::Percent(Keep::UNRESERVED),
        }
    }

    /// Returns the coding of an item in a list, which cannot contain the delimiter.
    fn beside(self, mark: &'static [u8]) -> Self {
        match self {
            Self::Percent(keep) => Self::Percent(keep.but(mark)),
            Self::Raw(_) => Self::Raw(mark),
        }
    }

    fn text(self, text: &str) -> Result<String, WireError> {
        match self {
            Self::Percent(keep) => Ok(encode(text, keep)),
            Self::Raw(marks) => {
                let mark = text
                    .chars()
                    .find(|character| marks.iter().any(|mark| char::from(*mark) == *character));
                let space = || {
                    let mut ends = text
                        .chars()
                        .next()
                        .into_iter()
                        .chain(text.chars().next_back());
                    ends.find(|character| matches!(character, ' ' | '\t'))
                };
                match mark.or_else(|| if marks.is_empty() { None } else { space() }) {
                    Some(character) => Err(mistakable(character)),
                    None => Ok(text.to_owned()),
                }
            }
        }
    }

    fn node(self, node: &Node) -> Result<String, WireError> {
        self.text(&node.text()?)
    }
}

fn mistakable(character: char) -> WireError {
    WireError::new(format!(
        "{character:?} in a value would be taken for what stands between values"
    ))
}

/// Serializes a parameter with a name; `None` if it is undefined. `template` is the segment of the path.
pub(super) fn expand(
    param: Param,
    key: &str,
    node: &Node,
    template: &'static str,
) -> Result<Option<Expanded>, WireError> {
    let segment = match param.place {
        Place::Path => crate::message::wire::template::crowded_segment(template, key),
        _ => None,
    };
    let coding = Coding::new(param, segment);
    if param.form == Notation::Json {
        let text = coding.text(&node.json()?)?;
        return Ok(Some(match param.place {
            Place::Path | Place::Header => Expanded::Text(text),
            _ => Expanded::Pairs(vec![(name(param, key)?, text)]),
        }));
    }
    if node.is_undefined() {
        return Ok(None);
    }
    match param.place {
        Place::Path | Place::Header => {
            let text = one_text(param, key, node, coding)?;
            if text.is_empty() && param.place == Place::Path {
                return Err(WireError::new(
                    "an empty string cannot be written in a path",
                ));
            }
            if segment
                .is_some_and(|segment| crate::message::wire::template::clashes(&text, segment))
            {
                let why = "what stands between its values is also in the path beside it";
                return Err(WireError::new(why));
            }
            Ok(Expanded::Text(text))
        }
        _ => pairs(param, key, node, coding).map(Expanded::Pairs),
    }
    .map(Some)
}

fn name(param: Param, key: &str) -> Result<String, WireError> {
    match param.form {
        Notation::Cookie => cookie_name(key),
        _ => Ok(encode(key, Keep::UNRESERVED)),
    }
}

/// Returns a name without encoding it; a name that a cookie cannot have is an error.
fn cookie_name(key: &str) -> Result<String, WireError> {
    if crate::message::wire::cookie::is_name(key) {
        return Ok(key.to_owned());
    }
    Err(WireError::new("this cannot be the name of a cookie"))
}

fn one_text(param: Param, key: &str, node: &Node, coding: Coding) -> Result<String, WireError> {
    let explode = param.exploded();
    let name = name(param, key)?;
    let in_header = param.place == Place::Header;
    let (first, mark, marks): (&str, &str, &'static [u8]) = match (param.form, explode) {
        (Notation::Space, false) if in_header => ("", " ", b" "),
        (Notation::Pipe, false) if in_header => ("", "|", b"|"),
        (Notation::Tab, false) if in_header => ("", "\t", b"\t"),
        (Notation::Space | Notation::Pipe | Notation::Tab, false) => ("", delimiter(param), b""),
        (Notation::Label, true) => (".", ".", b"."),
        (Notation::Label, false) => (".", ",", b","),
        (Notation::Matrix, true) => (";", ";", b";,"),
        (Notation::Matrix, false) => (";", ",", b","),
        _ => ("", ",", b","),
    };
    let named = param.form == Notation::Matrix;
    let mut out = first.to_owned();
    match node {
        Node::List(items) => {
            refuse_delimiter(param, items)?;
            let items = texts(items, coding.beside(marks))?;
            let items: Vec<String> = if named && explode {
                items.into_iter().map(|item| assign(&name, &item)).collect()
            } else {
                items
            };
            push_named(&mut out, named && !explode, &name);
            out.push_str(&items.join(mark));
        }
        Node::Object(fields) => {
            for (key, value) in fields {
                refuse_delimiter(param, &[Node::Text(key.clone()), value.clone()])?;
            }
            let fields = fields_of(fields, coding.beside(marks), explode)?;
            let equals = if explode { "=" } else { mark };
            let fields: Vec<String> = fields
                .into_iter()
                .map(|(key, value)| format!("{key}{equals}{value}"))
                .collect();
            push_named(&mut out, named && !explode, &name);
            out.push_str(&fields.join(mark));
        }
        scalar if named => out.push_str(&assign(&name, &coding.node(scalar)?)),
        scalar => {
            let text = coding.node(scalar)?;
            out.push_str(&text);
        }
    }
    Ok(out)
}

fn push_named(out: &mut String, named: bool, name: &str) {
    if named {
        out.push_str(name);
        out.push('=');
    }
}

/// Returns `name=value`, and `name` alone for an empty value.
fn assign(name: &str, value: &str) -> String {
    if value.is_empty() {
        name.to_owned()
    } else {
        format!("{name}={value}")
    }
}

fn pairs(
    param: Param,
    key: &str,
    node: &Node,
    coding: Coding,
) -> Result<Vec<(String, String)>, WireError> {
    let name = name(param, key)?;
    if param.form == Notation::Deep {
        let mut out = Vec::new();
        deep(&mut out, &name, node, coding)?;
        return Ok(out);
    }
    let explode = param.exploded();
    match node {
        Node::List(items) if explode => Ok(texts(items, coding)?
            .into_iter()
            .map(|item| (name.clone(), item))
            .collect()),
        Node::Object(fields) if explode => {
            let mut out = Vec::new();
            for (key, value) in fields {
                let items = match value {
                    Node::Null => &[],
                    Node::List(items) => items.as_slice(),
                    item => std::slice::from_ref(item),
                };
                for item in texts(items, coding).map_err(|error| error.within(key))? {
                    out.push((self::name(param, key)?, item));
                }
            }
            Ok(out)
        }
        Node::List(items) => Ok(vec![(
            name,
            flat(param, texts_checked(param, items, coding)?),
        )]),
        Node::Object(fields) => {
            let mut items = Vec::new();
            for (key, value) in fields {
                if !matches!(value, Node::Null) {
                    items.push(Node::Text(key.clone()));
                    items.push(value.clone());
                }
            }
            Ok(vec![(
                name,
                flat(param, texts_checked(param, &items, coding)?),
            )])
        }
        scalar => Ok(vec![(name, coding.node(scalar)?)]),
    }
}

fn flat(param: Param, items: Vec<String>) -> String {
    items.join(delimiter(param))
}

/// Returns the delimiter between the items of one value, for encoded values.
const fn delimiter(param: Param) -> &'static str {
    match param.form {
        Notation::Space => "%20",
        Notation::Pipe => "%7C",
        Notation::Tab => "%09",
        _ => ",",
    }
}

/// Returns an error for items that contain the delimiter of the style (space, pipe or tab):
/// encoded, both look the same.
fn refuse_delimiter(param: Param, items: &[Node]) -> Result<(), WireError> {
    let mark = match param.form {
        Notation::Space => ' ',
        Notation::Pipe => '|',
        Notation::Tab => '\t',
        _ => return Ok(()),
    };
    for item in items {
        if item.text()?.contains(mark) {
            return Err(mistakable(mark));
        }
    }
    Ok(())
}

/// Returns the texts of the items of a list in one value, which cannot contain the delimiter.
fn texts_checked(param: Param, items: &[Node], coding: Coding) -> Result<Vec<String>, WireError> {
    refuse_delimiter(param, items)?;
    let marks: &[u8] = match param.form {
        Notation::Space | Notation::Pipe | Notation::Tab => return texts(items, coding),
        Notation::Cookie => b",;",
        _ => b",",
    };
    texts(items, coding.beside(marks))
}

fn texts(items: &[Node], coding: Coding) -> Result<Vec<String>, WireError> {
    items
        .iter()
        .filter(|item| !matches!(item, Node::Null))
        .map(|item| coding.node(item))
        .collect()
}

/// Returns names and values. In an exploded style, a name ends at its `=`.
fn fields_of(
    fields: &[(String, Node)],
    coding: Coding,
    explode: bool,
) -> Result<Vec<(String, String)>, WireError> {
    let key_coding = match coding {
        Coding::Percent(keep) if explode => Coding::Percent(keep.also_but(b"=")),
        Coding::Raw(_) if explode => Coding::Raw(b",="),
        other => other,
    };
    fields
        .iter()
        .filter(|(_, value)| !matches!(value, Node::Null))
        .map(|(key, value)| {
            let value = coding.node(value).map_err(|error| error.within(key))?;
            Ok((key_coding.text(key)?, value))
        })
        .collect()
}

/// Appends `name[key][key]=value`. The items of a list have empty brackets if all of them are scalars, and numbers
/// otherwise.
fn deep(
    out: &mut Vec<(String, String)>,
    name: &str,
    node: &Node,
    coding: Coding,
) -> Result<(), WireError> {
    match node {
        Node::Null => {}
        Node::Object(fields) => {
            for (key, value) in fields {
                if key.is_empty() || key.contains(['[', ']']) {
                    return Err(WireError::new("such a name cannot be in brackets").within(key));
                }
                deep(out, &within(name, key), value, coding).map_err(|error| error.within(key))?;
            }
        }
        Node::List(items) => {
            let nested = |item: &Node| matches!(item, Node::Object(_) | Node::List(_));
            let numbered = items.iter().any(nested);
            for (index, item) in items.iter().enumerate() {
                let step = if numbered {
                    index.to_string()
                } else {
                    String::new()
                };
                deep(out, &within(name, &step), item, coding)?;
            }
        }
        scalar => out.push((name.to_owned(), coding.node(scalar)?)),
    }
    Ok(())
}

fn within(name: &str, key: &str) -> String {
    let mut out = name.to_owned();
    out.push_str("%5B");
    encode_into(&mut out, key, Keep::UNRESERVED);
    out.push_str("%5D");
    out
}
