//! Reading the document, up to its intermediate representation.

use std::path::Path;

use super::Builder;
use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::model::Model;
use crate::source::{FileLoader, Limits, Loader, Overlays, Sources, Tree, load_overlaid};
use crate::{dialect, lower, names, openapi, sharing};

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

    /// Reads the document into the model. Returns `None` if the document has errors.
    pub(super) fn model(
        &self,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Tree, Model)> {
        let tree = self.tree(&FileLoader, None, false, sources, diagnostics)?;
        let model = dialect::read(&tree, diagnostics)?;
        (!diagnostics.has_errors()).then_some((tree, model))
    }

    /// Returns the named intermediate representation of the document, or `None` if the document has
    /// errors.
    pub(super) fn api(&self, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Option<Api> {
        let (_, model) = self.model(sources, diagnostics)?;
        let mut api = self.lowered(model, false, diagnostics);
        names::request(&mut api, &self.config.names, diagnostics);
        sharing::settle(&mut api);
        names::assign(&mut api, diagnostics);
        (!diagnostics.has_errors()).then_some(api)
    }

    /// Returns the intermediate representation of a model, without names.
    pub(super) fn lowered(
        &self,
        model: Model,
        all_rules: bool,
        diagnostics: &mut Diagnostics,
    ) -> Api {
        let options = lower::Options {
            formats: self.config.formats.clone(),
            unknown_values: self.config.unknown_values.unwrap_or_default(),
            all_rules,
        };
        lower::lower(model, &options, diagnostics)
    }
}
