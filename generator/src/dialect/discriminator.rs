//! Discriminators.

use super::context::Context;
use super::spelling;
use crate::diagnostic::codes;
use crate::model::{Discriminator, SchemaId};
use crate::position::Pointer;
use crate::resolve::Node;
use crate::source::Value;

impl<'t> Context<'t, '_> {
    /// Reads a discriminator: an object, or the name of a property (Swagger 2.0).
    pub(super) fn read_discriminator(&mut self, node: &Node<'t>) -> Option<Discriminator> {
        let node = self.follow(node)?;
        if let Value::String(property) = node.value {
            let property = property.clone();
            return Some(Discriminator {
                property,
                mapping: vec![],
                default: None,
            });
        }
        let node = self.as_object(&node)?;
        self.check_keys(&node, spelling::DISCRIMINATOR);
        let Some(property) = self.text(&node, "propertyName") else {
            // Without the discriminator, the variants are distinguished by their content.
            let message = "missing `propertyName` of a discriminator; the discriminator is ignored";
            self.report(codes::IGNORED, &node.origin(), message);
            return None;
        };
        let entries = self.entries(&node, "mapping");
        let mapping = entries
            .filter_map(|(tag, node)| {
                let name = self.as_text(&node)?;
                let target = self.mapped_schema(&node, &name);
                if target.is_none() {
                    let message = format!(
                        "`{tag}` is mapped to `{name}`, which is not a schema; the entry is ignored"
                    );
                    self.report(codes::IGNORED, &node.origin(), message);
                }
                Some((tag.to_owned(), target))
            })
            .collect();
        let default = self.text(&node, "defaultMapping");
        let default = default.and_then(|name| {
            let target = self.mapped_schema(&node, &name);
            if target.is_none() {
                let message = format!(
                    "`defaultMapping` names `{name}`, which is not a schema; it is ignored"
                );
                self.report(codes::IGNORED, &node.origin(), message);
            }
            target
        });
        Some(Discriminator {
            property,
            mapping,
            default,
        })
    }

    /// Returns a schema by its component name, in this file or in the root document, or by a
    /// reference.
    fn mapped_schema(&mut self, node: &Node<'t>, name: &str) -> Option<SchemaId> {
        let steps = self.rules.schemas.iter();
        let section = steps.fold(Pointer::ROOT, |pointer, step| pointer.child(step));
        let by_name = section.child(name);
        let by_name = by_name.as_str();
        let root = self.resolver.root();
        let references = [(node, by_name), (&root, by_name), (node, name)];
        let target = references
            .into_iter()
            .find_map(|(at, reference)| self.resolver.target(at, reference).ok())?;
        Some(self.referred(&target))
    }
}
