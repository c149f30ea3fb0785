//! The styles in which a value is serialized into a parameter or a header.

use super::context::Context;
use crate::model::Style;
use crate::resolve::Node;

/// Reads `style` of a parameter, a header or an encoding.
pub(super) fn read_style<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Style> {
    let known = [
        "simple",
        "label",
        "matrix",
        "form",
        "spaceDelimited",
        "pipeDelimited",
        "deepObject",
        "cookie",
    ];
    Some(match context.word(node, &known) {
        Some("simple") => Style::Simple,
        Some("label") => Style::Label,
        Some("matrix") => Style::Matrix,
        Some("form") => Style::Form,
        Some("spaceDelimited") => Style::SpaceDelimited,
        Some("pipeDelimited") => Style::PipeDelimited,
        Some("deepObject") => Style::DeepObject,
        Some("cookie") => Style::Cookie,
        _ => {
            context.unknown(
                node,
                "`simple`, `label`, `matrix`, `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`",
            );
            return None;
        }
    })
}
