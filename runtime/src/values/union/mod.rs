//! Enums of types, selected by a discriminator property or by the shape of the value.

mod any_of;
mod bounds;
mod buffer;
mod macros;
mod outline;
mod rank;
mod tagged;
#[cfg(test)]
mod tests;
mod untagged;
mod write_tag;

pub use any_of::{Alternative, read_any_of, write_any_of};
pub(crate) use bounds::{lose, losses};
pub use buffer::Buffered;
pub(crate) use buffer::HELD;
pub use outline::{Outline, Shape, shape_of};
pub use tagged::{TaggedVariant, read_tagged, tagged_variant};
pub use untagged::{UnionVariant, read_union, union_variant};
pub use write_tag::write_tagged;
