//! `bothends changelog SPEC --since REV`

use std::path::Path;

use bothends::diff::{Format, Level, View};
use bothends::{Builder, Comparison, Config};

use super::args::{Changelog, ChangelogFormat, MessageFormat};
use super::diff::{Repository, today};
use super::{End, readable, report};

pub(super) fn run(args: &Changelog) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, MessageFormat::Human);
        End::Failed
    })
}

fn try_run(args: &Changelog) -> Result<End, String> {
    readable(&args.spec)?;
    let config = Config {
        allow: args.allow.allow.clone(),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    let builder = Builder::new(&args.spec).config(config);
    let start = Repository::at(&args.spec, &args.since)?;
    let read = |repository: &Repository| {
        let read = builder.read_from(repository, Some(&args.spec), true);
        read.map_err(|failure| failure.to_string())
    };
    let first = read(&start)?;
    let head = builder.read_from(&bothends::source::FileLoader, None, true);
    let head = head.map_err(|failure| failure.to_string())?;
    // A file that only one end of the history refers to is part of the document, too.
    let files: Vec<&Path> = first.sources.paths().chain(head.sources.paths()).collect();
    let commits = start.commits(&files)?;
    let today = today();
    let (mut previous, mut skipped) = (first, 0);
    for commit in &commits {
        let next = read(&start.with_commit(&commit.hash))?;
        if next.api.is_none() {
            // The next version without errors contains these changes.
            skipped += 1;
            continue;
        }
        if previous.api.is_none() {
            previous = next;
            continue;
        }
        let compared = builder.comparison(previous, next.clone(), Some(&today));
        previous = next;
        let hash = commit.hash.get(..10).unwrap_or_default();
        let mut title = vec![commit.date.as_str(), hash, commit.subject.as_str()];
        let tags = commit.tags.join(", ");
        if !tags.is_empty() {
            title.insert(0, &tags);
        }
        section(args.format, &title, &compared);
    }
    if skipped > 0 {
        let count = report::counted(skipped, "version");
        let help = "`bothends lint` reports the errors of a version";
        let message = format!("{count} with errors skipped");
        report::note(&message, help, MessageFormat::Human);
    }
    Ok(End::Done)
}

/// Prints the changes of a commit, if there are any.
fn section(format: ChangelogFormat, title: &[&str], compared: &Comparison) {
    let empty = compared
        .report
        .as_ref()
        .is_none_or(|report| report.changes.is_empty());
    if empty {
        return;
    }
    let (head, format) = match format {
        ChangelogFormat::Human => (format!("{}\n\n", title.join(" · ")), Format::Human),
        ChangelogFormat::Markdown => (format!("# {}\n\n", title.join(" · ")), Format::Markdown),
    };
    let view = View {
        fail_on: Vec::new(),
        min_severity: Some(Level::Safe),
        ..View::default()
    };
    let text = compared.render(format, &view).unwrap_or_default();
    report::print(&format!("{head}{text}\n"));
}
