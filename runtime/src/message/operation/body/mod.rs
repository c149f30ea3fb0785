//! Bodies: one value in one media type.

mod codec;
mod decoder;
mod raw;
pub(crate) mod row;
mod styles;

pub use codec::{Body, BodyEncoder};
pub use decoder::BodyDecoder;
pub use raw::RawBody;
pub(crate) use styles::BodyStyle;
