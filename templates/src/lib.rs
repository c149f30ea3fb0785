//! The templates of `bothends new` and of whole-crate output.
//!
//! The templates are a separate crate, so that they are readable files at an obvious location and
//! are still published with the generator: a crate cannot include files outside of its own folder.
//! The file names end in `.in`, because cargo treats a folder with a `Cargo.toml` as another package
//! and excludes it.
//!
//! A template has placeholders, `{{name}}`, which the generator replaces in one pass. Placeholders
//! in the inserted values are ignored.

/// A template file and its path in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// The path in the new crate.
    pub path: &'static str,
    /// The text, with placeholders.
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
    /// The files around the modules of a generated crate.
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
    /// The program of `bothends contract`, around a generated module.
    CONTRACT = {
        "Cargo.toml": "driver/Cargo.toml.in",
        "src/main.rs": "driver/contract.rs.in",
    };
    /// The program of `bothends examples`, around a generated module.
    EXAMPLES = {
        "Cargo.toml": "driver/Cargo.toml.in",
        "src/main.rs": "driver/examples.rs.in",
    };
}
