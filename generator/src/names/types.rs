//! Names of types.

use crate::ir::{Api, Module, Parent, TypeDef};

use super::ident::{Case, unraw};
use super::scope::{Ask, Namer, PLAIN, Rule};
use super::{Scopes, reserved};

pub(super) const TYPE: Rule = Rule {
    case: Case::Pascal,
    reserved: &[reserved::PRELUDE, reserved::OURS],
    suffix: Some("Schema"),
    ..PLAIN
};

/// Names the types that the document names.
pub(super) fn reusable(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let named = api.types.iter_mut().filter(|def| is_reusable(def));
    let names = named.map(|def| (&mut def.name, def.origin.clone()));
    scopes.types.name(&TYPE, names, namer);
}

fn is_reusable(def: &TypeDef) -> bool {
    def.parent.is_none() && def.module == Module::Types
}

/// Names the others, each after what it stands in.
pub(super) fn inline(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let mut seen: Vec<bool> = api.types.iter().map(is_reusable).collect();
    for start in 0..api.types.len() {
        let mut chain = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|index| seen.get(*index) == Some(&false)) {
            seen[index] = true;
            chain.push(index);
            next = match api.types[index].parent {
                Some(Parent::Type(id)) => Some(id.0 as usize),
                Some(Parent::Operation(..)) | None => None,
            };
        }
        for index in chain.into_iter().rev() {
            name_one(api, index, scopes, namer);
        }
    }
}

fn name_one(api: &mut Api, index: usize, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let def = &api.types[index];
    let prefix = match &def.parent {
        Some(Parent::Type(id)) => api
            .types
            .get(id.0 as usize)
            .map(|def| unraw(&def.name.rust)),
        Some(Parent::Operation(index, false)) => {
            api.operations.get(*index).map(|op| op.base.as_str())
        }
        Some(Parent::Operation(index, true)) => api.webhooks.get(*index).map(|op| op.base.as_str()),
        None => None,
    };
    let prefix = prefix.unwrap_or_default().to_owned();
    // Without words of its own it would be called what it stands in is called.
    let wire = if def.name.wire.trim().is_empty() && !prefix.is_empty() {
        "inner".to_owned()
    } else {
        def.name.wire.clone()
    };
    let ask = Ask {
        wire,
        wanted: def.name.wanted.clone(),
        prefix,
        origin: def.origin.clone(),
    };
    let rust = scopes.of(def.module).one(&TYPE, ask, namer);
    api.types[index].name.rust = rust;
}
