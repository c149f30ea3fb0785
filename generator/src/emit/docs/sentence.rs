//! The first sentence of a text.

use super::markdown::{self, fence_mark, uncontained};

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "approx", "incl", "max", "min", "no",
];

/// Returns the first sentence of a text on one line, or `None` if the text does not begin with a
/// paragraph.
pub(super) fn first(text: &str) -> Option<String> {
    let block = text.trim().split("\n\n").next().unwrap_or_default();
    let lines = markdown::lines(block);
    let is_prose = |line: &&String| {
        let content = uncontained(line);
        content.len() == line.trim_start().len()
            && !content.is_empty()
            && !content.starts_with(['#', '|', '='])
            && fence_mark(content).is_none()
    };
    let paragraph: Vec<&str> = lines
        .iter()
        .take_while(is_prose)
        .map(|line| line.trim())
        .collect();
    let paragraph = paragraph.join(" ");
    let end = end(&paragraph);
    (end > 0).then(|| paragraph.get(..end).unwrap_or(&paragraph).to_owned())
}

/// Returns the length of the first sentence of a paragraph. Code and brackets contain no end.
fn end(paragraph: &str) -> usize {
    let (mut is_code, mut depth) = (false, 0_i32);
    for (at, c) in paragraph.char_indices() {
        match c {
            '`' => is_code = !is_code,
            '[' | '(' if !is_code => depth += 1,
            ']' | ')' if !is_code => depth -= 1,
            '.' | '!' | '?' if !is_code && depth == 0 => {
                let (before, after) = paragraph.split_at(at);
                let mut next = after.chars().skip(1);
                let word = before.rsplit([' ', '(']).next().unwrap_or_default();
                let ends = next.next() == Some(' ')
                    && next.next().is_some_and(|c| !c.is_lowercase())
                    && !ABBREVIATIONS.contains(&word.to_lowercase().as_str());
                if ends {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    paragraph.len()
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn a_sentence_ends_outside_of_code_links_and_abbreviations() {
        for (text, wanted) in [
            ("One pet.\nTwo pets.", "One pet."),
            ("A list of\npets", "A list of pets"),
            (
                "See `a. B` and [c. D](https://e.org). Then.",
                "See `a. B` and [c. D](https://e.org).",
            ),
            ("Times, e.g. UTC. More.", "Times, e.g. UTC."),
            ("Version 1.2 or later! Else.", "Version 1.2 or later!"),
            ("The sort:\n- a\n- b", "The sort:"),
            ("A <b>bold</b> word", "A bold word"),
        ] {
            assert_eq!(first(text).as_deref(), Some(wanted));
        }
        for text in ["", "- a", "# A", "```\na\n```", "| a |\n|---|"] {
            assert_eq!(first(text), None, "{text}");
        }
    }
}
