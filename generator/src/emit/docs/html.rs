//! HTML in descriptions: formatting tags are removed, all other tags are escaped.

/// Tags for formatting. Some of them represent a line break.
const FORMATTING: &[&str] = &[
    "a",
    "abbr",
    "b",
    "big",
    "blockquote",
    "br",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "label",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
];

/// Removes formatting tags from a line and escapes every other `<` that could begin a tag.
///
/// Text between backticks on one line is unchanged. Must not be called for lines of fenced code.
pub(super) fn tame(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '`']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if escaped(&out) {
            let (mark, after) = from.split_at(1);
            out.push_str(mark);
            rest = after;
            continue;
        }
        rest = if from.starts_with('`') {
            code_span(from, &mut out)
        } else {
            tag(from, &mut out)
        };
    }
    out.push_str(rest);
    out
}

/// Returns whether the next character is already escaped.
fn escaped(out: &str) -> bool {
    (out.len() - out.trim_end_matches('\\').len()) % 2 == 1
}

/// Copies a code span, or only the backticks if they do not begin a code span on this line.
fn code_span<'a>(from: &'a str, out: &mut String) -> &'a str {
    let ticks = from.len() - from.trim_start_matches('`').len();
    let (open, inside) = from.split_at(ticks);
    let mut search = 0;
    while let Some(at) = inside.get(search..).and_then(|text| text.find('`')) {
        let start = search + at;
        let tail = inside.get(start..).unwrap_or_default();
        let run = tail.len() - tail.trim_start_matches('`').len();
        if run == ticks {
            let (span, after) = from.split_at(ticks + start + run);
            out.push_str(span);
            return after;
        }
        search = start + run;
    }
    // Backslashes prevent a pairing with backticks of another line.
    for tick in open.chars() {
        out.push('\\');
        out.push(tick);
    }
    inside
}

/// Processes a `<`.
fn tag<'a>(from: &'a str, out: &mut String) -> &'a str {
    let after = from.get(1..).unwrap_or_default();
    if let Some(link) = autolink(after) {
        out.push_str(from.get(..link).unwrap_or_default());
        return from.get(link..).unwrap_or_default();
    }
    if let Some(end) = after.find('>') {
        let inner = after.get(..end).unwrap_or_default();
        let name = inner.trim_start_matches('/');
        let name = name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .next()
            .unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        if FORMATTING.contains(&lower.as_str()) && !inner.contains('<') {
            if matches!(lower.as_str(), "br" | "p" | "li" | "tr" | "hr" | "div") {
                out.push(' ');
            }
            let rest = after.get(end + 1..).unwrap_or_default();
            // Separates runs of backticks on both sides of a tag.
            if out.ends_with('`') && rest.starts_with('`') {
                out.push(' ');
            }
            return rest;
        }
    }
    let plain = after.starts_with(|c: char| c.is_whitespace() || c.is_ascii_digit() || c == '=');
    out.push_str(if plain || after.is_empty() {
        "<"
    } else {
        "\\<"
    });
    after
}

/// Returns the length of `<https://…>` if `after`, the text behind the `<`, is an autolink.
fn autolink(after: &str) -> Option<usize> {
    let scheme = ["https://", "http://", "mailto:"]
        .iter()
        .any(|s| after.starts_with(s));
    let end = after.find('>')?;
    let inner = after.get(..end)?;
    (scheme && !inner.contains([' ', '<', '`'])).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::tame;

    #[test]
    fn formatting_is_removed_and_text_is_kept() {
        assert_eq!(tame("a <b>bold</b> word"), "a bold word");
        assert_eq!(tame("one<br/>two"), "one two");
        assert_eq!(tame("<a href=\"https://e.org\">here</a>"), "here");
    }

    #[test]
    fn other_tags_are_shown() {
        assert_eq!(
            tame("<script>alert(1)</script>"),
            "\\<script>alert(1)\\</script>"
        );
        assert_eq!(tame("Vec<T>"), "Vec\\<T>");
        assert_eq!(tame("<<p>script>"), "\\< script>");
        assert_eq!(tame("<!-- x -->"), "\\<!-- x -->");
        assert_eq!(tame("a < b, a <= b, <3"), "a < b, a <= b, <3");
        assert_eq!(tame("<https://example.org/a>"), "<https://example.org/a>");
    }

    #[test]
    fn code_is_left_alone() {
        assert_eq!(tame("`Vec<T>` and ``a`<b>``"), "`Vec<T>` and ``a`<b>``");
        assert_eq!(tame("\\<script> \\`x"), "\\<script> \\`x");
        assert_eq!(tame("` <script>"), "\\` \\<script>");
    }
}
