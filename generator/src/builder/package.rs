//! The files around generated modules: those of a crate, and the lines of a `Cargo.toml`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use super::{Builder, Plan};
use crate::emit::{self, Needs, Parts};
use crate::failure::Failure;
use crate::ir::Api;
use crate::manifest::Dependencies;
use crate::output::OutputFile;
use crate::scaffold::{self, Dependency, Package};

impl Builder {
    /// Returns the lines of a `Cargo.toml` that the code of a plan needs.
    ///
    /// `generator` is the source of this crate for a build script.
    ///
    /// # Errors
    /// Returns an error if the path of the runtime is invalid.
    #[doc(hidden)]
    pub fn dependencies(
        &self,
        plan: &Plan,
        generator: Option<Dependency>,
    ) -> Result<String, Failure> {
        let lines = Dependencies {
            needs: &plan.needs,
            sources: &plan.sources,
            spec: &self.spec,
            runtime: self.runtime(Path::new("."))?,
            generator,
            dependencies: &self.config.dependencies,
        };
        Ok(lines.to_toml())
    }

    /// Returns the dependency on the runtime for a `Cargo.toml` in `folder`.
    fn runtime(&self, folder: &Path) -> Result<Dependency, Failure> {
        let Some(path) = &self.config.runtime_path else {
            return Ok(Dependency::Registry);
        };
        let path = scaffold::path_between(folder, path);
        let path = path.map_err(|error| Failure::Setting(error.to_string()))?;
        Ok(Dependency::Path(path))
    }

    /// Returns the files around the modules of a crate.
    pub(super) fn package(
        &self,
        api: &Api,
        parts: Parts,
        needs: &Needs,
    ) -> Result<Vec<OutputFile>, Failure> {
        let name = match &self.config.name {
            Some(name) => name.clone(),
            None => scaffold::crate_name_of(&api.title),
        };
        let bad = |error: &dyn fmt::Display| Failure::Setting(error.to_string());
        scaffold::check_crate_name(&name).map_err(|error| bad(&error))?;
        self.check_crates(api, needs)?;
        let runtime = self.runtime(self.config.out.as_deref().unwrap_or(Path::new(".")))?;
        let spec = self
            .spec
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        Ok(scaffold::package(&Package {
            name: &name,
            title: &api.title,
            spec: spec.as_deref().unwrap_or_default(),
            parts,
            runtime,
            runtime_features: &needs.type_features(),
            client_features: emit::client_features(api),
            test_features: &needs.tests,
            tags: &needs.tags,
            dependencies: &self.config.dependencies,
            workspace_member: self.config.workspace_member.unwrap_or_default(),
        }))
    }

    /// Checks that the dependencies of a generated crate include the crates of the types in
    /// `[formats]` and `[types]`, the derives and the attributes that the code uses.
    fn check_crates(&self, api: &Api, needs: &Needs) -> Result<(), Failure> {
        let used = api.custom_types();
        let formats = self.config.formats.iter();
        for (format, path) in formats.filter(|(_, path)| used.contains(path.as_str())) {
            let taken = format!("`[formats]` takes `{format}` as `{path}`");
            self.check_crates_of(&taken, path, needs)?;
        }
        let types = self.config.types.iter();
        for (key, path) in types.filter(|(_, path)| used.contains(path.as_str())) {
            let taken = format!("`{key}` of `[types]` has `{path}`");
            self.check_crates_of(&taken, path, needs)?;
        }
        let stated = api.replacing_types();
        let configured: BTreeSet<&String> = self.config.types.values().collect();
        for path in stated.iter().filter(|path| !configured.contains(path)) {
            let taken = format!("`x-rust-type` states `{path}`");
            self.check_crates_of(&taken, path, needs)?;
        }
        let lists = [
            ("derives", &self.config.derives),
            ("attributes", &self.config.attributes),
        ];
        for (table, lists) in lists {
            for (key, text) in lists
                .iter()
                .flat_map(|(key, list)| list.iter().map(move |text| (key, text)))
            {
                let taken = format!("`{key}` of `[{table}]` has `{text}`");
                self.check_crates_of(&taken, text, needs)?;
            }
        }
        Ok(())
    }

    /// Checks that the dependencies of a generated crate include the crates of a text.
    fn check_crates_of(&self, taken: &str, text: &str, needs: &Needs) -> Result<(), Failure> {
        let crates = emit::crates_of(text);
        if let Some(own) = crates.iter().find(|name| emit::is_own(name)) {
            return Err(Failure::Setting(format!(
                "{taken}, but a generated crate has no `{own}::` of yours: name an item of another \
                 crate, or generate a module of your crate (`module = true`)"
            )));
        }
        let listed = |name: &str| {
            let mut keys = self.config.dependencies.keys();
            keys.any(|key| key.replace('-', "_") == name)
        };
        let mut missing = crates.iter().filter(|name| needs.crates.contains(*name));
        if let Some(name) = missing.find(|name| !listed(name)) {
            return Err(Failure::Setting(format!(
                "{taken}, but `[dependencies]` does not list `{name}`; add it to the \
                 configuration, in the version that you use:\n\n\
                 [dependencies]\n{name} = {{ version = \"…\", features = [\"serde\"] }}"
            )));
        }
        Ok(())
    }
}
