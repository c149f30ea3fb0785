//! Kinds of objects, and references that lead to an object of another kind.

use super::context::Context;
use super::{Version, v3_2};
use crate::diagnostic::codes;
use crate::position::{FileId, Origin, Pointer};
use crate::resolve::Node;
use crate::source::Value;

/// A kind of object that references lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Schema,
    Response,
    Parameter,
    RequestBody,
    Header,
    Example,
    Link,
    Callback,
    PathItem,
    Operation,
    SecurityScheme,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Schema => "a schema",
            Self::Response => "a response",
            Self::Parameter => "a parameter",
            Self::RequestBody => "a request body",
            Self::Header => "a header",
            Self::Example => "an example",
            Self::Link => "a link",
            Self::Callback => "a callback",
            Self::PathItem => "a path item",
            Self::Operation => "an operation",
            Self::SecurityScheme => "a security scheme",
        }
    }

    /// Returns the kind of the object at a location, if the format defines it.
    fn at(target: &Node<'_>, version: Version) -> Option<Self> {
        let steps: Vec<String> = target.pointer.segments().take(4).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let section = match (&steps[..], version) {
            (["paths" | "webhooks", _], _) => return Some(Self::PathItem),
            (["paths" | "webhooks", _, method], _) if v3_2::RULES.methods.contains(method) => {
                return Some(Self::Operation);
            }
            (["components", section, _], _) | ([section, _], Version::Swagger2) => *section,
            _ => return None,
        };
        Some(match section {
            "schemas" | "definitions" => Self::Schema,
            "responses" => Self::Response,
            "parameters" => Self::Parameter,
            "requestBodies" => Self::RequestBody,
            "headers" => Self::Header,
            "examples" => Self::Example,
            "links" => Self::Link,
            "callbacks" => Self::Callback,
            "pathItems" => Self::PathItem,
            "securitySchemes" | "securityDefinitions" => Self::SecurityScheme,
            _ => return None,
        })
    }

    /// Returns whether an object of another kind has the members of this kind: parameters without
    /// their name are headers, and in Swagger 2.0 parameters have the keywords of a schema.
    fn includes(self, other: Self, version: Version) -> bool {
        match (self, other) {
            (Self::Header, Self::Parameter) => true,
            (Self::Schema, Self::Parameter) => version == Version::Swagger2,
            (kind, other) => kind == other,
        }
    }
}

impl<'t> Context<'t, '_> {
    /// Returns the object of a node, with references resolved. A reference to an object of another
    /// kind is reported.
    pub(super) fn as_kind(&mut self, node: &Node<'t>, kind: Kind) -> Option<Node<'t>> {
        let target = self.follow(node)?;
        if node.reference().is_some() && self.is_other_kind(node, &target, kind) {
            return None;
        }
        self.as_object(node)
    }

    /// Returns whether the target of a reference in `node` can be a schema, and reports if not.
    pub(super) fn may_be_schema(&mut self, node: &Node<'t>, target: &Node<'t>) -> bool {
        if self.is_other_kind(node, target, Kind::Schema) {
            return false;
        }
        let may_be = !matches!(target.value, Value::Array(_) | Value::Number(_));
        if !may_be {
            self.wrong_target(node, Kind::Schema.name(), target.value.kind());
        }
        may_be
    }

    fn is_other_kind(&mut self, node: &Node<'t>, target: &Node<'t>, kind: Kind) -> bool {
        let version = self.rules.version;
        let found = self
            .is_description(target.file)
            .then(|| Kind::at(target, version));
        let found = found
            .flatten()
            .filter(|found| !kind.includes(*found, version));
        match found {
            // Both have `content`.
            Some(Kind::Response) if kind == Kind::RequestBody => {
                let at = node.origin().child("$ref");
                let message = "reference to a response is read as one to a request body";
                self.report(codes::MEANT, &at, message)
                    .help("refer to a request body under `components/requestBodies`");
                false
            }
            Some(found) => {
                self.wrong_target(node, kind.name(), found.name());
                true
            }
            None => false,
        }
    }

    /// Returns whether the format defines the places of a file: it is the root document, or another
    /// document of this kind. Files that only contain parts have any structure.
    fn is_description(&self, file: FileId) -> bool {
        let root = self.resolver.at(&Origin::new(file, Pointer::default()));
        let keys = ["openapi", "swagger"];
        file == self.resolver.root().file
            || root.is_some_and(|root| keys.iter().any(|key| root.value.get(key).is_some()))
    }

    /// Reports that a reference in `node` leads to something else than expected.
    pub(super) fn wrong_target(&mut self, node: &Node<'t>, wanted: &str, found: &str) {
        let message = format!("expected a reference to {wanted}, found a reference to {found}");
        let at = node.origin().child("$ref");
        self.report(codes::WRONG_TYPE, &at, message)
            .help(format!("refer to {wanted}"));
    }
}
