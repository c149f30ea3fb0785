//! Enums of types, selected by a discriminator property or by the shape of the value.

mod any_of;
pub(crate) mod bounds;
mod by_event;
mod macros;
mod outline;
mod rank;
mod tagged;
#[cfg(test)]
mod tests;
mod untagged;
mod write_tag;

pub use any_of::{Alternative, read_any_of, write_any_of};
pub(crate) use by_event::event_data;
pub use by_event::{ByEvent, ByEventName, event_variant};
pub use outline::Outline;
pub use tagged::{ByTag, TagTable, Tagged, TaggedVariant, tagged_variant};
pub use untagged::{Union, UnionVariant, Untagged, union_variant};
pub use write_tag::Tag;
pub(crate) use write_tag::{probe, tag_in};
