//! What `bothends new` and whole-crate output start from.
//!
//! The templates are a crate of their own so that they are files that people can read, at a place
//! where they look for them, and still travel with the generator when it is published: a crate
//! cannot include files from outside of itself. They end in `.in` because cargo takes a folder with
//! a `Cargo.toml` for another package, and leaves it out.
//!
//! A template has places, `{{name}}`, that the generator fills in one pass: what is filled in is
//! never looked at for places again.

/// A file and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Path in the new crate.
    pub path: &'static str,
    /// Text with places.
    pub text: &'static str,
}

macro_rules! templates {
    ($($(#[$meta:meta])* $name:ident = { $($path:literal: $file:literal),* $(,)? };)*) => {
        $(
            $(#[$meta])*
            pub const $name: &[Template] = &[
                $(Template { path: $path, text: include_str!(concat!("../", $file)) }),*
            ];
        )*
    };
}

templates! {
    /// What surrounds the modules of a generated crate.
    CRATE = {
        "Cargo.toml": "crate/Cargo.toml.in",
        "README.md": "crate/README.md.in",
    };
    /// A program that calls the API.
    CLIENT = {
        "Cargo.toml": "client/Cargo.toml.in",
        "README.md": "client/README.md.in",
        "bothends.toml": "client/bothends.toml.in",
        "src/main.rs": "client/main.rs.in",
    };
    /// A program that serves the API.
    SERVER = {
        "Cargo.toml": "server/Cargo.toml.in",
        "README.md": "server/README.md.in",
        "bothends.toml": "server/bothends.toml.in",
        "src/main.rs": "server/main.rs.in",
    };
    /// A program that receives webhooks.
    RECEIVER = {
        "Cargo.toml": "receiver/Cargo.toml.in",
        "README.md": "receiver/README.md.in",
        "bothends.toml": "receiver/bothends.toml.in",
        "src/main.rs": "receiver/main.rs.in",
    };
    /// A program whose build script generates the API.
    BUILD_RS = {
        "Cargo.toml": "build-rs/Cargo.toml.in",
        "README.md": "build-rs/README.md.in",
        "build.rs": "build-rs/build.rs.in",
        "src/main.rs": "build-rs/main.rs.in",
    };
}
