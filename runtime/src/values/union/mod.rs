//! Enums of types, selected by a discriminator property or by the shape of the value.

mod any_of;
pub(crate) mod bounds;
mod macros;
mod outline;
mod rank;
mod tagged;
#[cfg(test)]
mod tests;
mod untagged;
mod write_tag;

pub use any_of::{Alternative, read_any_of, write_any_of};
pub use outline::{Outline, Shape, shape_of};
pub use tagged::{TagTable, Tagged, TaggedVariant, read_tagged, tagged_variant, variant_of_map};
pub use untagged::{UnionVariant, read_union, union_variant};
pub(crate) use write_tag::probe;
pub use write_tag::{Tag, tag_in, write_tagged};
