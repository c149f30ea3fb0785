//! The types and validation rules that an API uses, with their positions in the document.

use std::collections::BTreeSet;

use super::{Api, Operation, Primitive, Rule, TypeDef, TypeId, TypeKind, TypeRef, Unknown};
use crate::position::Origin;

impl Api {
    /// Returns `true` if a type, parameter, header or body of the API is or contains the primitive.
    #[must_use]
    pub fn uses(&self, primitive: &Primitive) -> bool {
        let mut found = false;
        self.each_type(&mut |_, ty| found |= ty.holds(primitive));
        found
    }

    /// Returns for each type whether a type, parameter, header or body of the API refers to it.
    pub(crate) fn used_types(&self) -> Vec<bool> {
        let mut used = vec![false; self.types.len()];
        self.each_type(&mut |_, ty| {
            for TypeId(id) in ty.named() {
                if let Some(used) = used.get_mut(id as usize) {
                    *used = true;
                }
            }
        });
        used
    }

    /// Returns the positions in the document where a primitive is used, as precisely as known.
    #[must_use]
    pub fn places_of(&self, primitive: &Primitive) -> Vec<Origin> {
        let mut places = Vec::new();
        self.each_type(&mut |origin, ty| {
            if ty.holds(primitive) {
                places.push(origin.clone());
            }
        });
        places
    }

    /// Returns the paths of the user's types that the API uses, sorted and without duplicates.
    #[must_use]
    pub fn custom_types(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.each_type(&mut |_, ty| ty.each_custom(&mut |path| _ = found.insert(path.to_owned())));
        found
    }

    /// Returns `true` if any validation rule contains a pattern.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        !self.places_of_patterns().is_empty()
    }

    /// Returns the positions in the document where a pattern restricts a value, as precisely as
    /// known.
    #[must_use]
    pub fn places_of_patterns(&self) -> Vec<Origin> {
        let mut places = Vec::new();
        let mut add = |origin: &Origin, rules: &[Rule]| {
            if rules.iter().any(Rule::has_pattern) {
                places.push(origin.clone());
            }
        };
        for def in &self.types {
            rules_of_type(def, &mut add);
        }
        for operation in &self.operations {
            for param in &operation.params {
                add(&param.origin, &param.rules);
            }
            let bodies = operation.body.iter();
            for media in bodies.flat_map(|body| body.payload.media()) {
                add(&operation.origin, &media.rules);
            }
            for response in operation.successes.iter().chain(&operation.errors) {
                let payloads = response.payload.iter();
                for media in payloads.flat_map(|payload| payload.media()) {
                    add(&response.origin, &media.rules);
                }
            }
            for header in operation.response_headers() {
                add(&operation.origin, &header.rules);
            }
        }
        places
    }

    /// Calls `visit` with each type that a type, parameter, header or body of the API refers to,
    /// and with the nearest known position of the reference.
    pub fn each_type(&self, visit: &mut dyn FnMut(&Origin, &TypeRef)) {
        self.types.iter().for_each(|def| types_of_type(def, visit));
        let operations = self.operations.iter().chain(&self.webhooks);
        operations.for_each(|operation| types_of_operation(operation, visit));
    }
}

impl TypeDef {
    /// Returns `true` if the type has validation rules.
    pub(crate) fn has_rules(&self) -> bool {
        let mut found = false;
        rules_of_type(self, &mut |_, rules| found |= !rules.is_empty());
        found
    }
}

fn types_of_type(def: &TypeDef, visit: &mut dyn FnMut(&Origin, &TypeRef)) {
    if def.imported.is_some() {
        return;
    }
    let TypeKind::Object(object) = &def.kind else {
        return def.kind.parts(&mut |ty| visit(&def.origin, ty));
    };
    for field in &object.fields {
        visit(&field.origin, &field.ty);
    }
    if let Unknown::Kept(_, ty) = &object.unknown {
        visit(&def.origin, ty);
    }
}

fn types_of_operation(operation: &Operation, visit: &mut dyn FnMut(&Origin, &TypeRef)) {
    for param in &operation.params {
        visit(&param.origin, &param.ty);
    }
    if let Some(body) = &operation.body {
        body.payload.parts(&mut |ty| visit(&operation.origin, ty));
    }
    for response in operation.successes.iter().chain(&operation.errors) {
        response.parts(&mut |ty| visit(&response.origin, ty));
    }
    for header in operation.response_headers() {
        visit(&operation.origin, &header.ty);
    }
}

fn rules_of_type(def: &TypeDef, visit: &mut dyn FnMut(&Origin, &[Rule])) {
    if def.imported.is_some() {
        return;
    }
    visit(&def.origin, &def.rules);
    match &def.kind {
        TypeKind::Object(object) => {
            visit(&def.origin, &object.each);
            for field in &object.fields {
                visit(&field.origin, &field.rules);
            }
        }
        TypeKind::Union(union) => {
            for variant in &union.variants {
                visit(&def.origin, &variant.rules);
            }
        }
        _ => {}
    }
}
