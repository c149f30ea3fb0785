//! Filling the places of a template.

/// Fills `{{name}}` by name, in one pass: values are not looked at for places.
///
/// A place without a value is left as it is; a test makes sure that there is none.
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

/// A string as TOML writes it, quotes included.
pub(crate) fn toml_string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A string as a Rust literal, quotes included.
pub(super) fn rust_string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// A text as one line of Markdown that means nothing but itself.
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

/// A text on one line, without characters that are not to be seen or turn the line around.
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

/// Control characters, and those that set the direction of text (Unicode Standard Annex 9).
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
