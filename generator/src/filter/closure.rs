//! What a selection needs beyond itself.

use std::collections::HashMap;

use crate::ir::{Api, Kept, Module, Parent, TypeId, TypeKind, TypeRef};

/// Adds everything to a selection that its operations, webhooks and types refer to.
///
/// An inline type of another operation keeps that operation: the operation names the type and its
/// module.
pub(super) fn close(api: &Api, kept: &mut Kept) {
    let mut closure = Closure {
        api,
        types: indices(&kept.types),
        operations: Vec::new(),
        kept,
        aliases: aliases(api),
    };
    let operations = indices(&closure.kept.operations).into_iter();
    let webhooks = indices(&closure.kept.webhooks).into_iter();
    let all = operations.map(|index| (index, false));
    closure.operations = all.chain(webhooks.map(|index| (index, true))).collect();
    closure.run();
}

fn indices(list: &[bool]) -> Vec<usize> {
    let kept = list.iter().enumerate().filter(|(_, kept)| **kept);
    kept.map(|(index, _)| index).collect()
}

struct Closure<'a> {
    api: &'a Api,
    kept: &'a mut Kept,
    /// Kept types whose parts are not visited yet.
    types: Vec<usize>,
    /// Kept operations, or webhooks (`true`), whose parts are not visited yet.
    operations: Vec<(usize, bool)>,
    /// The aliases in each operation and type. What contains an alias may refer to its target only.
    aliases: HashMap<Parent, Vec<usize>>,
}

fn aliases(api: &Api) -> HashMap<Parent, Vec<usize>> {
    let mut found: HashMap<Parent, Vec<usize>> = HashMap::new();
    for (index, def) in api.types.iter().enumerate() {
        if let (TypeKind::Alias(_), Some(parent)) = (&def.kind, &def.parent) {
            found.entry(parent.clone()).or_default().push(index);
        }
    }
    found
}

impl Closure<'_> {
    fn run(&mut self) {
        let api = self.api;
        loop {
            let mut found = Vec::new();
            if let Some((index, is_webhook)) = self.operations.pop() {
                let list = if is_webhook {
                    &api.webhooks
                } else {
                    &api.operations
                };
                found.extend(self.aliases_in(Parent::Operation(index, is_webhook)));
                if let Some(operation) = list.get(index) {
                    operation.parts(&mut |ty| named(ty, &mut found));
                    // All errors have the type of error codes.
                    let code = api.error_code.filter(|_| !operation.errors.is_empty());
                    found.extend(code.map(|id| id.0 as usize));
                }
            } else if let Some(index) = self.types.pop() {
                if let Ok(id) = u32::try_from(index) {
                    found.extend(self.aliases_in(Parent::Type(TypeId(id))));
                }
                if let Some(def) = api.types.get(index) {
                    def.kind.parts(&mut |ty| named(ty, &mut found));
                    if def.module != Module::Types {
                        self.keep_owner(def.parent.as_ref());
                    }
                }
            } else {
                return;
            }
            for index in found {
                self.keep_type(index);
            }
        }
    }

    fn aliases_in(&self, parent: Parent) -> Vec<usize> {
        self.aliases.get(&parent).cloned().unwrap_or_default()
    }

    fn keep_type(&mut self, index: usize) {
        if let Some(kept) = self.kept.types.get_mut(index).filter(|kept| !**kept) {
            *kept = true;
            self.types.push(index);
        }
    }

    fn keep_owner(&mut self, parent: Option<&Parent>) {
        match parent {
            Some(Parent::Type(id)) => self.keep_type(id.0 as usize),
            Some(Parent::Operation(index, is_webhook)) => {
                let list = match is_webhook {
                    true => &mut self.kept.webhooks,
                    false => &mut self.kept.operations,
                };
                if let Some(kept) = list.get_mut(*index).filter(|kept| !**kept) {
                    *kept = true;
                    self.operations.push((*index, *is_webhook));
                }
            }
            Some(Parent::Reusable | Parent::Shared(_)) | None => {}
        }
    }
}

/// Collects the indices of the named types in a type.
fn named(ty: &TypeRef, found: &mut Vec<usize>) {
    found.extend(ty.named().iter().map(|id| id.0 as usize));
}
