//! Rustdoc: sanitized text of the document, and lines of the generator.

mod html;
mod markdown;
mod sentence;
mod wrap;

use super::syntax::{doc_attr, word_attr};
use crate::ir::Doc;
use std::borrow::Cow;
use syn::Attribute;

/// The lines of one doc comment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    lines: Vec<String>,
    /// Whether the document marks the node as deprecated.
    deprecated: bool,
}

impl Text {
    /// Returns the document's text and the notes of a node, without its pointer.
    pub(super) fn new(doc: &Doc) -> Self {
        Self::labelled("", doc)
    }

    /// Returns the summary of an operation, and whether the operation is deprecated.
    pub(super) fn summary(doc: &Doc, summary: Option<&str>) -> Self {
        let doc = Doc {
            text: summary.map(str::to_owned),
            deprecated: doc.deprecated,
            ..Doc::default()
        };
        Self::new(&doc)
    }

    /// Returns the same text with the word "Deprecated." instead of `#[deprecated]`, where the
    /// attribute would cause a second warning, or a warning for implementers.
    pub(super) fn in_words(mut self) -> Self {
        if std::mem::take(&mut self.deprecated) {
            self.block(vec!["Deprecated.".to_owned()]);
        }
        self
    }

    /// Returns a title of the document as a paragraph, and the text of a node after it.
    pub(super) fn titled(title: &str, doc: &Doc) -> Self {
        let title = plain(title);
        let has_signs = title.contains(['`', '<', '>', '[', ']', '#', '*', '_', '~', '|', '\\']);
        let mut text = Self::default();
        if !title.is_empty() {
            text.paragraph(match has_signs || title.contains("//") {
                true => code(&title),
                false => title,
            });
        }
        text.append(Self::new(doc));
        text
    }

    /// Returns the text of a node after a label of the generator. The label may contain text of the
    /// document in [`code`] only.
    pub(super) fn labelled(label: &str, doc: &Doc) -> Self {
        let mut text = Self {
            deprecated: doc.deprecated,
            ..Self::default()
        };
        text.body(label, doc.text.as_deref().unwrap_or_default());
        for note in &doc.notes {
            text.block(markdown::lines(note));
        }
        let examples: Vec<String> = doc.examples.iter().map(|example| code(example)).collect();
        match examples.len() {
            0 => {}
            1 => text.paragraph(format!("Example: {}", examples.join(", "))),
            _ => text.paragraph(format!("Examples: {}", examples.join(", "))),
        }
        text
    }

    /// Returns a line of the generator as a separate paragraph. The line may contain text of the
    /// document in [`code`] only.
    pub(super) fn line(line: impl Into<String>) -> Self {
        Self {
            lines: vec![line.into()],
            deprecated: false,
        }
    }

    /// Returns the first sentence of the document's text.
    pub(super) fn sentence(doc: &Doc) -> Self {
        let sentence = doc.text.as_deref().and_then(sentence::first);
        Self {
            lines: sentence.into_iter().collect(),
            deprecated: false,
        }
    }

    /// Adds a line of the generator without its full stop, and a list: labels of the generator, each
    /// with the first sentence of a text.
    pub(super) fn list<'a>(
        &mut self,
        line: String,
        list: impl IntoIterator<Item = (String, &'a Doc)>,
    ) {
        let row = |(label, doc): (String, &Doc)| match Self::sentence(doc).lines.as_slice() {
            [] => format!("- {label}"),
            lines => format!("- {label}: {}", lines.concat()),
        };
        let mut rows: Vec<String> = list.into_iter().map(row).collect();
        let end = if rows.is_empty() { '.' } else { ':' };
        rows.insert(0, format!("{line}{end}"));
        self.block(rows);
    }

    /// Adds a paragraph of the generator.
    pub(super) fn paragraph(&mut self, line: String) {
        self.block(vec![line]);
    }

    /// Appends another text.
    pub(super) fn append(&mut self, other: Self) {
        self.block(other.lines);
    }

    /// Adds the node's pointer as the last paragraph.
    pub(super) fn pointer(mut self, doc: &Doc) -> Self {
        if let Some(pointer) = &doc.pointer {
            self.paragraph(code(pointer));
        }
        self
    }

    /// Returns whether the text is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the doc attributes, and `#[deprecated]`.
    pub(super) fn attrs(&self) -> Vec<Attribute> {
        let lines = wrap::lines(&self.lines).into_iter();
        let docs = lines.map(|line| doc_attr(&spaced(&line)));
        docs.chain(self.deprecated.then(|| word_attr("deprecated")))
            .collect()
    }

