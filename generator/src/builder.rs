//! The front door: what is asked for, and the stages that answer it.

use std::path::PathBuf;

use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::emit::{self, Needs, Parts, Serde};
use crate::failure::Failure;
use crate::ir::Api;
use crate::lower::UnknownValues;
use crate::model::Model;
use crate::output::OutputFile;
use crate::report::{Style, render_human};
use crate::source::{self, Limits, Sources, Tree};
use crate::{dialect, lower, names, openapi, print};

mod build;
mod package;

/// What to generate from a document, and where.
///
/// The default is everything (types, client, server, webhooks), as a whole crate.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    spec: PathBuf,
    document: Option<Box<openapiv3::OpenAPI>>,
    config: Config,
    /// Whether a build script does without the check of its `Cargo.toml`.
    unchecked_manifest: bool,
}

/// What a run would write, and what it has to say.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What was decided about the API; empty when the document has errors.
    #[doc(hidden)]
    pub api: Api,
    /// The files, by path inside the output folder. Empty when the document has errors.
    pub files: Vec<OutputFile>,
    /// What the generated code needs of other crates.
    #[doc(hidden)]
    pub needs: Needs,
    /// What was found in the document.
    pub diagnostics: Diagnostics,
    /// Every file that was read, in the order it was read.
    #[doc(hidden)]
    pub sources: Sources,
}

impl Plan {
    /// Whether the document has errors, so that nothing may be written.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Everything that was found, as a person reads it.
    #[must_use]
    pub fn report(&self) -> String {
        render_human(&self.diagnostics, &self.sources, Style::Plain)
    }
}

/// A document as one file of OpenAPI 3.0.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The file; `None` when the document has errors.
    pub text: Option<String>,
    /// What was found in the document.
    pub diagnostics: Diagnostics,
    /// Every file that was read, in the order it was read.
    #[doc(hidden)]
    pub sources: Sources,
}

impl Builder {
    /// Generates from the document at `spec`.
    pub fn new(spec: impl Into<PathBuf>) -> Self {
        Self {
            spec: spec.into(),
            ..Self::default()
        }
    }

    /// Generates from a document that a code-first framework holds in the types of `openapiv3`.
    #[must_use]
    pub fn from_openapi(document: openapiv3::OpenAPI) -> Self {
        Self {
            document: Some(Box::new(document)),
            ..Self::new("openapi.json")
        }
    }

