//! Long lines of a doc comment, broken at spaces where the meaning in CommonMark does not change.
//!
//! Each line of the text is broken separately, so that a changed paragraph changes no other
//! paragraph. Code, links, headings and tables are not broken, because a break would change their
//! meaning. Long words are not broken either.

use super::markdown::{fence_mark, uncontained};
use std::borrow::Cow;

/// Characters of a part: 100 columns, less the indent of a member and `/// `.
const WIDTH: usize = 92;

/// The maximum length of an unbroken line. Documents are often wrapped by hand at 100 columns, and
/// breaking such a line at [`WIDTH`] would leave one word on a separate line.
const LONGEST: usize = 100;

/// Returns whether a line after so many characters stays unbroken.
pub(super) fn fits_after(before: usize, line: &str) -> bool {
    before + line.chars().count() <= LONGEST
}

/// Returns the lines. A line longer than [`LONGEST`] is broken at [`WIDTH`] if possible.
pub(super) fn lines(lines: &[String]) -> Vec<Cow<'_, str>> {
    let mut out = Vec::with_capacity(lines.len());
    // The character of an open fence, and its length.
    let mut fence: Option<(char, usize)> = None;
    let mut table = false;
    for (index, line) in lines.iter().enumerate() {
        let mark = fence_mark(uncontained(line));
        match (fence, mark) {
            (Some((open, len)), Some((found, info))) => {
                if found.mark == open && found.len >= len && info.is_empty() {
                    fence = None;
                }
                out.push(Cow::Borrowed(line.as_str()));
                continue;
            }
            (None, Some((found, _))) => fence = Some((found.mark, found.len)),
            _ => {}
        }
        let starts_block = index == 0 || lines.get(index - 1).is_some_and(String::is_empty);
        if starts_block {
            let block = lines.iter().skip(index).take_while(|line| !line.is_empty());
            table = block.into_iter().any(|line| line.contains('|'));
        }
        if fence.is_some() || table || fits(line) || keeps(uncontained(line)) {
            out.push(Cow::Borrowed(line.as_str()));
        } else {
            broken(line, &mut out);
        }
    }
    out
}

/// Returns whether a line is kept whole.
fn fits(line: &str) -> bool {
    line.len() <= LONGEST || line.chars().count() <= LONGEST
}

/// Returns whether a line is a heading or a link definition.
fn keeps(content: &str) -> bool {
    content.starts_with('#') || (content.starts_with('[') && content.contains("]:"))
}

/// Adds the parts of one line.
fn broken<'a>(line: &'a str, out: &mut Vec<Cow<'a, str>>) {
    let (prefix, content) = line.split_at(line.len() - uncontained(line).len());
    // Within a quote, and below the marker of a list item.
    let below: String = prefix
        .chars()
        .map(|c| if c == '>' { '>' } else { ' ' })
        .collect();
    let room = WIDTH.saturating_sub(prefix.chars().count());
    // The start of the part, and its last possible end: before and after the spaces.
    let (mut start, mut last) = (0, None::<(usize, usize)>);
    let mut add = |start: usize, end: usize| {
        let mark = if start == 0 { prefix } else { &below };
        let part = content.get(start..end).unwrap_or_default();
        out.push(Cow::Owned(format!("{mark}{part}")));
    };
    for (end, next) in breaks(content).chain([(content.len(), content.len())]) {
        let long = content
            .get(start..end)
            .is_some_and(|part| part.len() > room && part.chars().count() > room);
        if let (true, Some((end, next))) = (long, last) {
            add(start, end);
            start = next;
        }
        last = Some((end, next));
    }
    add(start, content.len());
}

/// Returns the possible breaks of a line: the spaces between words after which no block begins.
fn breaks(content: &str) -> impl Iterator<Item = (usize, usize)> {
    let (mut at, mut links) = (0, true);
    std::iter::from_fn(move || {
        loop {
            let rest = content.get(at..).filter(|rest| !rest.is_empty())?;
            if !rest.starts_with(' ') {
                at += atom(rest, &mut links);
                continue;
            }
            let end = at;
            at += rest.len() - rest.trim_start_matches(' ').len();
            let next = content.get(at..).unwrap_or_default();
            let escapes = content.get(..end).is_some_and(|text| text.ends_with('\\'));
            if !escapes && begins_text(next) {
                return Some((end, at));
            }
        }
    })
}

/// Returns the length of the part at the start of a text that must not be broken.
///
/// After an unclosed bracket, links are no longer detected: a break in a link only affects the
/// layout, and a line of brackets would otherwise be read once for each bracket.
fn atom(text: &str, links: &mut bool) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    match text.as_bytes().first() {
        Some(b'\\') => {
            first
                + text
                    .get(1..)
                    .and_then(|t| t.chars().next())
                    .map_or(0, char::len_utf8)
        }
        Some(b'`') => code_span(text),
        Some(b'[') if *links => link(text).unwrap_or_else(|| {
            *links = false;
            first
        }),
        _ => first,
    }
}

/// Returns the length of a code span, or of backticks that do not begin a code span.
fn code_span(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let mut at = ticks;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('`')) {
        let tail = text.get(at + start..).unwrap_or_default();
        let run = tail.len() - tail.trim_start_matches('`').len();
        at += start + run;
        if run == ticks {
            return at;
        }
    }
    ticks
}

/// Returns the length of `[text](address)` and similar links, or `None` if a bracket is not closed.
fn link(text: &str) -> Option<usize> {
    let text_end = enclosed(text, b'[', b']')?;
    let rest = text.get(text_end..).unwrap_or_default();
    let more = match rest.as_bytes().first() {
        Some(b'(') => enclosed(rest, b'(', b')')?,
        Some(b'[') => enclosed(rest, b'[', b']')?,
        _ => 0,
    };
    Some(text_end + more)
}

/// Returns the length of the text from a bracket to its closing bracket, both included.
fn enclosed(text: &str, open: u8, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'`' => {
                at += code_span(text.get(at..)?);
                continue;
            }
            byte if *byte == open => depth += 1,
            byte if *byte == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
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
        other => other.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, WIDTH, lines};

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
    fn a_line_of_one_hundred_characters_stays_whole() {
        for length in [WIDTH, WIDTH + 1, LONGEST] {
            let line = format!("{}and", "x".repeat(length - 4) + " ");
            assert_eq!(wrapped(&line), [line]);
        }
        // Characters count, not bytes.
        let line = format!("{} and", "ü".repeat(LONGEST - 4));
        assert_eq!(wrapped(&line), [line]);
        let parts = wrapped(&"word ".repeat(21).trim_end().replacen("word", "words", 1));
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert!(parts[0].len() <= WIDTH, "{parts:?}");
    }

    #[test]
    fn a_changed_line_changes_no_other() {
        let tail = "other ".repeat(40);
        let (one, other) = (
            format!("a\n{}", tail.trim_end()),
            format!("b c d\n{}", tail.trim_end()),
        );
        assert_eq!(wrapped(&one)[1..], wrapped(&other)[1..]);
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
}
