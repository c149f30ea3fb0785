//! The parts that pages consist of.

use crate::console::failure::Failure;
use maud::{Markup, html};

/// Returns a text in which what is between backticks is code.
pub(super) fn prose(text: &str) -> Markup {
    // A backtick without a partner is one.
    let pairs = text.matches('`').count() / 2;
    let mut parts = text.splitn(2 * pairs + 1, '`');
    html! {
        (parts.next().unwrap_or_default())
        @while let (Some(inside), Some(after)) = (parts.next(), parts.next()) { code { (inside) } (after) }
    }
}

/// Returns a failure as a sentence.
pub(super) fn sentence(failure: &Failure) -> String {
    match failure.field_name() {
        Some(field) => format!("{field}: {failure}"),
        None => failure.to_string(),
    }
}

/// Returns a table, or a sentence if it is empty. An empty header is that of a column of buttons.
pub(super) fn table(caption: &str, headers: &[&str], rows: &[Markup], empty: &str) -> Markup {
    html! {
        @if rows.is_empty() { p.empty { (empty) } }
        @else {
            div.scroll role="region" aria-label=(caption) tabindex="0" {
                table {
                    caption { (caption) }
                    thead { tr {
                        @for header in headers {
                            th scope="col" {
                                @if header.is_empty() { span.hidden { "Actions" } } @else { (header) }
                            }
                        }
                    } }
                    tbody { @for row in rows { (row) } }
                }
            }
        }
    }
}

/// Returns a list of names and values.
pub(super) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl { @for (name, value) in facts { div { dt { (name) } dd { (value) } } } }
    }
}

/// Returns a text as it is, with a button to copy it.
pub(super) fn code(label: &str, text: &str) -> Markup {
    html! {
        div.code {
            pre tabindex="0" role="region" aria-label=(label) { code { (text) } }
            button.plain type="button" data-copy aria-label={ "Copy: " (label) } hidden { "Copy" }
        }
    }
}

/// Returns an id as a segment of a path.
pub(super) fn segment(id: &str) -> String {
    let mut shown = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'+' | b':' => shown.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => shown.push(char::from(byte)),
            _ => {
                shown.push('%');
                shown.push_str(&hex::encode_upper([byte]));
            }
        }
    }
    shown
}

/// Returns a JSON text with line breaks; other texts as they are.
pub(super) fn pretty(text: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let pretty = value
        .ok()
        .and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.unwrap_or_else(|| text.to_owned())
}

/// Returns the status of a response.
pub(super) fn status(status: Option<u16>) -> Markup {
    html! {
        @match status {
            Some(status) if status < 400 => span.badge.good { (status) },
            Some(status) => span.badge.bad { (status) },
            None => span.badge.bad { "no response" },
        }
    }
}

/// Returns a state in a word.
pub(super) fn badge(word: &str) -> Markup {
    let class = match word {
        "completed" | "delivered" | "active" | "ok" | "valid" | "done" => "badge good",
        "failed" | "dead" | "revoked" | "violated" | "expired" | "wrong" => "badge bad",
        _ => "badge",
    };
    html! { span class=(class) { (word) } }
}

/// Returns the word that a value of the console API has in JSON.
pub(super) fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns headers as a table.
pub(super) fn headers(caption: &str, headers: &[(String, String)]) -> Markup {
    let rows: Vec<Markup> = headers
        .iter()
        .map(|(name, value)| html! { tr { th scope="row" { (name) } td.long { (value) } } })
        .collect();
    table(caption, &["Name", "Value"], &rows, "There are no headers.")
}

/// Returns a number with separators.
pub(super) fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn text_between_backticks_is_code() {
        let shown = |text| prose(text).into_string();
        assert_eq!(
            shown("`a<b` or `c`."),
            "<code>a&lt;b</code> or <code>c</code>."
        );
        assert_eq!(shown("plain <i>"), "plain &lt;i&gt;");
        assert_eq!(shown("`a` and `b"), "<code>a</code> and `b");
        assert_eq!((shown("`"), shown("")), ("`".to_owned(), String::new()));
    }
}
