//! What a crate that contains generated code has in its `Cargo.toml`.

use std::fmt::Write as _;
use std::path::Path;

use toml::Table;

use crate::emit::{Feature, Needs};
use crate::report::first_place;
use crate::scaffold::{Dependency, inline, key, one_line, toml_string};
use crate::source::Sources;

/// What the lines of a `Cargo.toml` are made of.
#[derive(Debug, Clone)]
pub struct Dependencies<'a> {
    /// What the generated code needs.
    pub needs: &'a Needs,
    /// The document, for the places of features.
    pub sources: &'a Sources,
    /// The document as the user names it.
    pub spec: &'a Path,
    /// Where the runtime comes from.
    pub runtime: Dependency,
    /// Where the generator comes from; `None` where no build script runs it.
    pub generator: Option<Dependency>,
    /// Dependencies of the configuration, for types of the format map.
    pub dependencies: &'a Table,
}

impl Dependencies<'_> {
    /// The tables `[dependencies]` and, for a build script, `[build-dependencies]`.
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
        if let Some(generator) = &self.generator {
            let value = generator.to_bare_toml();
            _ = write!(text, "\n[build-dependencies]\nbothends = {value}\n");
        }
        text
    }

    /// The dependency on the runtime, each feature on a line of its own.
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

    /// `    "uuid", # `format: uuid`, first at api.yaml:14 (#/paths/…)`
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

/// What serves most programs is on; the rest is a comment away.
fn optional_row(feature: &Feature) -> String {
    let off = if feature.name == "rustls" { "" } else { "# " };
    let name = toml_string(feature.name);
    format!(
        "    {off}{name}, # optional: {}\n",
        one_line(&feature.reason)
    )
}
