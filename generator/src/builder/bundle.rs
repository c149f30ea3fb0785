//! A document as a single file of OpenAPI 3.0.

use super::Builder;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::openapi;
use crate::source::{FileLoader, Loader, Sources};
use crate::stack::on_large_stack;

/// A document as a single file of OpenAPI 3.0.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The text of the file. `None` if the document has errors.
    pub text: Option<String>,
    /// The diagnostics of the document.
    pub diagnostics: Diagnostics,
    /// All files that were read, in the order of reading.
    #[doc(hidden)]
    pub sources: Sources,
}

impl Builder {
    /// Returns an equivalent document of OpenAPI 3.0 in a single file, as JSON or as YAML.
    ///
    /// # Errors
    /// Returns an error if the document has errors.
    pub fn bundle(&self, json: bool) -> Result<Bundle, Failure> {
        on_large_stack(|| self.bundle_of(&FileLoader, json))
    }

    /// Returns the bundle for files of a loader.
    ///
    /// # Errors
    /// Returns an error if the document has errors.
    #[doc(hidden)]
    pub fn bundle_of(&self, loader: &dyn Loader, json: bool) -> Result<Bundle, Failure> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        for code in &self.config.allow {
            diagnostics.allow(code)?;
        }
        let filter = self.filter()?;
        let tree = self.tree(loader, None, false, &mut sources, &mut diagnostics);
        let document = tree.and_then(|tree| self.bundled(&tree, &filter, &mut diagnostics));
        let text = document
            .map(|document| openapi::to_text(&document, json))
            .transpose();
        let text = text
            .map_err(Failure::Setting)?
            .filter(|_| !diagnostics.has_errors());
        Ok(Bundle {
            text,
            diagnostics,
            sources,
        })
    }
}
