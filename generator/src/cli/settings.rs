//! The combined settings of flags and configuration file.

use std::path::{Path, PathBuf};

use bothends::config::FILE_NAME;
use bothends::{Config, Parts, Serde, UnknownValues};

use super::args::{Filter, Part, SerdeWord, Settings, UnknownWord};

/// Reads the configuration file and applies the flags.
pub(super) fn read(args: &Settings) -> Result<Config, String> {
    let mut config = load(args.config.as_deref())?;
    path(&mut config.spec, args.spec.as_ref());
    config.overlays.extend_from_slice(&args.overlays.overlay);
    path(&mut config.runtime_path, args.runtime_path.as_ref());
    config.parts = args.parts.as_deref().map(parts).or(config.parts);
    config.serde = args.serde.map(serde).or(config.serde);
    let unknown = args.unknown_values.map(unknown_values);
    config.unknown_values = unknown.or(config.unknown_values);
    filter(&mut config, &args.filter);
    on(&mut config.allow_outside, args.reach.allow_outside);
    on(&mut config.allow_remote, args.reach.allow_remote);
    for code in &args.allow.allow {
        if !config.allow.contains(code) {
            config.allow.push(code.clone());
        }
    }
    Ok(config)
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
