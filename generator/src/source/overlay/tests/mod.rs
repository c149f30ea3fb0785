//! Tests of overlays.

use std::path::{Path, PathBuf};

use super::Overlays;
use crate::diagnostic::Diagnostics;
use crate::report::{Style, render_human};
use crate::source::{Limits, MemoryLoader, Sources, Value, load_overlaid, read::read};

mod actions;
mod any;
mod corpus;
mod errors;
mod files;
mod places;
mod suite;

/// A document with overlays.
struct Overlaid {
    /// The values of all files of the document, the root first.
    values: Vec<Value>,
    sources: Sources,
    diagnostics: Diagnostics,
}

impl Overlaid {
    /// Reads the first file with the overlays among the others: those whose names contain
    /// `overlay`.
    fn new(files: &[(&str, &str)]) -> Self {
        Self::read(files, false)
    }

    fn read(files: &[(&str, &str)], lenient: bool) -> Self {
        let mut loader = MemoryLoader::new();
        let mut overlays = Vec::new();
        for (path, text) in files {
            loader.add(path, *text);
            if path.contains("overlay") {
                overlays.push(PathBuf::from(path));
            }
        }
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let overlays = Overlays {
            loader: &loader,
            files: &overlays,
            stands_for: None,
            lenient,
        };
        let path = Path::new(files[0].0);
        let limits = Limits::default();
        let tree = load_overlaid(
            &loader,
            path,
            &limits,
            &overlays,
            &mut sources,
            &mut diagnostics,
        );
        let values = tree.iter().flat_map(|tree| tree.files());
        let values = values.map(|(_, value)| value.clone()).collect();
        Self {
            values,
            sources,
            diagnostics,
        }
    }

    /// Returns the diagnostics as people see them.
    fn report(&self) -> String {
        render_human(&self.diagnostics, &self.sources, Style::Plain)
    }

    /// Returns the codes of all diagnostics with their messages.
    fn messages(&self) -> Vec<String> {
        let all = self.diagnostics.iter();
        all.map(|each| format!("{} {}", each.code.id, each.message))
            .collect()
    }
}

fn yaml(text: &str) -> Value {
    read(text, false).expect("YAML").value
}

/// Returns an overlay of version 1.1 with these actions.
fn overlay(actions: &str) -> String {
    format!("overlay: 1.1.0\ninfo: {{title: T, version: 1.0.0}}\nactions:\n{actions}")
}

/// Applies actions to a document without diagnostics.
fn applied(document: &str, actions: &str) -> Value {
    let text = overlay(actions);
    let overlaid = Overlaid::new(&[("api.yaml", document), ("a.overlay.yaml", &text)]);
    assert!(overlaid.diagnostics.is_empty(), "{}", overlaid.report());
    overlaid.values[0].clone()
}

/// Applies actions to a document, and returns the messages.
fn refused(document: &str, actions: &str) -> Vec<String> {
    let text = overlay(actions);
    Overlaid::new(&[("api.yaml", document), ("a.overlay.yaml", &text)]).messages()
}
