//! The builder: the options of a run, and the stages in order.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::config::{Config, Import};
use crate::diagnostic::Diagnostics;
use crate::diff::{Audience, Level, Stability};
use crate::emit::{self, Needs, Parts, Serde};
use crate::failure::Failure;
use crate::filter::Counts;
use crate::ir::Api;
use crate::lower::{UnknownCrates, UnknownValues};
use crate::output::OutputFile;
use crate::print;
use crate::report::{Style, render_human};
use crate::source::{FileLoader, Loader, Sources};
use crate::stack::on_large_stack;

mod api;
mod build;
mod bundle;
mod compare;
mod examples;
mod hints;
mod imports;
mod package;
mod propose;
mod read;
mod timings;

pub use bundle::Bundle;
pub use compare::{Comparison, Document};
pub use examples::ExamplesReport;
pub use propose::Proposal;
pub use timings::Timings;

use api::Use;

/// A builder that generates Rust code from an OpenAPI document.
///
/// By default all parts (types, client, server, webhooks) are generated, as a whole crate.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    spec: PathBuf,
    document: Option<Box<openapiv3::OpenAPI>>,
    config: Config,
    /// Whether a build script skips the check of its `Cargo.toml`.
    unchecked_manifest: bool,
    /// Whether a program runs the examples, and not a test.
    examples_program: bool,
}

/// The files and the diagnostics of a run, before any file is written.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The intermediate representation of the API. Empty if the document has errors.
    #[doc(hidden)]
    pub api: Api,
    /// The files, with paths relative to the output folder. Empty if the document has errors.
    pub files: Vec<OutputFile>,
    /// The crates and features that the generated code needs.
    #[doc(hidden)]
    pub needs: Needs,
    /// How much of the document the filter keeps. `None` without a filter.
    #[doc(hidden)]
    pub kept: Option<Counts>,
    /// The time of each stage.
    #[doc(hidden)]
    pub timings: Timings,
    /// The diagnostics of the document.
    pub diagnostics: Diagnostics,
    /// All files that were read, in the order of reading.
    #[doc(hidden)]
    pub sources: Sources,
}

impl Plan {
    /// Returns whether the document has errors. Such a plan must not be written.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Returns all diagnostics as text for people.
    #[must_use]
    pub fn report(&self) -> String {
        render_human(&self.diagnostics, &self.sources, Style::Plain)
    }
}

impl Builder {
    /// Creates a builder for the document at the path `spec`.
    pub fn new(spec: impl Into<PathBuf>) -> Self {
        Self {
            spec: spec.into(),
            ..Self::default()
        }
    }

    /// Creates a builder for a document that a code-first framework provides as types of
    /// `openapiv3`.
    #[must_use]
    pub fn from_openapi(document: openapiv3::OpenAPI) -> Self {
        Self {
            document: Some(Box::new(document)),
            ..Self::new("openapi.json")
        }
    }

