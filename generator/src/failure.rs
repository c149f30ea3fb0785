//! Why a run writes nothing.

use std::fmt;

use crate::diagnostic::UnknownCode;
use crate::output::OutputError;

/// Why nothing was written.
///
/// Its `Debug` is its `Display`, on lines of its own: a `main` that returns it with `?`, such as that
/// of a build script, prints it as `Debug`.
#[non_exhaustive]
pub enum Failure {
    /// The document has errors; the text lists them.
    Document(String),
    /// An allowance names a code that does not exist.
    UnknownCode(UnknownCode),
    /// A setting cannot be used; the text says which and why.
    Setting(String),
    /// The `Cargo.toml` of a build script's package lacks what the generated code needs; the text says
    /// which line to write.
    Manifest(String),
    /// A file could not be written or compared.
    Output(OutputError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(report) => f.write_str(report),
            Self::UnknownCode(code) => code.fmt(f),
            Self::Setting(reason) | Self::Manifest(reason) => f.write_str(reason),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_string();
        let break_before = if text.trim_end().contains('\n') {
            "\n"
        } else {
            ""
        };
        write!(f, "{break_before}{}", text.trim_end())
    }
}

impl std::error::Error for Failure {}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<UnknownCode> for Failure {
    fn from(code: UnknownCode) -> Self {
        Self::UnknownCode(code)
    }
}
