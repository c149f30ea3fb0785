//! Filling the placeholders of a template.

/// Replaces `{{name}}` by the value of that name, in one pass: placeholders in values are ignored.
///
/// A placeholder without a value stays unchanged; a test ensures that no such placeholder exists.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let value = after.split_once("}}").and_then(|(name, behind)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, behind))
        });
        rest = match value {
            Some((value, behind)) => {
                text.push_str(value);
                behind
            }
            None => {
                text.push_str("{{");
                after
            }
        };
    }
    text.push_str(rest);
    text
}

/// Returns a string as a TOML string, including the quotes.
pub(crate) fn toml_string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns a string as a Rust literal, including the quotes.
pub(super) fn rust_string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// Returns a text as one line of Markdown without any markup.
pub(super) fn markdown_line(text: &str) -> String {
    let line = one_line(text);
    let mut escaped = String::with_capacity(line.len());
    for char in line.chars() {
        if char.is_ascii_punctuation()
            && !matches!(char, '.' | ',' | '-' | '\'' | '/' | ':' | '(' | ')')
        {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

/// Returns a text on one line, without characters that are invisible or change its direction.
pub(crate) fn one_line(text: &str) -> String {
    let visible = text
        .chars()
        .map(|char| if is_invisible(char) { ' ' } else { char });
    visible
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns whether a character is a control character, or sets the direction of text (Unicode
/// Standard Annex 9).
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
