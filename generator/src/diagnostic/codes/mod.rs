//! The table of all diagnostic codes.
//!
//! `E00..` reading files and overlays, `E01..` the shape of the document, `E02..` references, `E03..` and on
//! what has no form in Rust. `W` codes are warnings and `N` codes notes. A code never gets a new
//! meaning and is never used again.

use super::Code;

macro_rules! codes {
    (@allowable) => { false };
    (@allowable allowable) => { true };
    (@help) => { None };
    (@help $help:literal) => { Some($help) };
    ($($(#[$meta:meta])* $name:ident = $id:literal, $title:literal, $(help $help:literal,)?
        $explanation:literal $(, $allowable:ident)?;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title)]
            $(#[$meta])*
            pub const $name: &crate::diagnostic::Code = &crate::diagnostic::Code {
                id: $id,
                title: $title,
                help: codes!(@help $($help)?),
                explanation: $explanation,
                allowable: codes!(@allowable $($allowable)?),
            };
        )*
        /// The codes of this table, in its order.
        pub(super) const TABLE: &[&crate::diagnostic::Code] = &[$($name),*];
    };
}

mod errors;
mod notes;
mod warnings;

pub use errors::*;
pub use notes::*;
pub use warnings::*;

/// Every code: errors, warnings, notes.
pub const ALL: &[&Code] = &joined();

const COUNT: usize = errors::TABLE.len() + warnings::TABLE.len() + notes::TABLE.len();

const fn joined() -> [&'static Code; COUNT] {
    let tables = [errors::TABLE, warnings::TABLE, notes::TABLE];
    let mut all = [errors::TABLE[0]; COUNT];
    let (mut table, mut row, mut next) = (0, 0, 0);
    while next < COUNT {
        if row == tables[table].len() {
            (table, row) = (table + 1, 0);
            continue;
        }
        all[next] = tables[table][row];
        (row, next) = (row + 1, next + 1);
    }
    all
}

/// Codes that are not reported: the problem is a warning (`W0301`, `W0310` to `W0312`, `W0320`,
/// `W0321`), a note (`N0309`), or no problem (`E0010`, `N0102`). No other problem gets one of them,
/// so that what is written about them elsewhere stays true.
#[cfg(test)]
pub(super) const RETIRED: &[&str] = &[
    "E0010", "E0301", "E0302", "E0303", "E0304", "E0305", "N0102", "W0102", "W0309",
];

/// Returns the code with this id, in either case.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    ALL.iter()
        .find(|code| code.id.eq_ignore_ascii_case(id))
        .copied()
}
