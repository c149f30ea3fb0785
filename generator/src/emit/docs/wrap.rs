//! Paragraphs of a doc comment, filled anew where a line is too long.
//!
//! A paragraph whose lines fit is as the document has it, and a changed paragraph changes no other.
//! Code, links, headings and tables are not broken, because a break would change their meaning or
//! make them hard to read. Long words are not broken either.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

/// Characters of a line: 100 columns, less `/// ` and the indent of a method within `handlers!`.
const WIDTH: usize = 88;

/// The extensions of rustdoc that affect where a line may end.
const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// Returns the lines. A paragraph with a line longer than [`WIDTH`] is filled anew.
pub(super) fn lines(lines: &[String]) -> Vec<Cow<'_, str>> {
    if lines.iter().all(|line| fits(line)) {
        return lines.iter().map(|line| Cow::Borrowed(&**line)).collect();
    }
    let text = lines.join("\n");
    let mut runs = runs(&text).into_iter().peekable();
    let (mut out, mut start, mut skipped) = (Vec::with_capacity(lines.len()), 0, 0);
    for line in lines {
        let end = start + line.len();
        let run = runs.next_if(|run| run.first().is_some_and(|word| word.start < end));
        match run.and_then(|run| filled(&text, start, &run)) {
            Some((lines, end)) => {
                out.extend(lines);
                skipped = end;
            }
            None if start < skipped => {}
            None => out.push(Cow::Borrowed(&**line)),
        }
        start = end + 1;
    }
    out
}

/// Returns whether a line is kept whole.
fn fits(line: &str) -> bool {
    line.len() <= WIDTH || line.chars().count() <= WIDTH
}

/// Returns the lines of words, and their end in the text, or `None` if they stay as they are. `start`
/// is the start of their first line.
fn filled(
    text: &str,
    start: usize,
    run: &[Range<usize>],
) -> Option<(Vec<Cow<'static, str>>, usize)> {
    let (first, end) = (run.first()?.start, run.last()?.end);
    let prefix = text.get(start..first)?;
    let words = run.iter().map(|word| text.get(word.clone()));
    let words: Vec<&str> = words.collect::<Option<_>>()?;
    let is_definition = words.first()?.starts_with('[') && words.first()?.ends_with("]:");
    let is_broken = words.iter().any(|word| word.contains('\n'));
    if is_definition || is_broken || text.get(start..end)?.split('\n').all(fits) {
        return None;
    }
    // Within a quote, and at the indentation of a list item.
    let below = prefix.chars().map(|c| if c == '>' { '>' } else { ' ' });
    let (mut lines, mut line) = (Vec::new(), prefix.to_owned());
    let (below, mut width) = (below.collect::<String>(), prefix.chars().count());
    // Words that no line may begin with stay behind the word before them.
    let is_bound = |before: &&str, next: &&str| !begins_text(next) || before.ends_with('\\');
    for (index, words) in words.chunk_by(is_bound).enumerate() {
        let words = words.join(" ");
        let more = words.chars().count() + 1;
        if index > 0 && width + more > WIDTH {
            lines.push(Cow::Owned(std::mem::replace(&mut line, below.clone())));
            width = below.chars().count();
        } else if index > 0 {
            line.push(' ');
        }
        line.push_str(&words);
        width += more;
    }
    lines.push(Cow::Owned(line));
    Some((lines, end))
}

/// Text that can be filled anew, each as its words: paragraphs, up to hard breaks.
#[derive(Default)]
struct Runs {
    ended: Vec<Vec<Range<usize>>>,
    run: Vec<Range<usize>>,
    /// Whether there is a space before the next part.
    is_apart: bool,
}

impl Runs {
    /// Adds a part of a word.
    fn add(&mut self, text: &str, mut part: Range<usize>) {
        let is_apart = std::mem::take(&mut self.is_apart);
        match self.run.last_mut() {
            Some(word) if !is_apart => word.end = word.end.max(part.end),
            _ => {
                // The range of an escaped character does not contain the backslash.
                let before = text.get(..part.start).unwrap_or_default();
                part.start = before.trim_end_matches('\\').len();
                self.run.push(part);
            }
        }
    }