    /// Takes over everything that a configuration says, but for the document.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        let out = config.out.clone().or(self.config.out);
        self.config = Config { out, ..config };
        self
    }

    /// The folder to write into. A build script needs none: it writes into `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.config.out = Some(dir.into());
        self
    }

    /// Name of the generated crate; made from the title of the document otherwise.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.config.name = Some(name.into());
        self
    }

    /// One file with modules inside (`mod.rs`) instead of a crate.
    #[must_use]
    pub const fn module(mut self, module: bool) -> Self {
        self.config.module = Some(module);
        self
    }

    /// Whether the generated crate is a member of a workspace. One that is not states a workspace
    /// of its own, so that it builds wherever it lies.
    #[must_use]
    pub const fn workspace_member(mut self, member: bool) -> Self {
        self.config.workspace_member = Some(member);
        self
    }

    /// Writes a path dependency on the runtime crate.
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.config.runtime_path = Some(path.into());
        self
    }

    /// Which parts to generate beside the types.
    #[must_use]
    pub const fn parts(mut self, parts: Parts) -> Self {
        self.config.parts = Some(parts);
        self
    }

    /// How structs implement serde.
    #[must_use]
    pub const fn serde(mut self, serde: Serde) -> Self {
        self.config.serde = Some(serde);
        self
    }

    /// Gives every method of the server traits a default that responds 501, so that a server can begin
    /// with some operations of a large document. Without it the compiler names every operation that
    /// has no handler.
    #[must_use]
    pub const fn unimplemented_handlers(mut self, unimplemented: bool) -> Self {
        self.config.unimplemented_handlers = Some(unimplemented);
        self
    }

    /// What generated types do with enum values and tags of unions that the document does not list,
    /// where the service sends them; they are kept otherwise.
    #[must_use]
    pub const fn unknown_values(mut self, unknown: UnknownValues) -> Self {
        self.config.unknown_values = Some(unknown);
        self
    }

    /// Lets a diagnostic pass. An allowance that is not needed is an error.
    #[must_use]
    pub fn allow(mut self, code: impl Into<String>) -> Self {
        self.config.allow.push(code.into());
        self
    }

    /// Gives something a Rust name: a JSON pointer (`/components/schemas/Pet`), the name of a
    /// reusable schema, an `operationId`, or `Schema.member`.
    #[must_use]
    pub fn rename(mut self, what: impl Into<String>, name: impl Into<String>) -> Self {
        self.config.names.insert(what.into(), name.into());
        self
    }

    /// Takes values of a `format` as a Rust type, given by its path; it must implement serde's
    /// traits. A whole crate also needs [`Self::dependency`] on the crate of the type.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.config.formats.insert(format.into(), rust_type.into());
        self
    }

    /// Adds a dependency to the Cargo.toml of a whole crate: its name, and what stands for it under
    /// `[dependencies]`, such as `"1"` or a table with `version` and `features`.
    #[must_use]
    pub fn dependency(mut self, name: impl Into<String>, value: impl Into<toml::Value>) -> Self {
        self.config.dependencies.insert(name.into(), value.into());
        self
    }

    /// Lets relative references leave the folder of the document.
    #[must_use]
    pub const fn allow_outside(mut self, allow: bool) -> Self {
        self.config.allow_outside = Some(allow);
        self
    }

    /// Fetches documents that references name by an `https:` URL, in bounds of number, size and
    /// time, and never from an address that is not public. Needs the feature `remote`.
    #[must_use]
    pub const fn allow_remote(mut self, allow: bool) -> Self {
        self.config.allow_remote = Some(allow);
        self
    }

    /// Whether [`Self::build`] checks in a build script that the package's `Cargo.toml` has what the
    /// generated code needs; the default is `true`.
    ///
    /// The check does not see features that only the command line enables
    /// (`--features bothends-runtime/uuid`).
    #[must_use]
    pub const fn check_manifest(mut self, check: bool) -> Self {
        self.unchecked_manifest = !check;
        self
    }

    /// Runs every stage but the last: what would be written, and what was found.
    ///
    /// # Errors
    /// When a setting cannot be used. Errors in the document are in the plan.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        for code in &self.config.allow {
            diagnostics.allow(code)?;
        }
        let api = self.api(&mut sources, &mut diagnostics);
        if !diagnostics.has_errors() {
            diagnostics.finish();
        }
        let api = api.filter(|_| !diagnostics.has_errors());
        let files = api
            .as_ref()
            .map_or_else(|| Ok(Vec::new()), |api| self.files(api))?;
        let needs = api.as_ref().map(|api| Needs::of(api, &self.options()));
        Ok(Plan {
            needs: needs.unwrap_or_default(),
            api: api.unwrap_or_default(),
            files,
            diagnostics,
            sources,
        })
    }

    /// One resolved document of OpenAPI 3.0 that says what this one says, as YAML or as JSON.
    ///
    /// # Errors
    /// When the document has errors.
    pub fn bundle(&self, json: bool) -> Result<Bundle, Failure> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        for code in &self.config.allow {
            diagnostics.allow(code)?;
        }
        let read = self.model(&mut sources, &mut diagnostics);
        let document =
            read.and_then(|(tree, model)| openapi::bundle(&tree, &model, &mut diagnostics));
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

    /// Reads the document into the model; `None` when it has errors.
    fn model(&self, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Option<(Tree, Model)> {
        let limits = Limits {
            allow_outside: self.config.allow_outside == Some(true),
            allow_remote: self.config.allow_remote == Some(true),
            ..Limits::default()
        };
        let tree = match &self.document {
            None => source::load(&self.spec, &limits, sources, diagnostics)?,
            Some(document) => openapi::import("openapi.json", document, sources, diagnostics)?,
        };
        let model = dialect::read(&tree, diagnostics)?;
        (!diagnostics.has_errors()).then_some((tree, model))
    }

    /// From the document to the ir, named; `None` when the document has errors.
    fn api(&self, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Option<Api> {
        let (_, model) = self.model(sources, diagnostics)?;
        let options = lower::Options {
            formats: self.config.formats.clone(),
            unknown_values: self.config.unknown_values.unwrap_or_default(),
        };
        let mut api = lower::lower(model, &options, diagnostics);
        names::assign(&mut api, &self.config.names, diagnostics);
        (!diagnostics.has_errors()).then_some(api)
    }

    /// What to emit.
    fn options(&self) -> emit::Options {
        emit::Options {
            parts: self.config.parts.unwrap_or_default(),
            serde: self.config.serde.unwrap_or_default(),
            unimplemented_handlers: self.config.unimplemented_handlers == Some(true),
        }
    }

    /// From the ir to the text of files.
    fn files(&self, api: &Api) -> Result<Vec<OutputFile>, Failure> {
        let options = self.options();
        let output =
            emit::emit(api, &options).map_err(|names| Failure::Setting(names.to_string()))?;
        if self.config.module == Some(true) {
            return Ok(vec![OutputFile {
                path: "mod.rs".to_owned(),
                text: print::single(output),
            }]);
        }
        let mut files = self.package(api, options.parts, &output.needs)?;
        let modules = print::files(output).into_iter();
        files.extend(modules.map(|file| OutputFile {
            path: file.path,
            text: file.text,
        }));
        Ok(files)
    }
}
