//! Places of many diagnostics, located at once.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Lines, Position, SourceFile, Sources, locate};

/// The place of a diagnostic.
pub(super) struct Located<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) pointer: &'a str,
    /// The number of the action of an overlay that wrote the node.
    pub(super) action: Option<usize>,
    pub(super) position: Position,
    /// The text of the line.
    pub(super) line: &'a str,
    /// The byte offset at which the line starts.
    pub(super) start: usize,
}

/// A place of a diagnostic that is to be located.
struct Wanted<'a> {
    /// The index of the diagnostic.
    index: usize,
    origin: &'a Origin,
    /// The place of its text, which may be in an overlay.
    written: Origin,
}

/// Returns whether the places of a diagnostic are those of the file as it was read, before overlays
/// changed its nodes.
fn is_as_read(diagnostic: &Diagnostic) -> bool {
    [codes::DUPLICATE_KEY, codes::REPEATED_KEY].contains(&diagnostic.code)
}

/// Returns all diagnostics with their places and further places, in the order in which they were
/// found.
pub(super) fn locate_all<'a>(
    diagnostics: &'a Diagnostics,
    sources: &'a Sources,
) -> Vec<(&'a Diagnostic, Option<Located<'a>>, Vec<Located<'a>>)> {
    let mut all: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic, None, Vec::new()))
        .collect();
    // Each file is searched once for all its diagnostics.
    let mut by_file: BTreeMap<FileId, Vec<Wanted<'_>>> = BTreeMap::new();
    for (index, (diagnostic, ..)) in all.iter().enumerate() {
        for origin in diagnostic.origin.iter().chain(&diagnostic.further) {
            let written = if is_as_read(diagnostic) {
                origin.clone()
            } else {
                sources.written(origin)
            };
            by_file.entry(written.file).or_default().push(Wanted {
                index,
                origin,
                written,
            });
        }
    }
    for (file, reported) in by_file {
        let Some(file) = sources.get(file) else {
            continue;
        };
        // A diagnostic with an offset refers to a text that could not be parsed. The text has no
        // nodes, and searching may take long.
        let in_text = |wanted: &Wanted<'_>| all[wanted.index].0.offset;
        let offsets: Vec<usize> = reported.iter().filter_map(in_text).collect();
        let (unparsed, parsed): (Vec<_>, Vec<_>) = reported
            .into_iter()
            .partition(|wanted| in_text(wanted).is_some());
        let pointers = parsed.iter().map(|wanted| wanted.written.pointer.clone());
        let pointers: Vec<Pointer> = pointers.collect();
        let lines = Lines::new(&file.text);
        let mut positions = lines.positions(&offsets);
        if !pointers.is_empty() {
            positions.extend(locate(file, &pointers));
        }
        for (wanted, position) in unparsed.into_iter().chain(parsed).zip(positions) {
            let Wanted { index, origin, .. } = wanted;
            let own = wanted.written.file == origin.file;
            let located = Located {
                file,
                pointer: origin.pointer(),
                action: sources.overlay_action(&wanted.written).filter(|_| !own),
                position,
                line: lines.line(position.line),
                start: lines.start(position.line),
            };
            let (diagnostic, first, further) = &mut all[index];
            if diagnostic
                .origin
                .as_ref()
                .is_some_and(|first| std::ptr::eq(first, origin))
            {
                *first = Some(located);
            } else {
                further.push(located);
            }
        }
    }
    all
}
