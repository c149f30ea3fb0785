//! Tests of reading documents into the model.

use std::path::Path;

use crate::diagnostic::Diagnostics;
use crate::model::{Model, Schema, SchemaId};
use crate::source::{Limits, MemoryLoader, Sources, load_with};

mod hints;
mod malformed;
mod operations;
mod schemas;
mod swagger2;
mod versions;

/// Reads a document of several files. Diagnostics are returned as `code pointer: message` lines.
fn read_files(files: &[(&str, &str)]) -> (Option<Model>, String) {
    read_files_within(files, super::BUDGET)
}

/// Like `read_files`, with a given budget.
fn read_files_within(files: &[(&str, &str)], budget: usize) -> (Option<Model>, String) {
    let mut loader = MemoryLoader::new();
    for (path, text) in files {
        loader.add(path, *text);
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let root = Path::new(files[0].0);
    let tree = load_with(
        &loader,
        root,
        &Limits::default(),
        &mut sources,
        &mut diagnostics,
    );
    let model = tree.and_then(|tree| super::read_within(&tree, budget, &mut diagnostics));
    // Most texts here are excerpts without the unrelated sections.
    let of_sections = ["E0396", "W0396"];
    let reported = diagnostics
        .iter()
        .filter(|it| !of_sections.contains(&it.code.id));
    let reported = reported.map(|it| {
        let pointer = it.origin.as_ref().map_or("", |origin| origin.pointer());
        format!("{} {pointer}: {}", it.code.id, it.message)
    });
    (model, reported.collect::<Vec<_>>().join("\n"))
}

/// Reads a valid model from a document, and returns the diagnostics too.
fn read_reported(text: &str) -> (Model, String) {
    let (model, reported) = read_files(&[("api.yaml", text)]);
    (model.unwrap_or_else(|| panic!("{reported}")), reported)
}

/// Reads a document and asserts that it has no diagnostics.
fn read(text: &str) -> Model {
    let (model, reported) = read_reported(text);
    assert_eq!(reported, "");
    model
}

fn schema(model: &Model, id: SchemaId) -> &Schema {
    &model.schemas[id.0 as usize]
}

fn named<'m>(model: &'m Model, name: &str) -> &'m Schema {
    let found = model.named_schemas.iter().find(|(known, _)| known == name);
    schema(
        model,
        found.unwrap_or_else(|| panic!("no schema `{name}`")).1,
    )
}

fn property<'m>(model: &'m Model, holder: &Schema, name: &str) -> &'m Schema {
    let found = holder.properties.iter().find(|(known, _)| known == name);
    schema(
        model,
        found.unwrap_or_else(|| panic!("no property `{name}`")).1,
    )
}
