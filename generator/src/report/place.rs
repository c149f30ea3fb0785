//! Finds the places of many diagnostics at once.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::position::{FileId, Pointer};
use crate::source::{Lines, Position, SourceFile, Sources, locate};

/// Where a diagnostic is shown.
pub(super) struct Located<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) pointer: &'a str,
    pub(super) position: Position,
    /// The text of the line.
    pub(super) line: &'a str,
    /// Byte at which the line begins.
    pub(super) start: usize,
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
        // What has an offset is about a text that no parser got through: there is nothing to
        // search in it, and trying may take long.
        let in_text = |index: &usize| all[*index].0.offset;
        let offsets: Vec<usize> = told.iter().filter_map(in_text).collect();
        let (unparsed, parsed): (Vec<usize>, Vec<usize>) =
            told.into_iter().partition(|index| in_text(index).is_some());
        let origins = parsed
            .iter()
            .filter_map(|index| all[*index].0.origin.as_ref());
        let pointers: Vec<Pointer> = origins.map(|origin| origin.pointer.clone()).collect();
        let lines = Lines::new(&file.text);
        let mut positions = lines.positions(&offsets);
        if !pointers.is_empty() {
            positions.extend(locate(file, &pointers));
        }
        for (index, position) in unparsed.into_iter().chain(parsed).zip(positions) {
            let (diagnostic, located) = &mut all[index];
            let pointer = diagnostic
                .origin
                .as_ref()
                .map_or("#", |origin| origin.pointer());
            *located = Some(Located {
                file,
                pointer,
                position,
                line: lines.line(position.line),
                start: lines.start(position.line),
            });
        }
    }
    all
}
