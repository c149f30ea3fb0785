//! Schemas that apply under a condition: `if`, `then`, `else`, `dependentSchemas`, `dependencies`.

use super::context::Context;
use crate::model::Schema;
use crate::resolve::Node;
use crate::source::Value;

/// Returns whether a keyword with conditional schemas only states which names are required, which is
/// checked.
pub(super) fn only_requires(key: &str, node: &Node<'_>) -> bool {
    let is_required = |entry: &Node<'_>| match entry.value {
        Value::Array(_) | Value::Bool(true) => true,
        Value::Object(object) => object.keys().all(|key| key == "required"),
        _ => false,
    };
    let is_dependent = matches!(key, "dependentSchemas" | "dependencies");
    is_dependent && node.entries().all(|(_, entry)| is_required(&entry))
}

impl<'t> Context<'t, '_> {
    /// Reads a keyword with conditional schemas. Returns `false` if it is another keyword.
    pub(super) fn read_condition(
        &mut self,
        key: &str,
        node: &Node<'t>,
        schema: &mut Schema,
    ) -> bool {
        match key {
            "if" | "then" | "else" => schema.conditional.push(self.schema(node)),
            "dependentSchemas" | "dependencies" => {
                let Some(node) = self.as_object(node) else {
                    return true;
                };
                for (name, entry) in node.entries() {
                    self.read_dependency(name, &entry, schema);
                }
            }
            _ => return false,
        }
        true
    }

    /// Reads what applies to an object with this property. The names that it then requires are
    /// checked as those of `dependentRequired`. Lists of names are in `dependencies`, before JSON
    /// Schema 2019-09.
    fn read_dependency(&mut self, name: &str, entry: &Node<'t>, schema: &mut Schema) {
        let names = match entry.value.as_array() {
            Some(_) => entry.items().collect(),
            None => {
                schema.conditional.push(self.schema(entry));
                let required = entry.get("required");
                required.map_or_else(Vec::new, |required| required.items().collect())
            }
        };
        let names: Vec<String> = names.iter().filter_map(|name| self.as_text(name)).collect();
        if !names.is_empty() {
            let dependent = &mut schema.constraints.dependent_required;
            dependent.push((name.to_owned(), names));
        }
    }
}