    /// Adds words between spaces.
    fn words(&mut self, text: &str, part: Range<usize>) {
        let mut start = part.start;
        for (index, word) in text.get(part).unwrap_or_default().split(' ').enumerate() {
            self.is_apart |= index > 0;
            if !word.is_empty() {
                self.add(text, start..start + word.len());
            }
            start += word.len() + 1;
        }
    }

    fn end(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.ended.extend((!run.is_empty()).then_some(run));
        self.is_apart = false;
    }
}

/// Returns the words of each text that can be filled anew.
fn runs(text: &str) -> Vec<Vec<Range<usize>>> {
    use {Event::*, Tag::*};
    let mut runs = Runs::default();
    // The end of a link or a block that is kept.
    let mut kept = 0;
    for (event, range) in Parser::new_ext(text, EXTENSIONS).into_offset_iter() {
        match event {
            End(_) if range.end <= kept => {}
            Start(_) | Text(_) | Code(_) | SoftBreak | HardBreak if range.start < kept => {}
            Start(Link { .. } | Image { .. }) => {
                kept = range.end;
                runs.add(text, range);
            }
            Start(Heading { .. } | CodeBlock(_) | HtmlBlock | Table(_)) => {
                kept = range.end;
                runs.end();
            }
            Start(Emphasis | Strong | Strikethrough) => {
                runs.add(text, range.start..range.start + 1);
            }
            End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {
                runs.add(text, range.end - 1..range.end);
            }
            Text(_) => runs.words(text, range),
            SoftBreak => runs.is_apart = true,
            HardBreak => {
                runs.add(text, range.start..range.start + 1);
                runs.end();
            }
            Start(_) | End(_) | TaskListMarker(_) | Rule => runs.end(),
            _ => runs.add(text, range),
        }
    }
    runs.end();
    runs.ended
}

