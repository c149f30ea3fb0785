//! Types of the user in place of the types of schemas (`[types]`).
//!
//! The schema keeps the type that it has by itself, because a server checks values by it. That type
//! is removed at the end if no request and no union contains a value of the schema.

use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{
    Api, Doc, Kept, Operation, Parent, Payload, Replaced, Response, TypeId, TypeKind, TypeRef,
};
use crate::model::{Model, SchemaId};
use crate::position::{Keys, is_position};
use crate::resolve::nearest;

use crate::lower::schema::rust_type;
use crate::lower::schema::rust_type::{Crates, UnknownCrates};
use crate::lower::{At, Lowered, Lowering, TypeTable};

/// The types of the configuration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Types {
    /// Paths of Rust types, by the name of a reusable schema, a JSON pointer, or `FILE#POINTER`.
    pub(crate) paths: BTreeMap<String, String>,
    /// The crates of the configuration, whose types `x-rust-type` may state.
    pub(crate) crates: Crates,
    /// The keys of the schemas.
    pub(crate) keys: Keys,
}

/// Returns the paths of the types of the user by schema: those of the configuration, and those of
/// `x-rust-type` whose crates the configuration lists. Reports keys that match no schema.
pub(in crate::lower) fn find(
    model: &Model,
    types: &Types,
    diagnostics: &mut Diagnostics,
) -> HashMap<SchemaId, String> {
    let ids = (0..).map(SchemaId).take(model.schemas.len());
    let stated = ids.filter_map(|id| Some((id, rust_type::path_of(model, id, &types.crates)?)));
    let mut found: HashMap<SchemaId, String> = match types.crates.is_empty() {
        true => HashMap::new(),
        false => stated.collect(),
    };
    for (key, path) in &types.paths {
        let ids = types.schemas(model, key);
        if ids.is_empty() {
            let message = format!("`{key}` of `[types]` matches no schema");
            let report = diagnostics.report_general(codes::TYPE_UNUSED, message);
            if let Some(near) = types.near(model, key) {
                report.help(format!("did you mean `{near}`?"));
            }
        }
        found.extend(ids.into_iter().map(|id| (id, path.clone())));
    }
    if types.crates.unknown == UnknownCrates::Deny {
        deny_unlisted(model, &types.crates, &found, diagnostics);
    }
    found
}

/// Reports the types that a document states whose crates the configuration does not list.
fn deny_unlisted(
    model: &Model,
    crates: &Crates,
    found: &HashMap<SchemaId, String>,
    diagnostics: &mut Diagnostics,
) {
    let schemas = (0..).map(SchemaId).zip(&model.schemas);
    for (id, schema) in schemas.filter(|(id, schema)| !schema.instance && !found.contains_key(id)) {
        if let Some([path, package, version]) = rust_type::unlisted(model, id, crates) {
            let message = format!("the crate of `{path}` is not listed");
            let help = format!(
                "list `{package} = \"{version}\"` under `[dependencies]` to use the type, or \
                 `{package} = \"!\"` under `[crates]` to generate it"
            );
            let report = diagnostics.report(codes::CRATE_UNKNOWN, &schema.origin, message);
            report.help(help);
        }
    }
}

impl Types {
    fn schemas(&self, model: &Model, key: &str) -> Vec<SchemaId> {
        if is_position(key) {
            let schemas = (0..).map(SchemaId).zip(&model.schemas);
            let here = schemas.filter(|(_, schema)| self.keys.is(key, &schema.origin));
            return here.map(|(id, _)| id).collect();
        }
        let named = model.named_schemas.iter();
        let named = named.filter(|(name, _)| name == key);
        named.map(|(_, id)| *id).collect()
    }

    /// Returns the key that was possibly meant.
    fn near(&self, model: &Model, key: &str) -> Option<String> {
        let keys: Vec<String> = match is_position(key) {
            true => (model.schemas.iter())
                .flat_map(|schema| self.keys.of_node(&schema.origin))
                .collect(),
            false => {
                let named = model.named_schemas.iter();
                named.map(|(name, _)| name.clone()).collect()
            }
        };
        nearest(key, keys.iter().map(String::as_str)).map(str::to_owned)
    }
}

impl Lowering<'_> {
    /// Lowers an inline schema, whose type is the user's if the configuration has one. A schema to which a
    /// reference leads has its own place.
    pub(in crate::lower) fn lower_own(&mut self, id: SchemaId, at: &At) -> Lowered {
        let pointed = self.document.pointed.get(&id).cloned();
        let at = pointed.as_ref().unwrap_or(at);
        let Some(path) = self.document.replaced.get(&id).cloned() else {
            return self.lower_inline(id, at);
        };
        let first = self.types.defs.len();
        let lowered = self.lower_inline(id, &at.step("schema"));
        self.types.made_for_schemas(first, &lowered.ty);
        Lowered {
            ty: replaced(path, lowered.ty),
            ..lowered
        }
    }

    /// Converts a reusable schema, whose type is the user's if the configuration has one.
    pub(in crate::lower) fn convert_own(&mut self, id: SchemaId, ty: TypeId) -> TypeKind {
        let Some(path) = self.document.replaced.get(&id).cloned() else {
            return self.convert(id, ty);
        };
        let def = &self.types.defs[ty.0 as usize];
        let (origin, module) = (def.origin.clone(), def.module);
        let doc = Doc {
            text: Some(format!(
                "The schema of [`{}`], by which a server checks values.",
                def.name.wire
            )),
            ..Doc::default()
        };
        let at = At {
            parent: Some(Parent::Type(ty)),
            words: "schema".to_owned(),
            module,
        };
        let own = self.types.reserve(&at, &origin, doc);
        self.types.schemas_of_replaced.push(own);
        let schema = match self.convert(id, own) {
            TypeKind::Alias(schema) => schema,
            kind => {
                self.types.defs[own.0 as usize].kind = kind;
                TypeRef::Named(own)
            }
        };
        TypeKind::Alias(replaced(path, schema))
    }
}

