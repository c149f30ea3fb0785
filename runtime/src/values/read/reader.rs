//! The reader of a node: what the deserializer needs of it.

use super::state::{State, Tags};
use super::{Failed, tree};
use crate::values::{Json, Node, WireError, syntax};
use serde::de::{self, Error as _};
use std::borrow::Cow;

/// A node that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'s, 't> {
    pub(super) state: &'s State<'t>,
    pub(super) node: &'t Node,
    /// Whether every scalar is a text, which the type interprets.
    pub(super) is_text: bool,
    /// Whether the node is the tag of a union, which is known without being kept.
    pub(super) is_tag: bool,
    tags: Tags,
}

impl<'s, 't> Reader<'s, 't> {
    pub(crate) const fn new(state: &'s State<'t>, node: &'t Node, is_text: bool) -> Self {
        Self {
            state,
            node,
            is_text,
            is_tag: false,
            tags: [None; 2],
        }
    }

    /// Adds the discriminator properties that the value is known to have.
    pub(crate) const fn with_tags(self, tags: Tags) -> Self {
        Self { tags, ..self }
    }

    /// Adds a discriminator property, which does not count as lost if the type does not keep it.
    pub(crate) const fn with_tag(self, key: &'static str) -> Self {
        let [last, _] = self.tags;
        self.with_tags([Some(key), last])
    }

    pub(super) const fn tags(&self) -> Tags {
        self.tags
    }

    pub(crate) const fn state(&self) -> &'s State<'t> {
        self.state
    }

    pub(crate) const fn node(&self) -> &'t Node {
        self.node
    }

    pub(crate) const fn is_text(&self) -> bool {
        self.is_text
    }

    /// Returns the reader of another node of the same tree.
    pub(super) const fn at(self, node: &'t Node) -> Self {
        Self::new(self.state, node, self.is_text)
    }

    /// Returns the reader of a tree that is made of this node.
    pub(super) fn inner(self, is_text: bool, make: impl FnOnce() -> Node) -> Self {
        Self::new(self.state, self.state.inner(self.node, make), is_text)
    }

    /// Returns the only value of a name that may be repeated.
    pub(super) fn single(self) -> Result<Self, Failed> {
        match self.node {
            Node::Repeated(items) => match &items[..] {
                [only] => Ok(Self { node: only, ..self }),
                [] => Err(WireError::absent().into()),
                _ => Err(WireError::new("is given more than once").into()),
            },
            _ => Ok(self),
        }
    }

    pub(super) fn wrong(&self, expected: &dyn de::Expected) -> Failed {
        Failed::invalid_type(self.node.unexpected(), expected)
    }

    /// Returns the text of a scalar.
    pub(super) fn scalar(self, wanted: &dyn de::Expected) -> Result<Cow<'t, str>, Failed> {
        let this = self.single()?;
        match this.node {
            Node::Bare(text) | Node::Text(text) | Node::Field(text) => Ok(text.into()),
            Node::File(file) => {
                // A JSON string has quotes, which do not belong to the text.
                let json = file.is_json().then(|| serde_json::from_slice(&file.data));
                if let Some(Ok(Json::String(text))) = json {
                    return Ok(text.into());
                }
                let text = std::str::from_utf8(&file.data);
                let text = text.map_err(|_| WireError::new("is not UTF-8"))?;
                Ok(text.into())
            }
            _ => Err(this.wrong(wanted)),
        }
    }

    /// Parses a text as JSON, if only JSON can represent the requested type.
    pub(super) fn nested(self) -> Result<Option<Self>, Failed> {
        let read = match self.node {
            Node::Field(text) => tree::parse(text),
            Node::File(file) if file.content_type.as_deref().is_some_and(syntax::is_xml) => {
                return Err(WireError::new("is XML, where JSON is expected").into());
            }
            Node::File(file) => match std::str::from_utf8(&file.data) {
                Ok(text) => tree::parse(text),
                Err(_) => return Err(WireError::new("is not UTF-8").into()),
            },
            _ => return Ok(None),
        };
        let node = read?;
        Ok(Some(self.inner(false, || node)))
    }
}