    /// Returns the lines as plain text.
    pub(super) fn into_lines(self) -> Vec<String> {
        let lines = wrap::lines(&self.lines).into_iter();
        lines.map(Cow::into_owned).collect()
    }

    fn body(&mut self, label: &str, text: &str) {
        let mut lines = markdown::lines(text);
        if !label.is_empty() {
            match lines.first_mut() {
                Some(first) if first.starts_with(|c: char| c.is_alphanumeric() || c == '`') => {
                    *first = format!("{label}: {first}");
                }
                Some(_) => {
                    lines.splice(0..0, [format!("{label}:"), String::new()]);
                }
                None => lines.push(label.to_owned()),
            }
        }
        self.block(lines);
    }

    fn block(&mut self, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        self.lines.extend(lines);
    }
}

/// Returns text of the document as inline code, on one line. Invisible text is escaped as in Rust.
pub(super) fn code(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !markdown::is_hidden(*c))
        .take(400)
        .collect();
    if clean.trim().is_empty() {
        let escaped: String = text.escape_default().take(400).collect();
        return format!("`\"{escaped}\"`");
    }
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(if longest == 1 { 2 } else { longest + 1 });
    let pad = if clean.starts_with('`') || clean.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{clean}{pad}{fence}")
}

/// Returns text of the document on one line, of at most 400 characters, without hidden characters.
pub(super) fn plain(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !markdown::is_hidden(*c))
        .take(400)
        .collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn spaced(line: &str) -> String {
    if line.is_empty() {
        String::new()
    } else {
        format!(" {line}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Text, code, plain};
    use crate::ir::Doc;

    fn doc(text: &str) -> Doc {
        Doc {
            text: Some(text.to_owned()),
            ..Doc::default()
        }
    }

    #[test]
    fn code_spans_hold_anything() {
        assert_eq!(
            code("#/components/schemas/Pet"),
            "`#/components/schemas/Pet`"
        );
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\nb\u{202e}\u{0}c"), "`a bc`");
        assert_eq!(code("\n"), r#"`"\n"`"#);
        assert_eq!(code("\u{202e}"), r#"`"\u{202e}"`"#);
        assert_eq!(code(""), r#"`""`"#);
    }

    #[test]
    fn parts_are_paragraphs() {
        let doc = Doc {
            deprecated: true,
            notes: vec!["Unit: seconds.".to_owned()],
            pointer: Some("#/a".to_owned()),
            ..doc("Hello.\nWorld.")
        };
        let text = || Text::new(&doc).pointer(&doc);
        assert_eq!(
            text().into_lines(),
            ["Hello.", "World.", "", "Unit: seconds.", "", "`#/a`"]
        );
        let attributes = text().attrs();
        let last = attributes.last().expect("an attribute");
        assert!(last.path().is_ident("deprecated"));
        let words = text().in_words();
        assert!(words.attrs().iter().all(|attr| attr.path().is_ident("doc")));
        assert!(words.into_lines().ends_with(&["Deprecated.".to_owned()]));
    }

    #[test]
    fn every_example_is_inline_code() {
        let doc = Doc {
            examples: vec![
                r#"{"a":"`x` <b> ```rust"}"#.to_owned(),
                "\"*/ fn a() {}\\n\u{202e}#![forbid]\"".to_owned(),
            ],
            ..doc("Text.")
        };
        assert_eq!(
            Text::new(&doc).into_lines(),
            [
                "Text.",
                "",
                r#"Examples: ````{"a":"`x` <b> ```rust"}````, `"*/ fn a() {}\n#![forbid]"`"#
            ]
        );
    }

    #[test]
    fn titles_are_one_line() {
        let title = "Pets\n*/ fn a() {}\r\nmod b;\u{202e}\0";
        assert_eq!(plain(title), "Pets */ fn a() {} mod b;");
        assert_eq!(
            Text::titled(title, &doc("Fine.")).into_lines(),
            ["`Pets */ fn a() {} mod b;`", "", "Fine."]
        );
        assert_eq!(
            Text::titled("```\n", &doc("Fine.")).into_lines(),
            ["```` ``` ````", "", "Fine."]
        );
        assert_eq!(Text::titled("\n", &doc("Fine.")).into_lines(), ["Fine."]);
    }

    #[test]
    fn labels_precede_text() {
        assert_eq!(
            Text::labelled("200", &doc("Fine.")).into_lines(),
            ["200: Fine."]
        );
        assert_eq!(
            Text::labelled("200", &doc("- a")).into_lines(),
            ["200:", "", "- a"]
        );
        assert_eq!(Text::labelled("200", &Doc::default()).into_lines(), ["200"]);
    }
}