impl TypeTable {
    /// Notes the type that an inline schema has by itself.
    fn made_for_schemas(&mut self, first: usize, ty: &TypeRef) {
        if let TypeRef::Named(id) = ty
            && id.0 as usize >= first
        {
            self.schemas_of_replaced.push(*id);
        }
    }
}

fn replaced(path: String, schema: TypeRef) -> TypeRef {
    TypeRef::Replaced(Box::new(Replaced {
        path,
        schema: Some(schema),
    }))
}

/// Removes the schemas of values that no request and no union contains, and the types that they have
/// by themselves: `schemas`, and the types inside them.
pub(in crate::lower) fn remove_unchecked(api: &mut Api, schemas: &[TypeId]) {
    if api.replacing_types().is_empty() {
        return;
    }
    let in_unions = in_unions(api);
    for (def, in_union) in api.types.iter_mut().zip(in_unions) {
        let is_union = matches!(def.kind, TypeKind::Union(_));
        if !def.input && !is_union && !in_union {
            def.kind.parts_mut(&mut forget);
        }
    }
    let webhooks = api.webhooks.iter_mut();
    for operation in webhooks {
        operation
            .params
            .iter_mut()
            .for_each(|param| forget(&mut param.ty));
        let body = operation.body.iter_mut();
        let media = body.flat_map(|body| body.payload.media_mut());
        media.for_each(|media| forget(&mut media.ty));
        forget_responses(operation);
    }
    api.operations.iter_mut().for_each(forget_responses);
    for set in &mut api.error_sets {
        set.responses.iter_mut().for_each(forget_body);
        set.headers
            .iter_mut()
            .for_each(|header| forget(&mut header.ty));
    }
    let headers = api
        .header_sets
        .iter_mut()
        .flat_map(|header_set| &mut header_set.headers);
    headers.for_each(|header| forget(&mut header.ty));
    let kept = without_unused(api, schemas);
    if kept.types.contains(&false) {
        api.retain(&kept);
    }
}

fn forget(ty: &mut TypeRef) {
    ty.each_replaced_mut(&mut |replaced| replaced.schema = None);
}

fn forget_responses(operation: &mut Operation) {
    let responses = operation.successes.iter_mut().chain(&mut operation.errors);
    responses.for_each(forget_body);
    let headers = operation.success_headers.iter_mut();
    let headers = headers.chain(&mut operation.error_headers);
    headers.for_each(|header| forget(&mut header.ty));
}

fn forget_body(response: &mut Response) {
    let payload = response.payload.iter_mut();
    let media = payload.flat_map(Payload::media_mut);
    media.for_each(|media| forget(&mut media.ty));
}

/// Returns for each type whether it is an alias that a variant of a union leads to.
fn in_unions(api: &Api) -> Vec<bool> {
    let mut found = vec![false; api.types.len()];
    let mut open = Vec::new();
    for def in &api.types {
        if let TypeKind::Union(union) = &def.kind {
            open.extend(union.variants.iter().flat_map(|variant| variant.ty.named()));
        }
    }
    while let Some(id) = open.pop() {
        let TypeKind::Alias(ty) = &api.type_def(id).kind else {
            continue;
        };
        if !std::mem::replace(&mut found[id.0 as usize], true) {
            open.extend(ty.named());
        }
    }
    found
}

/// Returns everything except the types of schemas that nothing refers to.
fn without_unused(api: &Api, schemas: &[TypeId]) -> Kept {
    let mut optional = vec![false; api.types.len()];
    for id in schemas {
        optional[id.0 as usize] = true;
    }
    // The parent of a type precedes it.
    for index in 0..api.types.len() {
        if let Some(Parent::Type(parent)) = &api.types[index].parent {
            optional[index] |= optional[parent.0 as usize];
        }
    }
    let mut kept: Vec<bool> = optional.iter().map(|optional| !optional).collect();
    let mut open: Vec<TypeId> = Vec::new();
    for (def, kept) in api.types.iter().zip(&kept) {
        if *kept {
            def.kind.parts(&mut |ty| open.extend(ty.named()));
        }
    }
    for operation in api.operations.iter().chain(&api.webhooks) {
        operation.parts(&mut |ty| open.extend(ty.named()));
    }
    for (_, payload) in &api.contents {
        payload.parts(&mut |ty| open.extend(ty.named()));
    }
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut kept[id.0 as usize], true) {
            api.type_def(id)
                .kind
                .parts(&mut |ty| open.extend(ty.named()));
        }
    }
    Kept {
        operations: vec![true; api.operations.len()],
        webhooks: vec![true; api.webhooks.len()],
        types: kept,
    }
}
