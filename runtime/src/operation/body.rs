//! Bodies: one value in one media type.

mod codec;
mod styles;

pub(crate) use codec::BODY;
pub use codec::{Body, BodyDecoder, BodyEncoder, RawBody};
pub(crate) use styles::BodyStyle;