/// Returns whether a line with this start continues the paragraph and begins no other block.
fn begins_text(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    let Some(first) = word.chars().next() else {
        return false;
    };
    match first {
        '`' => !word.starts_with("```"),
        '[' => !word.starts_with("[^"),
        '*' | '_' => word.contains(char::is_alphanumeric),
        '"' | '\'' | '(' | '{' | '$' | '/' | '!' | '\\' => true,
        '0'..='9' => {
            !word
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .starts_with(['.', ')'])
                || !word.ends_with(['.', ')'])
        }
        other => other.is_alphanumeric() || !other.is_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, lines};
    use pulldown_cmark::Event;

    fn wrapped(text: &str) -> Vec<String> {
        let all: Vec<String> = text.split('\n').map(str::to_owned).collect();
        lines(&all).into_iter().map(String::from).collect()
    }

    #[test]
    fn a_long_line_is_broken_at_spaces() {
        let text = "word ".repeat(50).trim_end().to_owned();
        let parts = wrapped(&text);
        assert_eq!(parts.len(), 3);
        assert!(
            parts
                .iter()
                .all(|part| part.len() <= WIDTH && !part.ends_with(' '))
        );
        assert_eq!(parts.join(" "), text);
        let long = "x".repeat(200);
        assert_eq!(wrapped(&long), std::slice::from_ref(&long));
        assert_eq!(
            wrapped(&format!("a {long} b")),
            ["a".to_owned(), long, "b".to_owned()]
        );
    }

    #[test]
    fn a_line_that_fits_stays_whole() {
        for length in [WIDTH - 1, WIDTH] {
            let line = format!("{}and", "x".repeat(length - 4) + " ");
            assert_eq!(wrapped(&line), [line]);
        }
        // Characters count, not bytes.
        let line = format!("{} and", "ü".repeat(WIDTH - 4));
        assert_eq!(wrapped(&line), [line]);
        let parts = wrapped(&format!("{} and", "x".repeat(WIDTH - 3)));
        assert_eq!(parts.len(), 2, "{parts:?}");
    }

    #[test]
    fn a_paragraph_of_long_lines_has_no_short_ones() {
        let line = "word ".repeat(19) + "word";
        let parts = wrapped(&format!("{line}\n{line}\n{line}"));
        let (_, full) = parts.split_last().expect("lines");
        assert_eq!(parts.join(" ").split(' ').count(), 60);
        assert!(full.iter().all(|part| part.len() > WIDTH - 5), "{parts:?}");
    }

    #[test]
    fn a_changed_paragraph_changes_no_other() {
        let tail = "other ".repeat(40);
        let short = "a paragraph\nwrapped by hand";
        let (text, changed) = (
            format!("{tail}a\n\n{short}\n\n{tail}"),
            format!("{tail}b c d\n\n{short}\n\n{tail}"),
        );
        let after = |parts: Vec<String>| {
            let at = parts.iter().position(String::is_empty);
            parts
                .get(at.expect("a blank line")..)
                .map(<[String]>::to_vec)
        };
        assert!(wrapped(&text).join("\n").contains(short));
        assert_eq!(after(wrapped(&text)), after(wrapped(&changed)));
    }

    #[test]
    fn code_links_headings_and_tables_stay() {
        let words = "word ".repeat(30);
        let words = words.trim_end();
        for kept in [
            format!("`{words}`"),
            format!("[{words}](https://example.org)"),
            format!("[a](https://example.org \"{words}\")"),
            format!("# {words}"),
            format!("[a]: https://example.org {words}"),
            format!("```text\n{words}\n```"),
            format!("a | b\n--|--\n{words} | c"),
        ] {
            assert_eq!(wrapped(&kept).join("\n"), kept);
        }
    }

    #[test]
    fn parts_stay_within_lists_and_quotes() {
        let words = "word ".repeat(24);
        let words = words.trim_end();
        let parts = wrapped(&format!("- {words}"));
        assert!(
            parts.len() == 2 && parts[1].starts_with("  word"),
            "{parts:?}"
        );
        let parts = wrapped(&format!("> 1. {words}"));
        assert!(
            parts.len() == 2 && parts[1].starts_with(">    word"),
            "{parts:?}"
        );
    }

    #[test]
    fn no_part_begins_a_block() {
        let lead = "x".repeat(WIDTH - 2);
        let tail = "then ".repeat(3);
        for word in [
            "-", "+", "1.", "12)", "#", ">", "```", "~~~", "---", "===", "[^1]:", "|",
        ] {
            let line = format!("{lead} {word} {tail}");
            let parts = wrapped(&line);
            assert!(
                !parts.iter().skip(1).any(|part| part.starts_with(word)),
                "{parts:?}"
            );
        }
    }

    /// What rustdoc shows: the events of a text, with each line break as a space.
    fn shown(text: &str) -> Vec<String> {
        let events = pulldown_cmark::Parser::new_ext(text, super::EXTENSIONS);
        let merged = pulldown_cmark::TextMergeStream::new(events.map(|event| match event {
            Event::SoftBreak => Event::Text(" ".into()),
            other => other,
        }));
        let shown = merged.map(|event| match event {
            Event::Text(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            other => format!("{other:?}"),
        });
        shown.collect()
    }

    #[test]
    fn filled_text_is_shown_as_before() {
        let words = "word *two words* ".repeat(9);
        for text in [
            format!("{words}\\\n{words} \\* \\`a b\\` &amp; <https://example.org/a> {words}"),
            format!("- {words}\n  {words}\n  - [ ] {words}\n    {words}\n\n  {words}\n1. {words}"),
            format!("> {words}\n> {words}\n{words}\n>\n> - {words}\n>   {words}\n> # {words}"),
            format!(
                "{words}**{words}\n{words}** ~~{words}~~![{words}](a.png) [`a`] [^1]\n\n[^1]: {words}"
            ),
            format!(
                "[a]: https://example.org {words}\n\n[a]: https://example.org\n{words}[b c][a]"
            ),
            format!(
                "{words}\n***\n{words}\n---\n{words}\n# {words}\n{words}\n| a |\n|---|\n| {words} |"
            ),
            format!("*{words}[a b](c)*\n\n{words}1.\n{words}+ {words}- a\n{words}\\ a"),
        ] {
            let parts = wrapped(&text);
            assert_ne!(parts.join("\n"), text);
            assert_eq!(shown(&parts.join("\n")), shown(&text), "{parts:#?}");
        }
    }
}
