//! `bothends config [--check]`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bothends::Config;
use bothends::config::{FILE_NAME, FileEntry, SETTINGS, Setting, file_entries};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _};

use super::args::{Cli, Configuration, MessageFormat};
use super::{End, report, settings};

pub(super) fn run(args: &Configuration) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, MessageFormat::Human);
        End::Failed
    })
}

fn try_run(args: &Configuration) -> Result<End, String> {
    let path = args.settings.config.clone();
    let path = path.or_else(|| Some(PathBuf::from(FILE_NAME)).filter(|path| path.is_file()));
    let entries = path.as_deref().map_or_else(|| Ok(Vec::new()), read)?;
    let shown = path.unwrap_or_default().display().to_string();
    let matches = Cli::command().get_matches();
    let flags = matches.subcommand().map(|(_, flags)| flags);
    for setting in SETTINGS {
        report::print(&lines(setting, &entries, &shown, flags));
    }
    let mut problems: Vec<String> = entries
        .iter()
        .filter_map(|entry| Some(format!("{shown}:{}: {}", entry.line, entry.error.as_ref()?)))
        .collect();
    if args.check && problems.is_empty() {
        problems = missing_files(args)?;
    }
    for problem in &problems {
        report::failure(problem, MessageFormat::Human);
    }
    Ok(if problems.is_empty() {
        End::Done
    } else {
        End::Found
    })
}

fn read(path: &Path) -> Result<Vec<FileEntry>, String> {
    let error = |cause: String| format!("{}: {cause}", path.display());
    let text = std::fs::read_to_string(path).map_err(|cause| error(cause.to_string()))?;
    file_entries(&text).map_err(error)
}

/// Returns the lines for a key: one for each of its origins.
fn lines(
    setting: &Setting,
    entries: &[FileEntry],
    file: &str,
    flags: Option<&ArgMatches>,
) -> String {
    let key = setting.key;
    let entry = entries.iter().find(|entry| entry.key == key);
    let names: Vec<&str> = setting
        .flag
        .iter()
        .flat_map(|flags| flags.split(", "))
        .collect();
    let given: Vec<(String, String, &str)> = names
        .iter()
        .filter_map(|name| {
            let value = given(setting, name, flags?)?;
            let of_list = match names.len() {
                1 => key.to_owned(),
                _ => format!("{key}.{}", name.trim_start_matches('-')),
            };
            Some((of_list, value, *name))
        })
        .collect();
    let mut text = String::new();
    // A list or a table has the values of both, and of any other key the flag counts.
    let adds = matches!(key, "allow" | "overlays" | "imports");
    if let Some(entry) = entry.filter(|_| given.len() < names.len().max(1) || adds) {
        text.push_str(&line(
            key,
            Some(&entry.value),
            &format!("{file}:{}", entry.line),
        ));
    }
    for (key, value, flag) in &given {
        text.push_str(&line(key, Some(value), flag));
    }
    if text.is_empty() {
        text = line(key, None, &format!("default: {}", setting.default));
    }
    text
}

fn line(key: &str, value: Option<&str>, origin: &str) -> String {
    let setting = value.map_or(key.to_owned(), |value| format!("{key} = {value}"));
    format!("{setting:<40}  # {origin}\n")
}

/// Returns the value of a flag of a key, if it is given.
fn given(setting: &Setting, flag: &str, flags: &ArgMatches) -> Option<String> {
    let id = flag
        .trim_start_matches('-')
        .replace('-', "_")
        .to_lowercase();
    if flags.value_source(&id) != Some(ValueSource::CommandLine) {
        return None;
    }
    let raw = flags.get_raw(&id)?;
    let raw = raw.map(OsStr::to_string_lossy);
    if setting.key == "imports" {
        let entries = raw.filter_map(|text| {
            let (file, module) = text.rsplit_once('=')?;
            Some(format!("{file:?} = {module:?}"))
        });
        return Some(format!("{{ {} }}", entries.collect::<Vec<_>>().join(", ")));
    }
    let values: Vec<String> = raw.map(quoted).collect();
    let value = values.join(", ");
    let is_list = setting.value.contains("list");
    Some(if is_list { format!("[{value}]") } else { value })
}

/// Returns a value as TOML has it: text in quotes, except for booleans.
fn quoted(value: impl AsRef<str>) -> String {
    match value.as_ref() {
        word @ ("true" | "false") => word.to_owned(),
        text => format!("{text:?}"),
    }
}

/// Returns a message for each file of the settings that does not exist.
fn missing_files(args: &Configuration) -> Result<Vec<String>, String> {
    let configs = settings::read_all(&args.settings)?;
    Ok(configs.iter().flat_map(missing_of).collect())
}

fn missing_of(config: &Config) -> Vec<String> {
    let spec = config.spec.iter().map(|path| ("spec", path));
    let overlays = config.overlays.iter().map(|path| ("overlays", path));
    let runtime = config
        .runtime_path
        .iter()
        .map(|path| ("runtime-path", path));
    let imports = config.imports.values();
    let imports = imports.filter_map(|import| Some(("imports", import.configuration()?)));
    let named = spec.chain(overlays).chain(runtime).chain(imports);
    let missing = named.filter(|(_, path)| !path.exists());
    let messages =
        missing.map(|(key, path)| format!("`{key}`: `{}` does not exist", path.display()));
    messages.collect()
}
