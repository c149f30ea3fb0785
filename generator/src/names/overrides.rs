//! Names from the configuration.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Api, Name, TypeDef, TypeKind};
use crate::position::{Keys, Origin, plain};

use super::ident;

/// Applies the names of the configuration, and reports names without a target.
pub(super) fn apply(
    api: &mut Api,
    overrides: &BTreeMap<String, String>,
    keys: &Keys,
    diagnostics: &mut Diagnostics,
) {
    if overrides.is_empty() {
        return;
    }
    let mut lookup = Lookup {
        overrides: overrides
            .iter()
            .map(|entry| (plain(entry.0), entry))
            .collect(),
        keys,
        used: BTreeSet::new(),
    };
    for def in &mut api.types {
        let own = def.parent.is_none().then(|| def.name.wire.clone());
        lookup.set(&mut def.name, &def.origin, own.as_deref());
    }
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        let own = operation.name.wire.clone();
        lookup.set(&mut operation.name, &operation.origin, Some(&own));
        for param in &mut operation.params {
            let dotted = format!("{own}.{}", param.name.wire);
            lookup.set(&mut param.name, &param.origin, Some(&dotted));
        }
        for response in operation.successes.iter_mut().chain(&mut operation.errors) {
            lookup.set(&mut response.name, &response.origin, None);
        }
    }
    // A pointer to a schema that is a type names the type; the field has the form `Schema.member`.
    let by_pointer = lookup.used.clone();
    for def in &mut api.types {
        lookup.members(def, &by_pointer);
    }
    for (key, name) in overrides {
        if !ident::is_ident(ident::unraw(name)) {
            diagnostics.report_general(
                codes::NAME_NOT_RUST,
                format!("`{name}`, the name chosen for `{key}`, is not a Rust identifier"),
            );
        } else if !lookup.used.contains(key.as_str()) {
            diagnostics
                .report_general(
                    codes::NAME_UNUSED,
                    format!("`{key}` of `[names]` matches nothing in the document"),
                )
                .help("use a JSON pointer, `FILE#POINTER`, a schema, an operationId, or `Schema.property`");
        }
    }
}

struct Lookup<'a> {
    /// The keys as written and the names, by the keys without what may be left out.
    overrides: BTreeMap<&'a str, (&'a String, &'a String)>,
    keys: &'a Keys,
    used: BTreeSet<&'a str>,
}

impl<'a> Lookup<'a> {
    fn set(&mut self, name: &mut Name, origin: &Origin, key: Option<&str>) {
        let places = self.keys.of_node(origin);
        for key in places.iter().map(String::as_str).chain(key) {
            self.set_key(name, key);
        }
    }

    fn set_key(&mut self, name: &mut Name, key: &str) {
        if let Some((key, wanted)) = self.overrides.get(key) {
            self.used.insert(key.as_str());
            name.wanted = Some((*wanted).clone());
        }
    }

    fn members(&mut self, def: &mut TypeDef, taken: &BTreeSet<&str>) {
        let own = def.parent.is_none().then(|| def.name.wire.clone());
        let dotted = |member: &Name| own.as_ref().map(|own| format!("{own}.{}", member.wire));
        let names: Vec<&mut Name> = match &mut def.kind {
            TypeKind::Object(object) => {
                for field in &mut object.fields {
                    if !taken.iter().any(|key| self.keys.is(key, &field.origin)) {
                        self.set(&mut field.name, &field.origin, None);
                    }
                }
                object
                    .fields
                    .iter_mut()
                    .map(|field| &mut field.name)
                    .collect()
            }
            TypeKind::StringEnum(string_enum) => string_enum
                .variants
                .iter_mut()
                .map(|v| &mut v.name)
                .chain(&mut string_enum.fallback)
                .collect(),
            TypeKind::LiteralEnum(literal_enum) => {
                let names = literal_enum.variants.iter_mut().map(|v| &mut v.name);
                names.chain(&mut literal_enum.fallback).collect()
            }
            TypeKind::Union(union) => {
                let names = union.variants.iter_mut().map(|v| &mut v.name);
                names.chain(&mut union.fallback).collect()
            }
            TypeKind::Pending | TypeKind::Newtype(..) | TypeKind::Alias(_) => Vec::new(),
        };
        for name in names {
            if let Some(key) = dotted(name) {
                self.set_key(name, &key);
            }
        }
    }
}
