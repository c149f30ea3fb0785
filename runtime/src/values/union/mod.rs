//! Enums of types, selected by a discriminator property or by the shape of the value.

mod any_of;
mod by_event;
#[cfg(feature = "sample")]
mod form;
mod macros;
mod rank;
mod tagged;
#[cfg(test)]
mod tests;
mod untagged;
mod write_tag;

pub use crate::values::outline::Outline;
pub use crate::values::tag::TagTable;
pub use any_of::{Alternative, read_any_of, write_any_of};
pub use by_event::{ByEvent, ByEventName, event_variant};
pub use tagged::{ByTag, Tagged, TaggedVariant, tagged_variant};
pub use untagged::{Union, UnionVariant, Untagged, union_variant};
