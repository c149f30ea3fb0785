//! Writing the files of a plan, from a build script or any other program.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Builder, Plan};
use crate::config::Import;
use crate::failure::Failure;
use crate::manifest::{self, BuildScript};
use crate::output::{self, OutputFile, Record};
use crate::report::{Style, first_place, render_human};

impl Builder {
    /// Generates into the output folder, or from a build script into `OUT_DIR`, as `api.rs` for
    /// `bothends_runtime::include_api!`.
    ///
    /// In a build script, cargo runs the script again when a file of the document or an overlay
    /// changes. The script fails if the package's `Cargo.toml` certainly lacks a feature of
    /// `bothends-runtime` that the generated code needs; see [`Self::check_manifest`].
    ///
    /// # Errors
    /// Returns an error if the document has errors, a setting is invalid, the package's
    /// `Cargo.toml` lacks a dependency, or a file cannot be written. No file is changed in these
    /// cases.
    pub fn build(self) -> Result<(), Failure> {
        let Some(out_dir) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
            let out = self.config.out.clone();
            let out = out.ok_or_else(|| Failure::Setting("no output folder is set".to_owned()))?;
            let record = if self.config.module == Some(true) {
                Record::None
            } else {
                Record::Kept
            };
            let plan = self.plan()?;
            if plan.has_errors() {
                return Err(Failure::Document(plan.report()));
            }
            output::write(&out, &plan.files, record)?;
            return Ok(());
        };
        // Files outside `OUT_DIR` may be compiled as part of another package.
        let checked = !self.unchecked_manifest && self.config.out.is_none();
        let out = self.config.out.clone().unwrap_or(out_dir);
        let imports: Vec<Import> = self.config.imports.values().cloned().collect();
        let plan = self.module(true).plan()?;
        let configurations = imports.iter().filter_map(Import::configuration);
        let paths = plan.sources.paths();
        for path in paths.chain(configurations.map(PathBuf::as_path)) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        if plan.has_errors() {
            return Err(Failure::Document(plan.report()));
        }
        // Notes require no action, and cargo would repeat them at every build.
        let warnings = plan.diagnostics.without_notes();
        for line in render_human(&warnings, &plan.sources, Style::Plain).lines() {
            println!("cargo::warning={line}");
        }
        if checked {
            check_manifest(&plan)?;
        }
        let texts = plan.files.into_iter().map(|file| file.text);
        let files: Vec<OutputFile> = texts
            .map(|text| OutputFile {
                path: "api.rs".to_owned(),
                text,
            })
            .collect();
        output::write(&out, &files, Record::None)?;
        Ok(())
    }
}

/// Returns an error if the package's `Cargo.toml` certainly lacks something that the code of a plan
/// needs.
fn check_manifest(plan: &Plan) -> Result<(), Failure> {
    let script = BuildScript::from_environment();
    let missing = script.and_then(|script| manifest::check(&script, &plan.needs.features()));
    let Some(missing) = missing else {
        return Ok(());
    };
    let names: Vec<String> = missing
        .features
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let mut text = if missing.whole_crate {
        "error: the generated code needs the crate `bothends-runtime`, which is not a dependency"
            .to_owned()
    } else {
        let features = if names.len() == 1 {
            "feature"
        } else {
            "features"
        };
        format!(
            "error: the generated code needs the {features} {} of `bothends-runtime`",
            names.join(", ")
        )
    };
    _ = write!(text, "\n --> {}\n", missing.manifest.display());
    let features = plan.needs.types.iter().chain(&plan.needs.parts);
    for feature in features.filter(|feature| missing.features.contains(feature.name)) {
        _ = write!(text, "  = note: `{}`: {}", feature.name, feature.reason);
        if let Some(place) = first_place(&feature.places, &plan.sources) {
            _ = write!(text, ", first at {}:{}", place.file.display(), place.line);
        }
        text.push('\n');
    }
    _ = write!(
        text,
        "  = help: write under `[dependencies]`:\n\n{}\n\n\
         If the features are enabled on the command line only, turn this check off with \
         `Builder::check_manifest(false)`.\n",
        missing.line
    );
    Err(Failure::Manifest(text))
}
