//! Small builders of `syn` values: items are built, never parsed back from tokens.

mod ident;
mod item;
mod path;

pub(super) use ident::*;
pub(super) use item::*;
pub(super) use path::*;
