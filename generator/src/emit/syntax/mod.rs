//! Small constructors of `syn` values. Items are built, and never parsed from tokens.

mod ident;
mod item;
mod path;

pub(super) use ident::*;
pub(super) use item::*;
pub(super) use path::*;
