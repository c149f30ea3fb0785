//! Names from the configuration.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Api, Name, TypeDef, TypeKind};
use crate::position::{FileId, Origin};

use super::ident;

/// Applies the names of the configuration, and reports names without a target.
pub(super) fn apply(
    api: &mut Api,
    overrides: &BTreeMap<String, String>,
    path: &dyn Fn(FileId) -> Option<String>,
    diagnostics: &mut Diagnostics,
) {
    if overrides.is_empty() {
        return;
    }
    let mut lookup = Lookup {
        overrides,
        path,
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
                format!("`{name}`, the name chosen for `{key}`, is no Rust identifier"),
            );
        } else if !lookup.used.contains(key.as_str()) {
            diagnostics
                .report_general(
                    codes::NAME_UNUSED,
                    format!("a name is chosen for `{key}`, but there is no such thing"),
                )
                .help("use a JSON pointer, `FILE#POINTER`, a schema, an operationId, or `Schema.property`");
        }
    }
}

struct Lookup<'a> {
    overrides: &'a BTreeMap<String, String>,
    /// Returns the path of a file other than the root document.
    path: &'a dyn Fn(FileId) -> Option<String>,
    used: BTreeSet<&'a str>,
}

impl<'a> Lookup<'a> {
    fn set(&mut self, name: &mut Name, origin: &Origin, key: Option<&str>) {
        let places = self.places(origin);
        for key in places.iter().map(String::as_str).chain(key) {
            self.set_key(name, key);
        }
    }

    /// Returns the keys of a place: its pointer with or without `#`, after the path of its file.
    fn places(&self, origin: &Origin) -> [String; 2] {
        let pointer = origin.pointer();
        let bare = pointer.strip_prefix('#').unwrap_or(pointer);
        match (self.path)(origin.file) {
            None => [pointer.to_owned(), bare.to_owned()],
            Some(path) => [format!("{path}{pointer}"), format!("{path}{bare}")],
        }
    }

    fn set_key(&mut self, name: &mut Name, key: &str) {
        let found: Option<(&'a String, &'a String)> = self.overrides.get_key_value(key);
        if let Some((key, wanted)) = found {
            self.used.insert(key);
            name.wanted = Some(wanted.clone());
        }
    }

    fn members(&mut self, def: &mut TypeDef, taken: &BTreeSet<&str>) {
        let own = def.parent.is_none().then(|| def.name.wire.clone());
        let dotted = |member: &Name| own.as_ref().map(|own| format!("{own}.{}", member.wire));
        let names: Vec<&mut Name> = match &mut def.kind {
            TypeKind::Object(object) => {
                for field in &mut object.fields {
                    let places = self.places(&field.origin);
                    if !places.iter().any(|key| taken.contains(key.as_str())) {
                        self.set(&mut field.name, &field.origin, None);
                    }
                }
                object
                    .fields
                    .iter_mut()
                    .map(|field| &mut field.name)
                    .collect()
            }
            TypeKind::StringEnum(of) => of
                .variants
                .iter_mut()
                .map(|v| &mut v.name)
                .chain(&mut of.fallback)
                .collect(),
            TypeKind::LiteralEnum(of) => {
                let names = of.variants.iter_mut().map(|v| &mut v.name);
                names.chain(&mut of.fallback).collect()
            }
            TypeKind::Union(of) => {
                let names = of.variants.iter_mut().map(|v| &mut v.name);
                names.chain(&mut of.fallback).collect()
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
