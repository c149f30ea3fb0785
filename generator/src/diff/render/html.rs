//! The history of a document as a page of HTML: one file without scripts and without the network.
//! Every text of the document and of git is escaped.

use std::fmt::Write as _;

use super::details::details;
use super::lines::{Line, clip, lines};
use super::shown::{Row, Shown, plural};
use super::style::STYLE;
use super::{Format, Side, place};
use crate::diff::change::Report;
use crate::diff::rules::Level;
use crate::diff::view::View;

/// The levels in the order of the columns.
const LEVELS: [Level; 3] = [Level::Breaking, Level::Attention, Level::Safe];

/// A commit that changed a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The hash.
    pub hash: String,
    /// The date, as `YYYY-MM-DD`.
    pub date: String,
    /// The subject of the message.
    pub subject: String,
    /// The tags.
    pub tags: Vec<String>,
}

impl Commit {
    /// Returns the first digits of the hash.
    #[must_use]
    pub fn short(&self) -> &str {
        self.hash.get(..10).unwrap_or(&self.hash)
    }
}

/// The changes of a document by commit, in a page of HTML.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// The rows of the table of commits, the oldest first.
    rows: Vec<String>,
    /// The articles of the commits.
    articles: Vec<String>,
    /// The number of changes by level.
    counts: [usize; 3],
}

impl Timeline {
    /// Adds the changes of a commit.
    pub fn add(&mut self, commit: &Commit, report: &Report, old: Side<'_>, new: Side<'_>) {
        let view = View::of_all();
        let shown = Shown::new(report, old, new, Format::Markdown, &view);
        let sections = shown.sections();
        let counts = LEVELS.map(|level| {
            let of_level = sections.iter().filter(|(title, _)| *title == level.name());
            of_level.map(|(_, rows)| rows.len()).sum::<usize>()
        });
        for (all, count) in self.counts.iter_mut().zip(counts) {
            *all += count;
        }
        self.rows.push(row(commit, counts));
        self.articles.push(article(commit, &shown));
    }

    /// Returns the page, with the newest commit first.
    #[must_use]
    pub fn page(&self, document: &str, since: &str) -> String {
        let (document, since) = (escape(document), escape(since));
        let [breaking, attention, safe] = self.counts;
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
             'unsafe-inline'\"/>\n<title>Changes of {document} since {since}</title>\n<style>\n\
             {STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Changes of <code>{document}</code></h1>\n\
             <p>{} with changes since <code>{since}</code>: {breaking} breaking, {attention} \
             attention, {safe} safe.</p>\n</header>\n<main>\n",
            plural(self.rows.len(), "commit")
        );
        if !self.rows.is_empty() {
            page.push_str(
                "<table>\n<caption>Commits, the newest first</caption>\n<thead><tr><th \
                 scope=\"col\">date</th><th scope=\"col\">commit</th><th scope=\"col\">breaking</th>\
                 <th scope=\"col\">attention</th><th scope=\"col\">safe</th></tr></thead>\n<tbody>\n",
            );
            page.extend(self.rows.iter().rev().map(String::as_str));
            page.push_str("</tbody>\n</table>\n");
        }
        page.extend(self.articles.iter().rev().map(String::as_str));
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }
}

/// Returns the row of a commit in the table.
fn row(commit: &Commit, counts: [usize; 3]) -> String {
    let (date, id) = (escape(&commit.date), escape(commit.short()));
    let subject = escape(&commit.subject);
    let cells = LEVELS.iter().zip(counts).map(|(level, count)| {
        let class = if count == 0 { "none" } else { level.name() };
        format!("<td class=\"{class}\">{count}</td>")
    });
    format!(
        "<tr><td><time datetime=\"{date}\">{date}</time></td><td><a href=\"#c{id}\">{subject}</a>{}\
         </td>{}</tr>\n",
        tags(commit),
        cells.collect::<String>()
    )
}

