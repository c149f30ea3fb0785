//! Derives and attributes of the configuration: which types they belong to, and whether a type can
//! have a derive.

mod possible;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Api, TypeDef, TypeKind, TypeRef};
use crate::position::{Keys, is_position};
use crate::resolve::nearest;

use possible::Standard;

/// Lists of texts by the types that they belong to.
pub(crate) type Lists = BTreeMap<String, Vec<String>>;

/// The kinds of types, as keys of the configuration.
const KINDS: [&str; 4] = ["structs", "enums", "unions", "newtypes"];

/// The key of all types.
const ALL: &str = "*";

/// Adds derives and attributes to the types of an API with names, and reports keys that match no
/// type, and derives that a type cannot have. Returns the number of impls that each derive adds.
pub(crate) fn apply(
    api: &mut Api,
    derives: &Lists,
    attributes: &Lists,
    keys: &Keys,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<String, usize> {
    let before = impls(api);
    for (key, attributes) in attributes {
        for index in selected(api, (key, "attributes"), keys, diagnostics) {
            let own = &mut api.types[index].attributes;
            own.extend(
                attributes
                    .iter()
                    .filter(|attribute| !own.contains(attribute))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
        }
    }
    for (key, derives) in derives {
        let indices = selected(api, (key, "derives"), keys, diagnostics);
        for derive in derives {
            match Standard::find(derive) {
                Some(Standard::Always) => {}
                Some(standard) => add_standard(api, &indices, standard, is_kind(key), diagnostics),
                None => {
                    for index in &indices {
                        let own = &mut api.types[*index].derives;
                        if !own.contains(derive) {
                            own.push(derive.clone());
                        }
                    }
                }
            }
        }
    }
    let after = impls(api).into_iter();
    let added = after.map(|(derive, count)| {
        let before = before.get(&derive).copied().unwrap_or_default();
        (derive, count - before)
    });
    added.filter(|(_, count)| *count > 0).collect()
}

/// Returns the number of types with each derive that is not on all types.
fn impls(api: &Api) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for def in api.types.iter().filter(|def| kind(def).is_some()) {
        let traits = def.traits;
        let ord = [("PartialOrd", traits.ord), ("Ord", traits.ord)];
        let others = [
            ("Eq", traits.eq),
            ("Hash", traits.hash),
            ("Copy", traits.copy),
            ("Default", traits.default),
        ];
        let standard = ord.into_iter().chain(others);
        let standard = standard.filter(|(_, has)| *has).map(|(name, _)| name);
        for derive in standard.chain(def.derives.iter().map(String::as_str)) {
            *found.entry(derive.to_owned()).or_default() += 1;
        }
    }
    found
}

/// Returns the number of functions that a derive of the standard library expands to, or `None` for
/// another macro.
#[must_use]
pub fn functions_of(derive: &str) -> Option<usize> {
    // `Eq` checks the fields in a function that is never called.
    match derive {
        "Copy" => Some(0),
        "Eq" | "Hash" | "PartialOrd" | "Ord" | "Default" => Some(1),
        _ => None,
    }
}

fn is_kind(key: &str) -> bool {
    key == ALL || KINDS.contains(&key)
}

/// Returns the kind of a type, or `None` if the type is an alias or imported.
const fn kind(def: &TypeDef) -> Option<&'static str> {
    match &def.kind {
        _ if def.imported.is_some() => None,
        TypeKind::Object(_) => Some("structs"),
        TypeKind::Union(union) if union.several => Some("structs"),
        TypeKind::Union(_) => Some("unions"),
        TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => Some("enums"),
        TypeKind::Newtype(..) => Some("newtypes"),
        TypeKind::Alias(_) | TypeKind::Pending => None,
    }
}

/// Returns the indices of the types of a key. Reports a key without a type.
fn selected(
    api: &Api,
    (key, table): (&str, &str),
    keys: &Keys,
    diagnostics: &mut Diagnostics,
) -> Vec<usize> {
    let types = api.types.iter().enumerate();
    let types = types.filter(|(_, def)| selects(key, keys, def));
    let mut seen = BTreeSet::new();
    let types = types.map(|(index, def)| shared(api, index, def));
    let types = types.filter(|(index, _)| seen.insert(*index));
    let (aliases, found): (Vec<_>, Vec<_>) = types.partition(|(_, def)| kind(def).is_none());
    // A document without enums has no mistake in its derives for enums.
    if found.is_empty() && !is_kind(key) {
        let reason = match aliases.first() {
            None => "matches no type",
            Some((_, def)) if def.imported.is_some() => {
                "is an imported type, whose derives and attributes are those of its own module"
            }
            _ => "is an alias of another type, which has no derives or attributes of its own",
        };
        let message = format!("`{key}` of `[{table}]` {reason}");
        let report = diagnostics.report_general(codes::TYPE_UNUSED, message);
        if let Some(near) = near(api, key, keys) {
            report.help(format!("did you mean `{near}`?"));
        }
    }
    found.into_iter().map(|(index, _)| index).collect()
}

/// Returns the type of all equal places for the alias of an inline type, and any other type itself.
fn shared<'a>(api: &'a Api, index: usize, def: &'a TypeDef) -> (usize, &'a TypeDef) {
    match (&def.kind, &def.parent) {
        (TypeKind::Alias(TypeRef::Named(id)), Some(_)) => (id.0 as usize, api.type_def(*id)),
        _ => (index, def),
    }
}

fn selects(key: &str, keys: &Keys, def: &TypeDef) -> bool {
    if key == ALL {
        return true;
    }
    if KINDS.contains(&key) {
        return kind(def) == Some(key);
    }
    if is_position(key) {
        return keys.is(key, &def.origin);
    }
    def.name.rust == key || (def.is_reusable_schema() && def.name.wire == key)
}

/// Returns the key that was possibly meant.
fn near(api: &Api, key: &str, keys: &Keys) -> Option<String> {
    let types = api.types.iter().filter(|def| kind(def).is_some());
    let names: Vec<String> = match is_position(key) {
        true => types.flat_map(|def| keys.of_node(&def.origin)).collect(),
        false => {
            let kinds = KINDS.iter().map(|kind| (*kind).to_owned());
            types
                .map(|def| def.name.rust.clone())
                .chain(kinds)
                .collect()
        }
    };
    nearest(key, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Adds a standard trait to types and to the types that they contain. A kind of types gets it where
/// it is possible; a type with a key of its own must be able to have it.
fn add_standard(
    api: &mut Api,
    indices: &[usize],
    standard: Standard,
    where_possible: bool,
    diagnostics: &mut Diagnostics,
) {
    if where_possible {
        let possible = possible::possible(api, indices, standard);
        standard.add(api, &possible);
        return;
    }
    for index in indices {
        match possible::needed(api, *index, standard) {
            Ok(needed) => standard.add(api, &needed),
            Err(obstacle) => {
                let name = &api.types[*index].name.rust;
                let message = format!(
                    "`{}` cannot be derived for `{name}`: {}",
                    standard.name(),
                    obstacle.reason
                );
                diagnostics.report(codes::DERIVE_IMPOSSIBLE, &obstacle.origin, message);
            }
        }
    }
}
