//! `bothends diff OLD NEW`

mod cat_file;
mod documents;
mod driver;
mod git;
mod version;

use std::path::{Path, PathBuf};

use bothends::config::FILE_NAME;
use bothends::diff::{Audience, BumpScope, Day, Entry, Format, Report, View, add_entries};
use bothends::output::write_file;
use bothends::{Builder, Comparison, Config};

use super::args::{self, Diff};
use super::{End, report, settings};
use documents::Documents;

pub(super) use git::Repository;

pub(super) fn run(args: &Diff) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Diff) -> Result<End, String> {
    if !args.git_driver.is_empty() {
        return driver::run(args);
    }
    let (path, mut config) = config(args.config.as_ref(), args)?;
    if let Some(place) = args.rust {
        config.module = Some(place == args::RustWord::Module);
    }
    let documents = Documents::new(args, &config)?;
    let builder = Builder::new(documents.new.path()).config(config.clone());
    let format = args.messages.message_format;
    let (old, new) = (
        documents.old.read(&builder, &config, true, format)?,
        documents.new.read(&builder, &config, false, format)?,
    );
    let mut compared = builder.comparison(old, new, Some(args.today.unwrap_or_else(today)));
    let Some(report) = &mut compared.report else {
        errors(&compared, args);
        return Ok(End::Failed);
    };
    accept(report, &path, args)?;
    let view = view(args);
    let text = compared.render(args.format.into(), &view);
    report::print(&text.unwrap_or_default());
    let report = compared
        .report
        .as_ref()
        .ok_or("the documents cannot be compared")?;
    if args.keep_names {
        let kept = report.kept_names();
        let count = report::counted(kept.len(), "name");
        let help = "generate again, and compare again";
        add(&path, "names", &kept, &format!("{count} kept"), help, args)?;
    }
    if let Some(path) = &args.write_version
        && let Some(written) = version::write(path, &documents.old, report.bump(view.bump))?
    {
        let message = format!("{}: {written}", path.display());
        let help = "generate the crate before it is released";
        report::note(&message, help, args.messages.message_format);
    }
    let reached = report.changes.iter().any(|change| view.fails(change));
    // The command ends here: it takes a tenth of the time to release the parts of large documents one by one.
    std::mem::forget(compared);
    Ok(if reached { End::Found } else { End::Done })
}

/// Accepts the changes of `--accept`, and writes them to the configuration file.
fn accept(report: &mut Report, path: &Path, args: &Diff) -> Result<(), String> {
    let mut entries = Vec::new();
    for pair in args.accept.chunks_exact(2) {
        let [fingerprint, reason] = pair else {
            continue;
        };
        let found = report
            .changes
            .iter()
            .any(|change| change.fingerprint == *fingerprint);
        if !found {
            return Err(format!(
                "no change has the fingerprint `{fingerprint}`; `--details` prints fingerprints"
            ));
        }
        if reason.trim().is_empty() {
            return Err(format!("`--accept {fingerprint}` needs a reason"));
        }
        entries.retain(|entry: &Entry| entry.key != *fingerprint);
        entries.push(Entry {
            key: fingerprint.clone(),
            value: reason.clone(),
        });
    }
    let accepted = entries
        .iter()
        .map(|entry| (entry.key.clone(), entry.value.clone()));
    report.accept(&accepted.collect());
    let count = report::counted(entries.len(), "change");
    let help = "commit the file with the document";
    add(
        path,
        "accepted-changes",
        &entries,
        &format!("{count} accepted"),
        help,
        args,
    )
}

/// Adds entries to a table of the configuration file, and reports what was added.
fn add(
    path: &Path,
    table: &str,
    entries: &[Entry],
    what: &str,
    help: &str,
    args: &Diff,
) -> Result<(), String> {
    if entries.is_empty() {
        return Ok(());
    }
    let shown = path.display();
    let text = add_entries(&read_or_empty(path)?, table, entries);
    let text = text.map_err(|error| format!("{shown}: {error}"))?;
    if write_file(path, &text).map_err(|error| error.to_string())? {
        let message = format!("{shown}: {what}");
        report::note(&message, help, args.messages.message_format);
    }
    Ok(())
}

/// Returns what the report shows.
fn view(args: &Diff) -> View {
    View {
        fail_on: args
            .fail_on
            .iter()
            .filter_map(|threshold| threshold.0)
            .collect(),
        audiences: match args.audience.as_slice() {
            [] => Audience::ALL.into(),
            some => some.into(),
        },
        min_severity: args.min_severity,
        limit: args.limit,
        details: args.details,
        bump: match args.bump {
            args::BumpWord::Rust => BumpScope::Rust,
            args::BumpWord::Wire => BumpScope::Wire,
            args::BumpWord::Both => BumpScope::Both,
        },
        base: std::env::current_dir().ok(),
    }
}

/// Prints the diagnostics of the documents with errors.
fn errors(compared: &Comparison, args: &Diff) {
    let format = args.messages.message_format;
    for read in [&compared.old, &compared.new] {
        if read.diagnostics.has_errors() {
            report::diagnostics(&read.diagnostics, &read.sources, format);
        }
    }
    report::failure("the documents cannot be compared", format);
}

/// Reads the configuration file and applies the flags. Returns the path of the file, too.
fn config(given: Option<&PathBuf>, args: &Diff) -> Result<(PathBuf, Config), String> {
    let path = given.cloned().unwrap_or_else(|| FILE_NAME.into());
    let loaded = match given {
        Some(path) => Config::load(path).map(Some),
        None => Config::load_default(),
    };
    let loaded = loaded
        .map_err(|error| error.to_string())?
        .unwrap_or_default();
    if !loaded.apis.is_empty() && (args.keep_names || !args.accept.is_empty()) {
        return Err(format!(
            "`--accept` and `--keep-names` write to a file with one document: write their entries into the \
             table of the document in {}",
            path.display()
        ));
    }
    let mut config = document(loaded, args)?;
    config.overlays.extend_from_slice(&args.overlays.overlay);
    super::settings::on(&mut config.allow_outside, args.reach.allow_outside);
    super::settings::on(&mut config.allow_remote, args.reach.allow_remote);
    for code in &args.allow.allow {
        if !config.allow.contains(code) {
            config.allow.push(code.clone());
        }
    }
    Ok((path, config))
}

/// Returns the configuration of the document that is compared: the one that is named, or the one with the
/// path of the new version.
fn document(loaded: Config, args: &Diff) -> Result<Config, String> {
    let name = args.document.document.as_deref();
    let path = args.git_driver.first().or(args.documents.last());
    let mut apis = loaded.apis.iter();
    match apis.find(|api| name.is_none() && api.spec.as_ref() == path) {
        Some(api) => Ok(api.clone()),
        // git compares other documents, too.
        None if name.is_none() && !args.git_driver.is_empty() => Ok(loaded),
        None => settings::only_config(settings::documents(loaded, name)?),
    }
}

fn read_or_empty(path: &Path) -> Result<String, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("cannot read `{}`: {error}", path.display())),
    }
}

impl From<args::DiffFormat> for Format {
    fn from(format: args::DiffFormat) -> Self {
        match format {
            args::DiffFormat::Human => Self::Human,
            args::DiffFormat::Json => Self::Json,
            args::DiffFormat::Markdown => Self::Markdown,
            args::DiffFormat::Sarif => Self::Sarif,
            args::DiffFormat::Github => Self::Github,
        }
    }
}

/// Returns the current day in UTC.
pub(super) fn today() -> Day {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = now.map_or(0, |since| since.as_secs() / 86_400);
    Day::from_epoch(days.cast_signed())
}
