//! Selectors: the texts of `[filter]`.

use std::fmt;

use crate::ir::Operation;

/// A selector of operations, webhooks or schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Selector {
    /// `tag:NAME`: the operations and webhooks with this tag.
    Tag(String),
    /// `GET /path`: one operation.
    Call(String, String),
    /// `path:/internal/*`: the operations whose path matches. `*` stands for any characters.
    Path(String),
    /// The operation with this `operationId`.
    Id(String),
    /// `webhook:NAME`: one webhook or callback.
    Webhook(String),
    /// `schema:NAME`: one reusable schema.
    Schema(String),
    /// `deprecated`: the deprecated operations and webhooks.
    Deprecated,
}

impl Selector {
    /// Parses the text of a selector.
    ///
    /// # Errors
    /// Returns an error message if the text is not a selector.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "deprecated" {
            return Ok(Self::Deprecated);
        }
        type Kind = fn(String) -> Selector;
        let kinds: [(&str, Kind); 4] = [
            ("tag:", Self::Tag),
            ("path:", Self::Path),
            ("webhook:", Self::Webhook),
            ("schema:", Self::Schema),
        ];
        let prefixed = kinds
            .iter()
            .find_map(|(prefix, kind)| Some((kind, text.strip_prefix(prefix)?.trim())));
        if let Some((kind, name)) = prefixed {
            return match name {
                "" => Err(format!("the selector `{text}` has no name after `:`")),
                name => Ok(kind(name.to_owned())),
            };
        }
        if let Some((method, path)) = text.split_once(char::is_whitespace) {
            let path = path.trim_start();
            if path.starts_with('/') && method.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                return Ok(Self::Call(method.to_ascii_uppercase(), path.to_owned()));
            }
        }
        match text {
            "" => Err("a selector is empty".to_owned()),
            path if path.starts_with('/') => Err(format!(
                "`{path}` is not a selector; write `path:{path}`, or a method before the path"
            )),
            id => Ok(Self::Id(id.to_owned())),
        }
    }

    /// Returns whether the selector selects an operation.
    pub(crate) fn selects(&self, operation: &Operation) -> bool {
        match self {
            Self::Call(method, path) => operation.method == *method && operation.path == *path,
            Self::Path(pattern) => matches(pattern, &operation.path),
            Self::Id(id) => operation.name.wire == *id,
            Self::Webhook(_) | Self::Schema(_) => false,
            Self::Tag(_) | Self::Deprecated => self.selects_any(operation),
        }
    }

    /// Returns whether the selector selects a webhook or a callback.
    pub(crate) fn selects_webhook(&self, webhook: &Operation) -> bool {
        match self {
            Self::Webhook(name) => webhook.name.wire == *name,
            _ => self.selects_any(webhook),
        }
    }

    fn selects_any(&self, operation: &Operation) -> bool {
        match self {
            Self::Tag(tag) => operation.tags.contains(tag),
            Self::Deprecated => operation.doc.deprecated,
            _ => false,
        }
    }

    /// Returns whether the selector selects a reusable schema by its name.
    pub(crate) fn selects_schema(&self, schema: &str) -> bool {
        matches!(self, Self::Schema(name) if name == schema)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(name) => write!(f, "tag:{name}"),
            Self::Call(method, path) => write!(f, "{method} {path}"),
            Self::Path(pattern) => write!(f, "path:{pattern}"),
            Self::Id(id) => f.write_str(id),
            Self::Webhook(name) => write!(f, "webhook:{name}"),
            Self::Schema(name) => write!(f, "schema:{name}"),
            Self::Deprecated => f.write_str("deprecated"),
        }
    }
}

/// Returns whether a text matches a pattern in which `*` stands for any characters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    // The leftmost occurrence of each part leaves the most text for the others.
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parsed_and_written_back() {
        for text in [
            "tag:Billing",
            "GET /v1/models",
            "path:/internal/*",
            "createResponse",
            "webhook:invoice.paid",
            "schema:Money",
            "deprecated",
        ] {
            let selector = Selector::parse(text).expect("a selector");
            assert_eq!(selector.to_string(), text);
        }
        let call = Selector::Call("POST".to_owned(), "/a".to_owned());
        assert_eq!(Selector::parse("post  /a"), Ok(call));
        let tag = Selector::Tag("a b".to_owned());
        assert_eq!(Selector::parse("tag: a b"), Ok(tag));
        for wrong in ["", " ", "tag:", "schema: ", "/v1/models"] {
            assert!(Selector::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text, expected) in [
            ("/a", "/a", true),
            ("/a", "/ab", false),
            ("/a/*", "/a/b/c", true),
            ("/a/*", "/a", false),
            ("*", "", true),
            ("*/b", "/a/b", true),
            ("/a*b*c", "/abbc", true),
            ("/a*b*c", "/acb", false),
            ("/a*a", "/a", false),
            ("/é*", "/é/1", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
