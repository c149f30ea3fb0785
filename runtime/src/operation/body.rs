//! Bodies: one value in one media type.

mod codec;
mod raw;
mod styles;

pub(crate) use codec::BODY;
pub use codec::{Body, BodyDecoder, BodyEncoder};
pub use raw::RawBody;
pub(crate) use styles::BodyStyle;
