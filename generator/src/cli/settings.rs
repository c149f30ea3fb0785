//! The combined settings of flags and configuration file.

use std::path::{Path, PathBuf};

use bothends::config::FILE_NAME;
use bothends::{Config, Parts, Serde, UnknownValues};

use super::args::{
    Allow, Checked, Filter, Overlays, Part, Reach, SerdeWord, Settings, UnknownWord,
};

/// Reads the configuration file and applies the flags. An error if the file has several documents and the
/// flags name none.
pub(super) fn read(args: &Settings) -> Result<Config, String> {
    only_config(read_all(args)?)
}

/// Reads the configuration file and applies the flags to each of its documents.
pub(super) fn read_all(args: &Settings) -> Result<Vec<Config>, String> {
    let loaded = load(args.config.as_deref())?;
    let mut configs = documents(loaded, args.document.document.as_deref())?;
    if args.spec.is_some() {
        configs = vec![only_config(configs)?];
    }
    configs.iter_mut().for_each(|config| apply(config, args));
    Ok(configs)
}

/// Returns the documents of a configuration, or the one with a name.
pub(super) fn documents(config: Config, name: Option<&str>) -> Result<Vec<Config>, String> {
    match (config.apis.is_empty(), name) {
        (true, None) => Ok(vec![config]),
        (true, Some(name)) => Err(format!(
            "unknown document `{name}`: the configuration has no `[[api]]`"
        )),
        (false, None) => Ok(config.apis),
        (false, Some(name)) => {
            let found = config.apis.iter().find(|api| api.document_name() == name);
            let found = found.cloned().map(|api| vec![api]);
            found.ok_or_else(|| {
                let names = names(&config.apis);
                format!("unknown document `{name}`; the documents are {names}")
            })
        }
    }
}

/// Returns the only document.
pub(super) fn only_config(configs: Vec<Config>) -> Result<Config, String> {
    match <[Config; 1]>::try_from(configs) {
        Ok([config]) => Ok(config),
        Err(configs) => Err(format!(
            "the configuration has several documents: name one by `--document`: {}",
            names(&configs)
        )),
    }
}

fn names(configs: &[Config]) -> String {
    let names = configs
        .iter()
        .map(|config| format!("`{}`", config.document_name()));
    names.collect::<Vec<_>>().join(", ")
}

/// Reads the configuration file and applies the flags of a command that compiles a program.
pub(super) fn read_checked(args: &Checked) -> Result<Config, String> {
    let loaded = load(args.config.as_deref())?;
    let mut config = only_config(documents(loaded, args.document.document.as_deref())?)?;
    path(&mut config.spec, args.spec.as_ref());
    path(&mut config.runtime_path, args.build.runtime_path.as_ref());
    apply_source(&mut config, &args.overlays, &args.filter, &args.reach);
    apply_allow(&mut config, &args.allow);
    Ok(config)
}

fn apply(config: &mut Config, args: &Settings) {
    path(&mut config.spec, args.spec.as_ref());
    path(&mut config.runtime_path, args.runtime_path.as_ref());
    config.parts = args.parts.as_deref().map(parts).or(config.parts);
    config.serde = args.serde.map(serde).or(config.serde);
    let unknown = args.unknown_values.map(unknown_values);
    config.unknown_values = unknown.or(config.unknown_values);
    let imports = args.import.iter().cloned();
    config
        .imports
        .extend(imports.map(|(file, module)| (file, module.into())));
    apply_source(config, &args.overlays, &args.filter, &args.reach);
    apply_allow(config, &args.allow);
}

/// Applies the flags that decide what is read.
fn apply_source(config: &mut Config, overlays: &Overlays, flags: &Filter, reach: &Reach) {
    config.overlays.extend_from_slice(&overlays.overlay);
    filter(config, flags);
    on(&mut config.allow_outside, reach.allow_outside);
    on(&mut config.allow_remote, reach.allow_remote);
}

fn apply_allow(config: &mut Config, flags: &Allow) {
    for code in &flags.allow {
        if !config.allow.contains(code) {
            config.allow.push(code.clone());
        }
    }
}

/// Reads the configuration file, or the default one if it exists.
pub(super) fn load(path: Option<&Path>) -> Result<Config, String> {
    let loaded = match path {
        Some(path) => Config::load(path).map(Some),
        None => Config::load_default(),
    };
    let config = loaded.map_err(|error| error.to_string())?;
    Ok(config.unwrap_or_default())
}

/// Replaces a path of the file by the path of a flag, if given.
pub(super) fn path(key: &mut Option<PathBuf>, flag: Option<&PathBuf>) {
    if let Some(path) = flag {
        *key = Some(path.clone());
    }
}

/// Replaces the lists of the file by those of the flags, if given.
pub(super) fn filter(config: &mut Config, flags: &Filter) {
    for (list, flags) in [
        (&mut config.include, &flags.include),
        (&mut config.exclude, &flags.exclude),
    ] {
        if !flags.is_empty() {
            list.clone_from(flags);
        }
    }
}

/// Enables a setting if the flag is given. The configuration file may enable the setting too.
pub(super) const fn on(key: &mut Option<bool>, flag: bool) {
    if flag {
        *key = Some(true);
    }
}

/// Returns the path of the document.
pub(super) fn spec(config: &Config) -> Result<PathBuf, String> {
    let spec = config.spec.clone();
    spec.ok_or_else(|| missing("OpenAPI document", "SPEC", "spec"))
}

/// Returns the message for a missing setting, with the flag and the key to set.
pub(super) fn missing(what: &str, flag: &str, key: &str) -> String {
    format!("no {what} is set: give `{flag}`, or set `{key}` in {FILE_NAME}")
}

fn parts(words: &[Part]) -> Parts {
    Parts {
        client: words.contains(&Part::Client),
        server: words.contains(&Part::Server),
        webhooks: words.contains(&Part::Webhooks),
    }
}

const fn serde(word: SerdeWord) -> Serde {
    match word {
        SerdeWord::Table => Serde::Table,
        SerdeWord::Derive => Serde::Derive,
    }
}

const fn unknown_values(word: UnknownWord) -> UnknownValues {
    match word {
        UnknownWord::Keep => UnknownValues::Keep,
        UnknownWord::Reject => UnknownValues::Reject,
    }
}
