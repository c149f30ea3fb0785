//! One OpenAPI document in, both ends of the API out.

pub mod diagnostic;
pub mod dialect;
pub mod model;
pub mod resolve;
pub mod source;
