//! Reading the values of `bothends.toml`.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::Config;
use super::entry::Entry;
use crate::diff::rules::by_id;
use crate::diff::{Audience, Severities};
use crate::emit::{Parts, Serde};
use crate::filter::Filter;
use crate::ir::Stability;
use crate::lower::{UnknownCrates, UnknownValues};

/// Parses the words of `parts`. Types are always generated, because the other parts use them.
pub(super) fn parts(words: &[&str]) -> Result<Parts, String> {
    let mut parts = Parts {
        client: false,
        server: false,
        webhooks: false,
    };
    for word in words {
        match *word {
            "types" => {}
            "client" => parts.client = true,
            "server" => parts.server = true,
            "webhooks" => parts.webhooks = true,
            other => {
                return Err(format!(
                    "unknown part `{other}`; parts are `types`, `client`, `server`, `webhooks`"
                ));
            }
        }
    }
    Ok(parts)
}

pub(super) fn serde(word: &str) -> Result<Serde, String> {
    match word {
        "table" => Ok(Serde::Table),
        "derive" => Ok(Serde::Derive),
        other => Err(format!(
            "unknown value `{other}` of `serde`; expected `table` or `derive`"
        )),
    }
}

pub(super) fn unknown_values(word: &str) -> Result<UnknownValues, String> {
    match word {
        "keep" => Ok(UnknownValues::Keep),
        "reject" => Ok(UnknownValues::Reject),
        other => Err(format!(
            "unknown value `{other}` of `unknown-values`; expected `keep` or `reject`"
        )),
    }
}

pub(super) fn unknown_crates(word: &str) -> Result<UnknownCrates, String> {
    match word {
        "generate" => Ok(UnknownCrates::Generate),
        "allow" => Ok(UnknownCrates::Allow),
        "deny" => Ok(UnknownCrates::Deny),
        other => Err(format!(
            "unknown value `{other}` of `unknown-crates`; expected `generate`, `allow` or `deny`"
        )),
    }
}

pub(super) fn stability(key: &str, word: &str) -> Result<Stability, String> {
    Stability::from_name(word).ok_or_else(|| {
        let levels = Stability::ALL.map(Stability::name).join("`, `");
        format!("unknown level `{word}` of {key}; levels are `{levels}`")
    })
}

/// Returns numbers of days by level.
pub(super) fn days(entry: &Entry<'_>) -> Result<BTreeMap<Stability, u32>, String> {
    let days = table(entry)?.iter().map(|(level, value)| {
        let days = value.as_integer().and_then(|days| days.try_into().ok());
        let days = days.ok_or_else(|| wrong(level, "a number of days", value))?;
        let key = format!("a key of `{}`", entry.key);
        Ok((stability(&key, level)?, days))
    });
    days.collect()
}

pub(super) fn string<'v>(entry: &Entry<'v>) -> Result<&'v str, String> {
    text(entry.key, entry.value)
}

pub(super) fn boolean(entry: &Entry<'_>) -> Result<bool, String> {
    let value = entry.value.as_bool();
    value.ok_or_else(|| wrong(entry.key, "`true` or `false`", entry.value))
}

/// Returns a list of strings. One string with commas is accepted too, as on the command line.
pub(super) fn strings<'v>(entry: &Entry<'v>) -> Result<Vec<&'v str>, String> {
    match entry.value {
        Value::String(list) => Ok(list.split(',').map(str::trim).collect()),
        Value::Array(items) => items.iter().map(|item| text(entry.key, item)).collect(),
        other => Err(wrong(entry.key, "a list of strings", other)),
    }
}

pub(super) fn table<'v>(entry: &Entry<'v>) -> Result<&'v Table, String> {
    let table = entry.value.as_table();
    table.ok_or_else(|| wrong(entry.key, "a table", entry.value))
}

pub(super) fn map(entry: &Entry<'_>) -> Result<BTreeMap<String, String>, String> {
    let pair = |(name, value): (&String, &Value)| match value {
        // `Pet.class = "…"` without quotes around the key is a table in TOML.
        Value::Table(_) => Err(format!(
            "put the key in quotes: \"{name}.…\", under `[{}]`",
            entry.key
        )),
        _ => Ok((name.clone(), text(name, value)?.to_owned())),
    };
    table(entry)?.iter().map(pair).collect()
}

/// Returns lists of strings by key.
pub(super) fn lists(entry: &Entry<'_>) -> Result<BTreeMap<String, Vec<String>>, String> {
    let pair = |(name, value): (&String, &Value)| match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| Ok(text(name, item)?.to_owned()));
            Ok((name.clone(), items.collect::<Result<_, String>>()?))
        }
        other => Err(wrong(name, "a list of strings", other)),
    };
    table(entry)?.iter().map(pair).collect()
}

/// Reads a table with the keys `include`, `exclude` and `features`.
pub(super) fn filter(config: &mut Config, entry: &Entry<'_>) -> Result<(), String> {
    for (key, value) in table(entry)? {
        let list = match key.as_str() {
            "include" => &mut config.include,
            "exclude" => &mut config.exclude,
            "features" => {
                config.tag_features = match text(key, value)? {
                    "tag" => Some(true),
                    "none" => Some(false),
                    other => {
                        return Err(format!(
                            "unknown value `{other}` of `features`; expected `tag` or `none`"
                        ));
                    }
                };
                continue;
            }
            _ => {
                let table = entry.key;
                return Err(format!(
                    "unknown key `{key}` in `[{table}]`; keys are `include`, `exclude` and `features`"
                ));
            }
        };
        let Value::Array(items) = value else {
            return Err(wrong(key, "a list of selectors", value));
        };
        let items = items.iter().map(|item| Ok(text(key, item)?.to_owned()));
        *list = items.collect::<Result<_, String>>()?;
    }
    Filter::parse(&config.include, &config.exclude).map(|_| ())
}

/// Returns levels by rule. A level is that of all audiences, or of those that a table names.
pub(super) fn severities(entry: &Entry<'_>) -> Result<Severities, String> {
    let mut severities = Severities::default();
    for (rule, value) in table(entry)? {
        if by_id(rule).is_none() {
            let help = "`bothends explain` and the guide have the rules";
            return Err(format!("unknown rule `{rule}` of `diff`; {help}"));
        }
        match value {
            Value::Table(audiences) => {
                for (audience, level) in audiences {
                    severities.set(rule, audience.parse()?, text(audience, level)?.parse()?);
                }
            }
            level => {
                let level = text(rule, level)?.parse()?;
                for audience in Audience::ALL {
                    severities.set(rule, audience, level);
                }
            }
        }
    }
    Ok(severities)
}

pub(super) fn text<'v>(key: &str, value: &'v Value) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| wrong(key, "a string", value))
}

pub(super) fn wrong(key: &str, wanted: &str, value: &Value) -> String {
    format!(
        "expected {wanted} for `{key}`, found {}",
        article(value.type_str())
    )
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}
