//! The first of several places.

use crate::position::{Origin, Pointer};
use crate::source::{Sources, locate};
use std::path::Path;

/// A place in a document, as shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file.
    pub file: &'a Path,
    /// The line, starting at 1.
    pub line: usize,
    /// The JSON pointer of the node.
    pub pointer: &'a str,
}

/// Returns the first place, ordered by the reading order of files, and by line within a file.
#[must_use]
pub fn first_place<'a>(places: &'a [Origin], sources: &'a Sources) -> Option<Place<'a>> {
    let written: Vec<Origin> = places.iter().map(|place| sources.written(place)).collect();
    let id = written.iter().map(|place| place.file).min()?;
    let file = sources.get(id)?;
    let written = written.into_iter().zip(places);
    let (pointers, inside): (Vec<Pointer>, Vec<&Origin>) = written
        .filter(|(written, _)| written.file == id)
        .map(|(written, place)| (written.pointer, place))
        .unzip();
    let positions = locate(file, &pointers).into_iter();
    let (position, place) = positions
        .zip(inside)
        .min_by_key(|(position, _)| position.offset)?;
    Some(Place {
        file: &file.path,
        line: position.line,
        pointer: place.pointer(),
    })
}
