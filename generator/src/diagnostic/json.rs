//! Diagnostics for programs: one JSON object a line.

use super::Diagnostics;
use crate::source::Sources;

/// Renders all diagnostics, one JSON object a line.
#[must_use]
pub fn render_json(_diagnostics: &Diagnostics, _sources: &Sources) -> String {
    String::new()
}
