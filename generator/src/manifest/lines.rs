//! The lines in the `Cargo.toml` of a crate that contains generated code.

use std::fmt::Write as _;
use std::path::Path;

use toml::Table;

use crate::emit::{Feature, Needs};
use crate::report::first_place;
use crate::scaffold::{Dependency, inline, key, one_line, tags_toml, toml_string};
use crate::source::Sources;

/// The input for the lines of a `Cargo.toml`.
#[derive(Debug, Clone)]
pub struct Dependencies<'a> {
    /// The needs of the generated code.
    pub needs: &'a Needs,
    /// The files of the document, for the locations of features.
    pub sources: &'a Sources,
    /// The path of the document, as the user wrote it.
    pub spec: &'a Path,
    /// The source of the runtime.
    pub runtime: Dependency,
    /// The source of the generator. `None` if no build script runs the generator.
    pub generator: Option<Dependency>,
    /// Dependencies of the configuration, for types of the format map.
    pub dependencies: &'a Table,
}

impl Dependencies<'_> {
    /// Returns the tables `[dependencies]` and, for a build script, `[build-dependencies]`.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let spec = one_line(&self.spec.to_string_lossy());
        let mut text = format!("# Needed by the code generated from `{spec}`.\n[dependencies]\n");
        let mut lines = vec![("bothends-runtime".to_owned(), self.runtime_lines())];
        for (name, value) in self.dependencies {
            lines.push((name.clone(), format!("{} = {}\n", key(name), inline(value))));
        }
        let listed = |name: &str| {
            let mut keys = self.dependencies.keys();
            keys.any(|key| key.replace('-', "_") == name)
        };
        for name in self.needs.crates.iter().filter(|name| !listed(name)) {
            let line = format!(
                "# {} = {{ version = \"…\", features = [\"serde\"] }} # a type of `[formats]`; \
                 choose the version\n",
                one_line(name)
            );
            lines.push((name.clone(), line));
        }
        lines.sort();
        text.extend(lines.into_iter().map(|(_, line)| line));
        if !self.needs.tests.is_empty() {
            let value = self.runtime.to_toml(&self.needs.tests);
            _ = write!(text, "\n[dev-dependencies]\nbothends-runtime = {value}\n");
        }
        if !self.needs.tags.is_empty() {
            let names = self.needs.tags.iter().map(|tag| toml_string(&tag.name));
            let names: Vec<String> = names.collect();
            let (names, rows) = (names.join(", "), tags_toml(&self.needs.tags));
            _ = write!(text, "\n[features]\ndefault = [{names}]\n{rows}");
        }
        if let Some(generator) = &self.generator {
            let value = generator.to_bare_toml();
            _ = write!(text, "\n[build-dependencies]\nbothends = {value}\n");
        }
        text
    }

    /// Returns the dependency on the runtime, with each feature on a line of its own.
    fn runtime_lines(&self) -> String {
        let mut required: Vec<&Feature> =
            self.needs.types.iter().chain(&self.needs.parts).collect();
        required.sort_by_key(|feature| feature.name);
        let mut rows: Vec<String> = required.iter().map(|feature| self.row(feature)).collect();
        rows.extend(self.needs.optional.iter().map(optional_row));
        if rows.is_empty() {
            return format!("bothends-runtime = {}\n", self.runtime.to_toml(&[]));
        }
        format!(
            "bothends-runtime = {{ {}, features = [\n{}] }}\n",
            self.runtime.source(),
            rows.concat()
        )
    }

    /// Returns the row of a feature: `    "uuid", # `format: uuid`, first at api.yaml:14
    /// (#/paths/…)`
    fn row(&self, feature: &Feature) -> String {
        let mut comment = feature.reason.clone();
        if let Some(place) = first_place(&feature.places, self.sources) {
            let file = place.file.display();
            _ = write!(
                comment,
                ", first at {file}:{} ({})",
                place.line, place.pointer
            );
        }
        format!(
            "    {}, # {}\n",
            toml_string(feature.name),
            one_line(&comment)
        )
    }
}

/// Returns the row of an optional feature. Features that most programs use are enabled; the others
/// are commented out.
fn optional_row(feature: &Feature) -> String {
    let off = if feature.name == "rustls" { "" } else { "# " };
    let name = toml_string(feature.name);
    format!(
        "    {off}{name}, # optional: {}\n",
        one_line(&feature.reason)
    )
}
