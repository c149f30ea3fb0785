//! Finding the line and the column of nodes for diagnostics.
//!
//! No positions are stored while a document is read. One pass over the text finds all requested
//! nodes. Both parsers return slices of the text that they read, and the position of a node is the
//! start of its slice.

use super::lines::{Lines, Position};
use super::search::Search;
use super::{Format, SourceFile, json, yaml};
use crate::position::Pointer;

/// Returns the positions of nodes in a file, found in one pass over its text.
///
/// The position of an object or an array is its key, the position of a scalar its value. A node
/// that is not found has the position of its nearest ancestor.
#[must_use]
pub fn locate(file: &SourceFile, pointers: &[Pointer]) -> Vec<Position> {
    let mut search = Search::default();
    let wanted: Vec<usize> = pointers
        .iter()
        .map(|pointer| search.want(pointer))
        .collect();
    let repaired = match file.format {
        Format::Json => {
            json::search(&file.text, &mut search);
            None
        }
        Format::Yaml => yaml::search(&file.text, &mut search),
    };
    let lines = Lines::new(&file.text);
    let mut offsets: Vec<usize> = wanted.into_iter().map(|it| search.offset(it)).collect();
    if let Some(repaired) = repaired {
        let repaired = Lines::new(&repaired);
        for offset in &mut offsets {
            *offset = yaml::map_back(&lines, &repaired, *offset);
        }
    }
    lines.positions(&offsets)
}