fn tags(commit: &Commit) -> String {
    let tags = commit.tags.iter();
    let tags = tags.map(|tag| format!(" <strong class=\"tag\">{}</strong>", escape(tag)));
    tags.collect()
}

/// Returns the changes of a commit.
fn article(commit: &Commit, shown: &Shown<'_>) -> String {
    let (date, id) = (escape(&commit.date), escape(commit.short()));
    let mut text = format!(
        "<article id=\"c{id}\" aria-labelledby=\"h{id}\">\n<h2 id=\"h{id}\">{}</h2>\n<p><time \
         datetime=\"{date}\">{date}</time> <code>{id}</code>{} Version bump of the generated crate: \
         {}.</p>\n<table>\n<caption>Changes by audience</caption>\n<thead><tr><th \
         scope=\"col\">audience</th><th scope=\"col\">breaking</th><th scope=\"col\">attention</th>\
         <th scope=\"col\">safe</th></tr></thead>\n<tbody>\n",
        escape(&commit.subject),
        tags(commit),
        shown.report.bump(shown.view.bump).name(),
    );
    for (audience, [breaking, attention, safe]) in shown.counts() {
        _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{breaking}</td><td>{attention}</td><td>{safe}</td></tr>",
            audience.name()
        );
    }
    text.push_str("</tbody>\n</table>\n");
    for (title, rows) in shown.sections() {
        let open = if title == Level::Safe.name() {
            ""
        } else {
            " open=\"open\""
        };
        _ = writeln!(
            text,
            "<details{open}>\n<summary class=\"{title}\">{title}: {}</summary>\n<ul>",
            rows.len()
        );
        for line in lines(shown, &rows) {
            item(&mut text, shown, &line);
        }
        text.push_str("</ul>\n</details>\n");
    }
    text.push_str("</article>\n");
    text
}

/// Writes a line with the details of its changes.
fn item(text: &mut String, shown: &Shown<'_>, line: &Line<'_, '_>) {
    _ = writeln!(
        text,
        "<li><details><summary><code>{}</code> {} <small>({})</small></summary>",
        line.code,
        code_spans(&line.what),
        escape(&line.effects)
    );
    for row in &line.rows {
        if line.rows.len() > 1 {
            let what = format!("{}: {}", place(row.change), row.change.message());
            _ = writeln!(text, "<h3>{}</h3>", code_spans(&clip(&what, 300)));
        }
        described(text, shown, row);
    }
    text.push_str("</details></li>\n");
}

fn described(text: &mut String, shown: &Shown<'_>, row: &Row<'_>) {
    text.push_str("<dl>");
    for detail in details(shown.view, row) {
        let level = detail.level.map(|level| level.name());
        let level = level.map(|name| format!("<strong class=\"{name}\">{name}</strong> "));
        _ = write!(
            text,
            "<dt>{}</dt><dd>{}{}</dd>",
            detail.name,
            level.unwrap_or_default(),
            code_spans(&detail.text)
        );
    }
    text.push_str("</dl>\n");
}

/// Returns a message with its code spans. Backticks without a partner stay.
fn code_spans(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escape).collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let mut spans = String::new();
    for (index, part) in parts.iter().enumerate() {
        match index % 2 {
            0 => spans.push_str(part),
            _ => _ = write!(spans, "<code>{part}</code>"),
        }
    }
    spans
}

/// Escapes text for HTML, in elements and in attributes. Control characters are spaces.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clip(text, usize::MAX).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::code_spans;

    #[test]
    fn code_spans_are_elements_and_other_text_is_escaped() {
        for (text, expected) in [
            ("was `a<b>`", "was <code>a&lt;b&gt;</code>"),
            (
                "`x` to `'\"&`",
                "<code>x</code> to <code>&#39;&quot;&amp;</code>",
            ),
            ("one ` alone", "one ` alone"),
            ("</code>`\u{1b}`", "&lt;/code&gt;<code> </code>"),
        ] {
            assert_eq!(code_spans(text), expected);
        }
    }
}
