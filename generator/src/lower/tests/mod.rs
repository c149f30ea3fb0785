//! Tests of the decisions about schemas and operations.

use std::path::Path;

use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Object, Operation, TypeDef, TypeKind, Union, shown};
use crate::source::{Limits, MemoryLoader, Sources, load_with};

use super::{Options, UnknownValues};

mod bodies;
mod constants;
mod error_sets;
mod kinds;
mod retries;
mod reusable;
mod rules;
mod schema;
mod shape;
mod tags;
mod traits;
mod union;

/// Lowers and names a document, and returns the codes of the diagnostics.
fn lower_with(text: &str, options: &Options) -> (Api, Vec<&'static str>) {
    let mut loader = MemoryLoader::new();
    loader.add("api.yaml", text);
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let tree = load_with(
        &loader,
        Path::new("api.yaml"),
        &Limits::default(),
        &mut sources,
        &mut diagnostics,
    );
    let model = tree.and_then(|tree| crate::dialect::read(&tree, &mut diagnostics));
    let reported = |diagnostics: &Diagnostics| diagnostics.iter().map(|it| it.code.id).collect();
    let Some(model) = model else {
        panic!("{:?}", reported(&diagnostics) as Vec<_>);
    };
    let mut api = super::lower(model, options, &mut diagnostics);
    crate::names::assign(&mut api, &mut diagnostics);
    let codes = reported(&diagnostics);
    (api, codes)
}

/// Returns a whole document with these paths and components.
fn document(paths: &str, components: &str) -> String {
    let indent = |text: &str| text.replace('\n', "\n  ");
    format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  {}\ncomponents:\n  {}\n",
        if paths.is_empty() {
            "{}".to_owned()
        } else {
            indent(paths.trim())
        },
        indent(components.trim()),
    )
}

/// Lowers schemas that no operation uses.
fn schemas(text: &str) -> (Api, Vec<&'static str>) {
    let schemas = format!("schemas:\n  {}", text.trim().replace('\n', "\n  "));
    lower_with(&document("", &schemas), &Options::default())
}

/// Lowers one operation, `post /x`, given its parts other than the `operationId`, `run`.
fn operation(text: &str) -> (Operation, Api, Vec<&'static str>) {
    let text = text.trim().replace('\n', "\n    ");
    let paths = format!("/x:\n  post:\n    operationId: run\n    {text}");
    let (api, reported) = lower_with(&document(&paths, "schemas: {}"), &Options::default());
    (api.operations[0].clone(), api, reported)
}

/// Returns a type by its Rust name.
#[track_caller]
fn def<'a>(api: &'a Api, name: &str) -> &'a TypeDef {
    let found = api.types.iter().find(|def| def.name.rust == name);
    found.unwrap_or_else(|| {
        let names: Vec<&str> = api.types.iter().map(|def| def.name.rust.as_str()).collect();
        panic!("no {name} among {names:?}")
    })
}

#[track_caller]
fn object<'a>(api: &'a Api, name: &str) -> &'a Object {
    match &def(api, name).kind {
        TypeKind::Object(object) => object,
        other => panic!("{name} is {other:?}"),
    }
}

#[track_caller]
fn union<'a>(api: &'a Api, name: &str) -> &'a Union {
    match &def(api, name).kind {
        TypeKind::Union(union) => union,
        other => panic!("{name} is {other:?}"),
    }
}

/// Returns the type of a field in the notation of the outline.
#[track_caller]
fn field(api: &Api, name: &str, property: &str) -> String {
    let fields = &object(api, name).fields;
    let found = fields.iter().find(|field| field.name.wire == property);
    shown(api, &found.expect("the property").ty)
}

/// Returns the type in a newtype or an alias, and whether it is an alias.
#[track_caller]
fn inner(api: &Api, name: &str) -> (String, bool) {
    match &def(api, name).kind {
        TypeKind::Newtype(ty, _) => (shown(api, ty), false),
        TypeKind::Alias(ty) => (shown(api, ty), true),
        other => panic!("{name} is {other:?}"),
    }
}

/// Returns the variants of a union: name, type and tags.
#[track_caller]
fn variants(api: &Api, name: &str) -> Vec<String> {
    let variants = union(api, name).variants.iter();
    variants
        .map(|variant| {
            let ty = shown(api, &variant.ty);
            format!("{}: {ty} {:?}", variant.name.rust, variant.tags)
        })
        .collect()
}

fn reject() -> Options {
    Options {
        unknown_values: UnknownValues::Reject,
        ..Options::default()
    }
}
