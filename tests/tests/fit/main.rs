//! What fits generated code to a project: filters, derives, types of one's own.

mod derives;
mod filter;
mod kept;
mod parts;
mod router;
