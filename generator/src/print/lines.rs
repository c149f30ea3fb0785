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
