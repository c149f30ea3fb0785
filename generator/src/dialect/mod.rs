//! Reads a document of any dialect into the one [`Model`].

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::source::Tree;

/// Reads a document into the model.
///
/// `None` when it is no API description at all. Else whatever could be read: what could not is
/// among the diagnostics.
pub fn read(_tree: &Tree, _diagnostics: &mut Diagnostics) -> Option<Model> {
    None
}
