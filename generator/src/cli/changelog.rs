//! `bothends changelog SPEC --since REV`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bothends::diff::{Commit, Format, Side, Timeline, View};
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
        overlays: args.overlays.overlay.clone(),
        allow: args.allow.allow.clone(),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    let builder = Builder::new(&args.spec).config(config.clone());
    let start = Repository::at(&args.spec, &args.since)?;
    let mut without: BTreeMap<&Path, usize> = BTreeMap::new();
    let mut read = |repository: &Repository| {
        let (overlays, missing) = repository.former(&args.overlays.overlay);
        for overlay in missing {
            *without.entry(overlay).or_default() += 1;
        }
        let config = Config {
            overlays,
            ..config.clone()
        };
        let builder = builder.clone().config(config);
        let read = builder.read_from(repository, Some(&args.spec), true);
        read.map_err(|failure| failure.to_string())
    };
    let first = read(&start)?;
    let head = builder.read_from(&bothends::source::FileLoader, None, true);
    let head = head.map_err(|failure| failure.to_string())?;
    // A file that only one end of the history refers to is part of the document, too.
    let overlays = args.overlays.overlay.iter();
    let overlays: Vec<PathBuf> = overlays.flat_map(|path| start.names(path)).collect();
    let files = first.sources.paths().chain(head.sources.paths());
    let files: Vec<&Path> = files.chain(overlays.iter().map(PathBuf::as_path)).collect();
    let commits = start.commits(&files)?;
    let today = args.today.unwrap_or_else(today);
    let (mut previous, mut skipped) = (first, 0);
    let mut timeline = Timeline::default();
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
        let compared = builder.comparison(previous, next.clone(), Some(today));
        previous = next;
        let changed = compared.report.as_ref();
        let Some(changed) = changed.filter(|report| !report.changes.is_empty()) else {
            continue;
        };
        match args.format {
            ChangelogFormat::Human => section("", commit, &compared, Format::Human),
            ChangelogFormat::Markdown => section("# ", commit, &compared, Format::Markdown),
            ChangelogFormat::Html => {
                let [old, new] = [&compared.old, &compared.new].map(|read| Side {
                    sources: &read.sources,
                });
                timeline.add(commit, changed, old, new);
            }
        }
    }
    if args.format == ChangelogFormat::Html {
        report::print(&timeline.page(&args.spec.display().to_string(), &args.since));
    }
    for (overlay, count) in without {
        let count = report::counted(count, "version");
        let message = format!("{count} without the overlay `{}`", overlay.display());
        let help = "the changes that the overlay makes are those of the version that added it";
        report::note(&message, help, MessageFormat::Human);
    }
    if skipped > 0 {
        let count = report::counted(skipped, "version");
        let help = "`bothends lint` reports the errors of a version";
        let message = format!("{count} with errors skipped");
        report::note(&message, help, MessageFormat::Human);
    }
    Ok(End::Done)
}

/// Prints the changes of a commit.
fn section(start: &str, commit: &Commit, compared: &Comparison, format: Format) {
    let tags = commit.tags.join(", ");
    let title = [&tags, &commit.date, commit.short(), &commit.subject];
    let title: Vec<&str> = title.into_iter().filter(|part| !part.is_empty()).collect();
    let text = compared.render(format, &View::of_all());
    let text = text.unwrap_or_default();
    report::print(&format!("{start}{}\n\n{text}\n", title.join(" · ")));
}
