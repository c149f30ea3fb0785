//! The errors of a run.

use std::fmt;

use crate::diagnostic::UnknownCode;
use crate::output::OutputError;

/// An error that ended a run before any file was written.
///
/// The `Debug` output is the `Display` output on lines of its own: a `main` that returns this error
/// with `?`, such as that of a build script, prints it with `Debug`.
#[non_exhaustive]
pub enum Failure {
    /// The document has errors; the text lists them.
    Document(String),
    /// An allowance names an unknown code.
    UnknownCode(UnknownCode),
    /// A setting is invalid; the text names the setting and the reason.
    Setting(String),
    /// The `Cargo.toml` of a build script's package lacks a dependency or a feature; the text
    /// contains the line to write.
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
