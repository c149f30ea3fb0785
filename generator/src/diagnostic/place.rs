//! Finds the places of many diagnostics at once.

use std::collections::BTreeMap;

use super::{Diagnostic, Diagnostics};
use crate::source::{FileId, Lines, Pointer, Position, SourceFile, Sources, locate};

/// Where a diagnostic is shown.
pub(super) struct Located<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) pointer: &'a str,
    pub(super) position: Position,
    /// The text of the line.
    pub(super) line: &'a str,
}

/// All diagnostics with their places, in the order in which they were found.
pub(super) fn locate_all<'a>(
    diagnostics: &'a Diagnostics,
    sources: &'a Sources,
) -> Vec<(&'a Diagnostic, Option<Located<'a>>)> {
    let mut all: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic, None))
        .collect();
    // Each file is searched once for all that is told about it.
    let mut by_file: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
    for (index, (diagnostic, _)) in all.iter().enumerate() {
        if let Some(origin) = &diagnostic.origin {
            by_file.entry(origin.file).or_default().push(index);
        }
    }
    for (file, told) in by_file {
        let Some(file) = sources.get(file) else {
            continue;
        };
        let origins = told
            .iter()
            .filter_map(|index| all[*index].0.origin.as_ref());
        let pointers: Vec<Pointer> = origins.map(|origin| origin.pointer.clone()).collect();
        let lines = Lines::new(&file.text);
        for (index, position) in told.into_iter().zip(locate(file, &pointers)) {
            let (diagnostic, located) = &mut all[index];
            let position = diagnostic
                .offset
                .map_or(position, |offset| lines.position(offset));
            let pointer = diagnostic
                .origin
                .as_ref()
                .map_or("#", |origin| origin.pointer());
            let line = lines.line(position.line);
            *located = Some(Located {
                file,
                pointer,
                position,
                line,
            });
        }
    }
    all
}
