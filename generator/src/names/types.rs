//! Names of types.

use std::collections::BTreeMap;

use crate::ir::{Api, Header, Module, Parent, TypeDef, TypeKind};
use crate::position::Origin;

use super::casing::Case;
use super::ident::{LONGEST, unraw};
use super::scope::{Ask, Namer, PLAIN, Rule};
use super::{Scopes, reserved};

pub(super) const TYPE: Rule = Rule {
    case: Case::Pascal,
    reserved: &[reserved::PRELUDE, reserved::OURS],
    suffix: Some("Schema"),
    ..PLAIN
};

/// Names the types with a name in the document.
pub(super) fn reusable(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let named = api.types.iter_mut().filter(|def| is_reusable(def));
    let names = named.map(|def| (&mut def.name, def.origin.clone()));
    scopes.types.name(&TYPE, names, namer);
}

fn is_reusable(def: &TypeDef) -> bool {
    def.parent.is_none() && def.module == Module::Types
}

const fn is_shared(def: &TypeDef) -> bool {
    matches!(def.parent, Some(Parent::Shared(_)))
}

/// Names the inline types with a title of their own, those of `types` or those of operations. A title
/// that a component or another inline type has, or that is in use, names no type.
pub(super) fn titled(api: &mut Api, of_types: bool, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let key = |name: &str| name.to_ascii_lowercase();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for def in &api.types {
        let names = match is_reusable(def) {
            true => Some(unraw(&def.name.rust)),
            false => def.title.as_deref(),
        };
        if let Some(name) = names {
            *counts.entry(key(name)).or_default() += 1;
        }
    }
    for def in &mut api.types {
        let is_here = (def.module == Module::Types) == of_types && def.name.wanted.is_none();
        if let Some(title) = def.title.as_ref().filter(|_| is_here)
            && counts.get(&key(title)) == Some(&1)
        {
            let ask = Ask {
                wire: title.clone(),
                wanted: None,
                prefix: String::new(),
                origin: def.origin.clone(),
            };
            let name = scopes.scope_of(def.module).if_free(&TYPE, &ask, namer);
            def.name.rust = name.unwrap_or_default();
        }
    }
}

/// Names the inline types of `types`, each after its parent. The parent is never an operation.
pub(super) fn inline_of_types(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let named = |def: &TypeDef| is_reusable(def) || is_shared(def) || def.module != Module::Types;
    let seen = api.types.iter().map(named).collect();
    each_inline(api, seen, scopes, namer);
}

/// Names the types of several places. No warning reports a number: the document has no such name.
pub(super) fn shared(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let seen = api.types.iter().map(|def| !is_shared(def)).collect();
    namer.quietly(|namer| {
        each_inline(api, seen, scopes, namer);
        let sets = api.header_sets.iter_mut();
        let names = sets.map(|set| (&mut set.name, Origin::default()));
        scopes.types.name(&TYPE, names, namer);
    });
}

/// Names the other inline types, each after its parent.
pub(super) fn inline(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let named = |def: &TypeDef| def.module == Module::Types;
    let seen = api.types.iter().map(named).collect();
    each_inline(api, seen, scopes, namer);
}

/// Names the structs of required values. No warning reports a number: the document has no such name.
pub(super) fn inits(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let mut name = |text: &str, module: Module| {
        let ask = Ask {
            wire: "init".to_owned(),
            wanted: None,
            prefix: unraw(text).to_owned(),
            origin: Origin::default(),
        };
        namer.quietly(|namer| scopes.scope_of(module).assign_one(&TYPE, ask, namer))
    };
    for index in 0..api.types.len() {
        let def = &api.types[index];
        let TypeKind::Object(object) = &def.kind else {
            continue;
        };
        if api.takes_names(object.required().into_iter().map(|field| &field.ty)) {
            let init = name(&def.name.rust, def.module);
            if let TypeKind::Object(object) = &mut api.types[index].kind {
                object.init = Some(init);
            }
        }
    }
    for index in 0..api.header_sets.len() {
        let set = &api.header_sets[index];
        if api.takes_names(
            Header::required(&set.headers)
                .into_iter()
                .map(|header| &header.ty),
        ) {
            api.header_sets[index].init = Some(name(&set.name.rust, Module::Types));
        }
    }
}

/// Names the types without a name, parents first.
fn each_inline(api: &mut Api, mut seen: Vec<bool>, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    for start in 0..api.types.len() {
        let mut chain = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|index| seen.get(*index) == Some(&false)) {
            seen[index] = true;
            // Others have a name by their title.
            if api.types[index].name.rust.is_empty() {
                chain.push(index);
            }
            next = match api.types[index].parent {
                Some(Parent::Type(id) | Parent::Shared(Some(id))) => Some(id.0 as usize),
                Some(Parent::Operation(..) | Parent::Reusable | Parent::Shared(None)) | None => {
                    None
                }
            };
        }
        for index in chain.into_iter().rev() {
            name_one(api, index, scopes, namer);
        }
    }
}

fn name_one(api: &mut Api, index: usize, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let def = &api.types[index];
    let near = prefix(api, def.parent.as_ref());
    // Without words of its own the type would have the name of its parent.
    let wire = if def.name.wire.trim().is_empty() && !near.is_empty() {
        "inner".to_owned()
    } else {
        def.name.wire.clone()
    };
    // At great depth, the outermost name and the type's own words are clearer than a truncated
    // name.
    let too_long = near.len() + wire.len() > LONGEST;
    let prefix = if too_long {
        prefix(api, outermost(api, def))
    } else {
        near
    };
    let ask = Ask {
        wire,
        wanted: def.name.wanted.clone(),
        prefix,
        origin: def.origin.clone(),
    };
    let rust = scopes.scope_of(def.module).assign_one(&TYPE, ask, namer);
    api.types[index].name.rust = rust;
}

/// Returns the prefix for the name of an inline type.
fn prefix(api: &Api, parent: Option<&Parent>) -> String {
    let prefix = match parent {
        Some(Parent::Type(id) | Parent::Shared(Some(id))) => api
            .types
            .get(id.0 as usize)
            .map(|def| unraw(&def.name.rust)),
        Some(Parent::Operation(index, false)) => api
            .operations
            .get(*index)
            .map(|operation| operation.base.as_str()),
        Some(Parent::Operation(index, true)) => api
            .webhooks
            .get(*index)
            .map(|webhook| webhook.base.as_str()),
        Some(Parent::Reusable | Parent::Shared(None)) | None => None,
    };
    prefix.unwrap_or_default().to_owned()
}

/// Returns the parent of the outermost inline type around an inline type.
fn outermost<'a>(api: &'a Api, def: &'a TypeDef) -> Option<&'a Parent> {
    let mut parent = def.parent.as_ref()?;
    // A cycle of parents has no outermost parent.
    for _ in 0..api.types.len() {
        match parent {
            Parent::Type(id) | Parent::Shared(Some(id)) => {
                match api.types.get(id.0 as usize)?.parent.as_ref() {
                    Some(outer) => parent = outer,
                    None => return Some(parent),
                }
            }
            Parent::Operation(..) | Parent::Reusable | Parent::Shared(None) => return Some(parent),
        }
    }
    None
}
