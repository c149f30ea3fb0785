//! Reading the files of the document.

use std::path::Path;

use super::Builder;
use crate::diagnostic::Diagnostics;
use crate::openapi;
use crate::source::{Limits, Loader, Overlays, Sources, Tree, load_overlaid};

impl Builder {
    /// Returns the limits for reading the document.
    fn limits(&self) -> Limits {
        Limits {
            allow_outside: self.config.allow_outside == Some(true),
            allow_remote: self.config.allow_remote == Some(true),
            ..Limits::default()
        }
    }

    /// Reads the files of the document, or of another version of it at a path, with the overlays.
    pub(super) fn tree(
        &self,
        loader: &dyn Loader,
        path: Option<&Path>,
        old: bool,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Tree> {
        let overlays = Overlays {
            loader,
            files: &self.config.overlays,
            stands_for: Some(&self.spec),
            lenient: old,
        };
        match (&self.document, path) {
            (Some(document), None) => {
                openapi::import("openapi.json", document, &overlays, sources, diagnostics)
            }
            (_, path) => {
                let path = path.unwrap_or(&self.spec);
                let limits = self.limits();
                load_overlaid(loader, path, &limits, &overlays, sources, diagnostics)
            }
        }
    }
}
