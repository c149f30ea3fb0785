//! The width and the indentation of lines.

/// The maximum line width; longer lines are broken where possible.
pub(super) const WIDTH: usize = 100;

/// The indentation of one level.
pub(super) const INDENT: &str = "    ";

/// Appends parts, each with a comma, as many per line as fit into a number of columns.
pub(super) fn fill<T: AsRef<str>>(text: &mut String, level: usize, parts: Vec<T>, columns: usize) {
    let mut width = 0;
    for part in &parts {
        let part = part.as_ref();
        let more = part.chars().count() + 2;
        if width > 0 && width + more <= columns {
            text.push(' ');
            width += more;
        } else {
            if width > 0 {
                text.push('\n');
            }
            text.push_str(&INDENT.repeat(level));
            width = INDENT.len() * level + more - 1;
        }
        text.push_str(part);
        text.push(',');
    }
    if width > 0 {
        text.push('\n');
    }
}

/// Returns the lines of a type as one.
pub(super) fn joined(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let part = if text.is_empty() { line } else { line.trim() };
        if part.starts_with('>') {
            text.truncate(text.trim_end_matches([',', ' ']).len());
        } else if text.ends_with(',') {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// Returns the lines, with each type of several lines on one.
pub(super) fn whole_types<'l>(mut lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut whole = Vec::new();
    while let Some(line) = lines.next() {
        let mut parts = vec![line];
        if line.ends_with('<') && !line.trim_start().starts_with("//") {
            for next in lines.by_ref() {
                parts.push(next);
                if indent(next) == indent(line) {
                    break;
                }
            }
        }
        whole.push(joined(&parts));
    }
    whole
}
