//! Objects whose properties are separate pairs in a query, or among cookies.

use super::ParamSource;
use crate::message::wire::brackets::{brackets, nest};
use crate::message::wire::notation::Place;
use crate::values::{Node, WireError};
use indexmap::IndexMap;

/// The names in a query that are properties of an object.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    These(&'a [&'static str]),
    /// All names that belong to no other parameter.
    Others,
}

impl ParamSource<'_> {
    /// Parses an object whose properties are next to the other parameters: the known ones, or all
    /// names that belong to no other parameter if the object accepts any.
    pub(super) fn spread(&self, names: Names<'_>) -> Result<Node, WireError> {
        let place = match self.param.place {
            Place::Query => "query",
            _ => "cookie",
        };
        let mine = |name: &str| match names {
            Names::These(keys) => keys.contains(&name),
            Names::Others => !self.declared.iter().any(|(location, key)| {
                *location == place
                    && *key != self.key
                    && (*key == name || brackets(name, key).is_some())
            }),
        };
        let mut fields: IndexMap<&str, Vec<Node>> = IndexMap::new();
        for (name, value) in self.pairs.iter().filter(|(name, _)| mine(name)) {
            let value = self.item(value).map_err(|error| error.within(name))?;
            fields.entry(name).or_default().push(value);
        }
        if fields.is_empty() {
            return Err(WireError::absent());
        }
        let fields = fields
            .into_iter()
            .map(|(name, values)| (name.to_owned(), Node::Repeated(values)));
        Ok(Node::Object(fields.collect()))
    }

    /// Parses an object whose properties are in brackets after its name.
    pub(super) fn deep(&self) -> Result<Node, WireError> {
        let mut entries = Vec::new();
        for (name, value) in self.pairs.iter() {
            if let Some(steps) = brackets(name, self.key) {
                let value = self.text(value).map_err(|error| error.within(name))?;
                entries.push((steps, Node::Field(value.into_owned())));
            } else if name == self.key {
                entries.push((Vec::new(), self.item(value)?));
            }
        }
        if entries.is_empty() {
            Err(WireError::absent())
        } else {
            nest(entries, 0)
        }
    }
}