    /// Applies all settings of a configuration except the path of the document.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        let out = config.out.clone().or(self.config.out);
        self.config = Config { out, ..config };
        self
    }

    /// Adds an overlay (OpenAPI Overlay 1.0 or 1.1), which is applied to the document after those
    /// that were added before.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.config.overlays.push(path.into());
        self
    }

    /// Sets the output folder. A build script does not need this setting: its output folder is
    /// `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.config.out = Some(dir.into());
        self
    }

    /// Sets the name of the generated crate. The default is made from the title of the document.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.config.name = Some(name.into());
        self
    }

    /// Sets whether to generate one file with inline modules (`mod.rs`) instead of a crate.
    #[must_use]
    pub const fn module(mut self, module: bool) -> Self {
        self.config.module = Some(module);
        self
    }

    /// Sets whether the generated crate is a member of a workspace.
    ///
    /// A crate that is not a member gets a workspace of its own, so that it builds in any folder.
    #[must_use]
    pub const fn workspace_member(mut self, member: bool) -> Self {
        self.config.workspace_member = Some(member);
        self
    }

    /// Sets a path for the dependency on the runtime crate.
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.config.runtime_path = Some(path.into());
        self
    }

    /// Sets the parts to generate in addition to the types.
    #[must_use]
    pub const fn parts(mut self, parts: Parts) -> Self {
        self.config.parts = Some(parts);
        self
    }

    /// Sets how structs implement serde.
    #[must_use]
    pub const fn serde(mut self, serde: Serde) -> Self {
        self.config.serde = Some(serde);
        self
    }

    /// Gives every method of the server traits a default that responds with 501.
    ///
    /// A server can then begin with some operations of a large document. Without this setting, the
    /// compiler reports every operation without a handler.
    #[must_use]
    pub const fn unimplemented_handlers(mut self, unimplemented: bool) -> Self {
        self.config.unimplemented_handlers = Some(unimplemented);
        self
    }

    /// Sets how generated types treat undocumented enum values and union tags that the service
    /// sends. The default is to keep them.
    #[must_use]
    pub const fn unknown_values(mut self, unknown: UnknownValues) -> Self {
        self.config.unknown_values = Some(unknown);
        self
    }

    /// Allows a diagnostic. An unused allowance is an error.
    #[must_use]
    pub fn allow(mut self, code: impl Into<String>) -> Self {
        self.config.allow.push(code.into());
        self
    }

    /// Adds a selector of operations, webhooks or schemas to generate, such as `tag:Billing`,
    /// `GET /v1/models`, `path:/v1/*`, an `operationId`, `webhook:invoicePaid` or `schema:Money`.
    ///
    /// Only what the selectors select is generated, with all that it refers to. Rust names do not
    /// depend on the selection.
    #[must_use]
    pub fn include(mut self, selector: impl Into<String>) -> Self {
        self.config.include.push(selector.into());
        self
    }

    /// Adds a selector of operations, webhooks or schemas to leave out, such as `deprecated` or one
    /// of [`Self::include`].
    #[must_use]
    pub fn exclude(mut self, selector: impl Into<String>) -> Self {
        self.config.exclude.push(selector.into());
        self
    }

    /// Sets whether the operations of each tag, and what only they need, are behind a Cargo feature
    /// of the generated crate. All of these features are on by default.
    ///
    /// In a module, they are features of the package that contains it: `bothends deps` prints them.
    #[must_use]
    pub const fn tag_features(mut self, features: bool) -> Self {
        self.config.tag_features = Some(features);
        self
    }

    /// Sets the Rust name of one part of the document.
    ///
    /// `what` is a JSON pointer (`/components/schemas/Pet`), after the path of its file unless that is
    /// the root document (`common.yaml#/components/schemas/Money`), the name of a reusable schema, an
    /// `operationId`, or `Schema.member`.
    #[must_use]
    pub fn rename(mut self, what: impl Into<String>, name: impl Into<String>) -> Self {
        self.config.names.insert(what.into(), name.into());
        self
    }

    /// Maps a `format` to a Rust type, given by its path.
    ///
    /// The type must implement the traits of serde. A whole crate also needs [`Self::dependency`]
    /// for the crate of the type.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.config.formats.insert(format.into(), rust_type.into());
        self
    }

    /// Uses a type of yours in place of the type of a schema.
    ///
    /// `schema` is the name of a reusable schema, a JSON pointer, or `FILE#POINTER` for a schema of
    /// another file. The type is given by its path, and implements serde's traits, `Clone`, `Debug`,
    /// `PartialEq`, `Send` and `Sync`. A whole crate also needs [`Self::dependency`] for the crate of
    /// the type.
    #[must_use]
    pub fn replace(mut self, schema: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.config.types.insert(schema.into(), rust_type.into());
        self
    }

    /// Sets the version of a crate whose types the document may state by `x-rust-type`, if it is not that
    /// of [`Self::dependency`].
    ///
    /// `version` is a version, `"*"` for any, `"!"` to generate the types of the crate, or a table with
    /// `version`, and `package` for a crate with another name.
    #[must_use]
    pub fn type_crate(mut self, name: impl Into<String>, version: impl Into<toml::Value>) -> Self {
        self.config.crates.insert(name.into(), version.into());
        self
    }

    /// Sets the treatment of types that the document states by `x-rust-type` and whose crates are not
    /// listed. The default is to generate them.
    #[must_use]
    pub const fn unknown_crates(mut self, unknown: UnknownCrates) -> Self {
        self.config.unknown_crates = Some(unknown);
        self
    }

    /// Sets whether to keep the validation rules of responses and of their headers, for
    /// `check_responses` of the runtime. By default only types that requests have keep their rules.
    #[must_use]
    pub const fn response_rules(mut self, rules: bool) -> Self {
        self.config.response_rules = Some(rules);
        self
    }

    /// Sets whether to generate a test of the examples of the document, in the module `examples`.
    ///
    /// The test reads each example by the type of its schema, checks the rules of the document, writes
    /// the value again, and lists the examples that the type refuses or writes differently. With client
    /// and server, a test in the module `exchange` sends the examples of each operation from one to the
    /// other, and needs the feature `test` of the runtime.
    #[must_use]
    pub const fn examples_test(mut self, test: bool) -> Self {
        self.config.examples_test = Some(test);
        self
    }

    /// Sets whether to generate a test of the types of [`Self::replace`] and of `x-rust-type`:
    /// `tests/types.rs` of the crate, or a test in the module.
    ///
    /// The test sends the examples of the document and up to 100 drawn values that are valid for the
    /// schema through each type, and lists the values that the type refuses or writes differently.
    #[must_use]
    pub const fn types_test(mut self, test: bool) -> Self {
        self.config.types_test = Some(test);
        self
    }

    /// Uses the types of another module for the schemas of a file.
    ///
    /// `file` is the path from the folder of the root document, and `module` the path of the module
    /// `types` that is generated from the file as a document of its own, such as `common_api::types`. An
    /// [`Import`] also names the configuration of that module. A whole crate also needs
    /// [`Self::dependency`] for the crate of the module.
    #[must_use]
    pub fn import(mut self, file: impl Into<String>, module: impl Into<Import>) -> Self {
        self.config.imports.insert(file.into(), module.into());
        self
    }

    /// Adds a derive macro to generated types, given by its path, such as `Hash` or
    /// `strum::EnumIter`.
    ///
    /// `types` is `*` for all types, `structs`, `enums`, `unions`, `newtypes`, the name of a reusable
    /// schema, a Rust name, or a JSON pointer. A whole crate also needs [`Self::dependency`] for the
    /// crate of the macro.
    #[must_use]
    pub fn derive(mut self, types: impl Into<String>, path: impl Into<String>) -> Self {
        let derives = self.config.derives.entry(types.into()).or_default();
        derives.push(path.into());
        self
    }

    /// Adds an attribute to generated types, given by its content: `#[content]`. `types` selects
    /// types as for [`Self::derive`].
    #[must_use]
    pub fn attribute(mut self, types: impl Into<String>, content: impl Into<String>) -> Self {
        let attributes = self.config.attributes.entry(types.into()).or_default();
        attributes.push(content.into());
        self
    }

    /// Adds a dependency to the `Cargo.toml` of a generated crate.
    ///
    /// `name` is the key under `[dependencies]`, and `value` its value, such as `"1"` or a table
    /// with `version` and `features`.
    #[must_use]
    pub fn dependency(mut self, name: impl Into<String>, value: impl Into<toml::Value>) -> Self {
        self.config.dependencies.insert(name.into(), value.into());
        self
    }

    /// Sets the lowest `x-stability-level` of operations whose clients and servers
    /// [`Self::compare`] treats as broken by a change.
    #[must_use]
    pub const fn stable_from(mut self, level: Stability) -> Self {
        self.config.stable_from = Some(level);
        self
    }

    /// Sets the number of days between the announcement of a removal and the removal that
    /// [`Self::compare`] requires of operations with an `x-stability-level`.
    #[must_use]
    pub fn deprecation_days(mut self, level: Stability, days: u32) -> Self {
        self.config.deprecation_days.insert(level, days);
        self
    }

    /// Sets the level of the changes of a rule of [`Self::compare`] for an audience. A code that is
    /// not a rule has no effect.
    #[must_use]
    pub fn severity(mut self, rule: &str, audience: Audience, level: Level) -> Self {
        self.config.severities.set(rule, audience, level);
        self
    }

    /// Accepts a change that [`Self::compare`] reports, given by its fingerprint, with the reason.
    #[must_use]
    pub fn accept_change(
        mut self,
        fingerprint: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        let accepted = &mut self.config.accepted_changes;
        accepted.insert(fingerprint.into(), reason.into());
        self
    }

    /// Sets whether relative references may lead outside the project of the document: its git
    /// repository, or the outermost folder with `bothends.toml` or `Cargo.toml` in it.
    #[must_use]
    pub const fn allow_outside(mut self, allow: bool) -> Self {
        self.config.allow_outside = Some(allow);
        self
    }

    /// Sets whether to fetch documents that references name by an `https:` URL.
    ///
    /// Number, size and time are limited, and only public addresses are contacted. Needs the
    /// feature `remote`.
    #[must_use]
    pub const fn allow_remote(mut self, allow: bool) -> Self {
        self.config.allow_remote = Some(allow);
        self
    }

    /// Sets whether [`Self::build`] checks in a build script that the package's `Cargo.toml`
    /// contains everything that the generated code needs. The default is `true`.
    ///
    /// The check does not see features that only the command line enables (`--features
    /// bothends-runtime/uuid`).
    #[must_use]
    pub const fn check_manifest(mut self, check: bool) -> Self {
        self.unchecked_manifest = !check;
        self
    }

    /// Generates functions that check the examples in place of tests, for the program of `bothends examples`.
    #[doc(hidden)]
    #[must_use]
    pub const fn examples_program(mut self) -> Self {
        self.config.examples_test = Some(true);
        self.examples_program = true;
        self
    }

    /// Runs every stage except the last and returns the files and the diagnostics. They run on a thread with a stack of
    /// 128 MiB: how deep a document nests does not depend on the caller's stack.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid. Errors in the document are part of the plan.
    pub fn plan(&self) -> Result<Plan, Failure> {
        on_large_stack(|| self.plan_of(&FileLoader))
    }

    /// Returns the plan for files of a loader. The files of `[imports]` are read from the file system.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid.
    #[doc(hidden)]
    pub fn plan_of(&self, loader: &dyn Loader) -> Result<Plan, Failure> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        for code in &self.config.allow {
            diagnostics.allow(code)?;
        }
        let filter = self.filter()?;
        self.check_paths()?;
        let mut timings = Timings::default();
        let tree = self.tree(loader, None, false, &mut sources, &mut diagnostics);
        timings.end("source");
        let read = tree.map(Cow::Owned);
        let read = read
            .and_then(|tree| self.read(tree, &filter, Use::Code, &mut diagnostics, &mut timings));
        if !diagnostics.has_errors() {
            diagnostics.finish();
        }
        let (api, kept) = read.filter(|_| !diagnostics.has_errors()).unzip();
        let files = api
            .as_ref()
            .map_or_else(|| Ok(Vec::new()), |api| self.files(api, &mut timings))?;
        let needs = api.as_ref().map(|api| Needs::new(api, &self.options()));
        Ok(Plan {
            needs: needs.unwrap_or_default(),
            api: api.unwrap_or_default(),
            files,
            kept: kept.flatten(),
            timings,
            diagnostics,
            sources,
        })
    }

    /// Returns the options of the stage `emit`.
    fn options(&self) -> emit::Options {
        emit::Options {
            parts: self.config.parts.unwrap_or_default(),
            serde: self.config.serde.unwrap_or_default(),
            unimplemented_handlers: self.config.unimplemented_handlers == Some(true),
            examples: match self.examples_program {
                true => emit::Examples::Program,
                false => emit::Examples::Tests,
            },
        }
    }

    /// Returns the text of all files for an API.
    fn files(&self, api: &Api, timings: &mut Timings) -> Result<Vec<OutputFile>, Failure> {
        let options = self.options();
        let output =
            emit::emit(api, &options).map_err(|names| Failure::Setting(names.to_string()))?;
        timings.end("emit");
        if self.config.module == Some(true) {
            let text = print::single(output);
            timings.end("print");
            return Ok(vec![OutputFile {
                path: "mod.rs".to_owned(),
                text,
            }]);
        }
        let mut files = self.package(api, options.parts, &output.needs)?;
        let modules = print::files(output).into_iter();
        files.extend(modules.map(|file| OutputFile {
            path: file.path,
            text: file.text,
        }));
        timings.end("print");
        Ok(files)
    }
}
