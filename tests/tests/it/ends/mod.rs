//! Both generated ends against bytes written by hand: a raw socket calls the server, and another one
//! answers the client.

mod accept;
mod credentials;
mod default_alone;
mod unimplemented;
mod validation;
mod wire;

/// A module for a document that `build.rs` generates from.
macro_rules! generated {
    ($name:ident $file:literal) => {
        mod $name {
            #![allow(unused, unreachable_pub, missing_docs)]
            include!(concat!(env!("OUT_DIR"), "/", $file, ".rs"));
        }
    };
}
pub(crate) use generated;
