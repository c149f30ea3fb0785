//! Runtime expressions (OpenAPI 3.1.1, section 4.8.20.4).
//!
//! ```text
//! expression = "$url" / "$method" / "$statusCode" / "$request." source / "$response." source
//! source     = "header." token / "query." name / "path." name / "body" ["#" json-pointer]
//! ```

use crate::ir::{Expression, Source, UrlPart};

/// Parses an expression. A text that does not begin with `$` is a constant.
pub(in crate::lower) fn parse(text: &str) -> Result<Expression, &'static str> {
    if let Some(rest) = text.strip_prefix("$request.") {
        return source(rest).map(Expression::Request);
    }
    if let Some(rest) = text.strip_prefix("$response.") {
        return source(rest).map(Expression::Response);
    }
    match text {
        "$url" => Ok(Expression::Url),
        "$method" => Ok(Expression::Method),
        "$statusCode" => Ok(Expression::StatusCode),
        _ if text.starts_with('$') => {
            Err("expected `$url`, `$method`, `$statusCode`, `$request.` or `$response.`")
        }
        _ if text.contains("{$") => Err("text around an expression is not supported"),
        _ => Ok(Expression::Constant(text.to_owned())),
    }
}

/// Parses the URL of a callback: text with expressions in braces, or a single expression.
pub(in crate::lower) fn url(text: &str) -> Result<Vec<UrlPart>, &'static str> {
    if text.starts_with('$') {
        return parse(text).map(|expression| vec![UrlPart::Value(expression)]);
    }
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{$") {
        let Some((expression, after)) = behind.split_once('}') else {
            return Err("unclosed brace");
        };
        if !before.is_empty() {
            parts.push(UrlPart::Text(before.to_owned()));
        }
        parts.push(UrlPart::Value(parse(&format!("${expression}"))?));
        rest = after;
    }
    if rest.contains(['{', '}']) {
        return Err("expected an expression in braces, which begins with `$`");
    }
    if !rest.is_empty() {
        parts.push(UrlPart::Text(rest.to_owned()));
    }
    Ok(parts)
}

fn source(text: &str) -> Result<Source, &'static str> {
    let named = |name: &str, why| match name {
        "" => Err(why),
        name => Ok(name.to_owned()),
    };
    if let Some(name) = text.strip_prefix("header.") {
        // RFC 9110, section 5.6.2.
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        return match name.bytes().all(token) {
            true => named(name, "missing name of the header").map(Source::Header),
            false => Err("invalid name of a header"),
        };
    }
    if let Some(name) = text.strip_prefix("query.") {
        return named(name, "missing name of the parameter").map(Source::Query);
    }
    if let Some(name) = text.strip_prefix("path.") {
        return named(name, "missing name of the parameter").map(Source::Path);
    }
    match text.strip_prefix("body") {
        Some("" | "#") => Ok(Source::Body(String::new())),
        Some(rest) => match rest.strip_prefix('#') {
            Some(pointer) if is_pointer(pointer) => Ok(Source::Body(pointer.to_owned())),
            _ => Err("expected `#` and a JSON pointer after `body`"),
        },
        None => Err("expected `header.`, `query.`, `path.` or `body`"),
    }
}

/// Returns whether a text is a JSON pointer (RFC 6901, section 3).
fn is_pointer(text: &str) -> bool {
    let mut tildes = text.split('~').skip(1);
    text.starts_with('/') && tildes.all(|after| after.starts_with(['0', '1']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_callbacks_are_text_and_expressions() {
        let query =
            |name: &str| UrlPart::Value(Expression::Request(Source::Query(name.to_owned())));
        let body = UrlPart::Value(Expression::Request(Source::Body("/url".to_owned())));
        let text = |text: &str| UrlPart::Text(text.to_owned());
        for (url_text, parts) in [
            ("{$request.body#/url}", vec![body.clone()]),
            ("$request.body#/url", vec![body.clone()]),
            ("{$request.query.a}/data", vec![query("a"), text("/data")]),
            (
                "http://h/x?a={$request.query.a}&b={$request.body#/url}",
                vec![text("http://h/x?a="), query("a"), text("&b="), body.clone()],
            ),
            ("http://h/x", vec![text("http://h/x")]),
        ] {
            assert_eq!(url(url_text).as_ref(), Ok(&parts), "{url_text}");
        }
        for wrong in [
            "{$request.body#/url",
            "{request.body#/url}",
            "{$nothing}/x",
            "http://h/{id}",
        ] {
            assert!(url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn expressions_are_read_by_the_grammar() {
        let body = |pointer: &str| Expression::Response(Source::Body(pointer.to_owned()));
        for (text, read) in [
            ("$url", Expression::Url),
            ("$method", Expression::Method),
            ("$statusCode", Expression::StatusCode),
            ("$response.body", body("")),
            ("$response.body#", body("")),
            ("$response.body#/a/0/b~1c~0", body("/a/0/b~1c~0")),
            (
                "$response.header.Location",
                Expression::Response(Source::Header("Location".into())),
            ),
            (
                "$request.path.a b",
                Expression::Request(Source::Path("a b".into())),
            ),
            (
                "$request.query.q",
                Expression::Request(Source::Query("q".into())),
            ),
            ("7", Expression::Constant("7".into())),
            ("", Expression::Constant(String::new())),
        ] {
            assert_eq!(parse(text), Ok(read), "{text}");
        }
        for wrong in [
            "$",
            "$Url",
            "$url.x",
            "$response",
            "$response.",
            "$response.bodyx",
            "$response.body/id",
            "$response.body#id",
            "$response.body#/a~2",
            "$response.body#/a~",
            "$request.header.",
            "$request.header.a b",
            "$request.cookie.c",
            "$request.path.",
            "$request.query.",
            "a {$url} b",
            "$response.headers.Location",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
