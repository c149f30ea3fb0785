//! The options of emission, and its error.

use std::fmt;

/// The options of emission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The modules in addition to `types` and `operations`.
    pub parts: Parts,
    /// The implementation of serde for structs.
    pub serde: Serde,
    /// Whether the methods of server traits have a default that responds with 501.
    pub unimplemented_handlers: bool,
    /// Who runs the examples of the document.
    pub examples: Examples,
}

/// Who runs the examples of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Examples {
    /// Tests, whose messages have JSON pointers.
    #[default]
    Tests,
    /// A program, whose messages have the number of the file before each JSON pointer.
    Program,
}

/// The optional modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Whether to emit `client`.
    pub client: bool,
    /// Whether to emit `server`.
    pub server: bool,
    /// Whether to emit `webhooks`.
    pub webhooks: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            client: true,
            server: true,
            webhooks: true,
        }
    }
}

/// The implementation of serde for structs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Serde {
    /// A table for a macro of the runtime.
    #[default]
    Table,
    /// The derive macros of serde.
    Derive,
}

/// Names that are invalid in Rust: an error in an earlier stage, and never in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidNames(pub Vec<String>);

impl fmt::Display for InvalidNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not names in Rust: ")?;
        for (index, name) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}`{}`", name.escape_debug())?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidNames {}
