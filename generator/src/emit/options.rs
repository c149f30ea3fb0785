//! What may be asked of the stage, and how it fails.

use std::fmt;

/// What to emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which modules beside `types` and `operations`.
    pub parts: Parts,
    /// How structs implement serde.
    pub serde: Serde,
    /// Whether the methods of server traits have a default, which responds 501.
    pub unimplemented_handlers: bool,
}

/// Modules that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// `client`
    pub client: bool,
    /// `server`
    pub server: bool,
    /// `webhooks`
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

/// How structs implement serde.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Serde {
    /// A table that the runtime's macro reads.
    #[default]
    Table,
    /// serde's derive.
    Derive,
}

/// Names in the ir that are none in Rust: a mistake of an earlier stage, never of the document.
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
