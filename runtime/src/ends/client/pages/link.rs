//! The header `Link` (RFC 8288).

use http::HeaderMap;
use http::header::LINK;

/// Returns the target of the link with the relation `next`.
pub(super) fn next(headers: &HeaderMap) -> Option<&str> {
    let values = headers.get_all(LINK).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.into_iter().find_map(next_in)
}

fn next_in(value: &str) -> Option<&str> {
    let mut rest = value;
    while let Some((_, link)) = rest.split_once('<') {
        let (target, parameters) = link.split_once('>')?;
        let (is_next, after) = relation(parameters);
        if is_next {
            return Some(target);
        }
        rest = after;
    }
    None
}

/// Returns whether the parameters of a link have the relation `next`, and the links after it. Only the
/// first `rel` counts (section 3.3).
fn relation(mut rest: &str) -> (bool, &str) {
    let mut stated = None;
    loop {
        rest = rest.trim_start();
        let Some(parameter) = rest.strip_prefix(';') else {
            let after = rest.strip_prefix(',').unwrap_or(rest);
            return (stated.unwrap_or_default(), after);
        };
        let end = parameter.find(['=', ';', ',']).unwrap_or(parameter.len());
        let (name, after) = parameter.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => value_of(after.trim_start()),
            None => ("", after),
        };
        if name.trim().eq_ignore_ascii_case("rel") && stated.is_none() {
            let mut relations = value.split_ascii_whitespace();
            stated = Some(relations.any(|relation| relation.eq_ignore_ascii_case("next")));
        }
        rest = after;
    }
}

/// Returns the value of a parameter, and what follows it. Escapes in a quoted text are kept: no relation
/// has one.
fn value_of(text: &str) -> (&str, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, after) = text.split_at(text.find([';', ',']).unwrap_or(text.len()));
        return (value.trim_end(), after);
    };
    let mut is_escaped = false;
    let end = quoted.find(|character: char| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    });
    match end {
        Some(end) => {
            let (value, after) = quoted.split_at(end);
            (value, after.strip_prefix('"').unwrap_or(after))
        }
        None => (quoted, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::next_in;

    #[test]
    fn the_relation_next_is_found_among_links() {
        for (value, target) in [
            (
                r#"<https://h/?page=2>; rel="next""#,
                Some("https://h/?page=2"),
            ),
            (
                r#"<https://h/?page=1>; rel="prev", <https://h/?page=3>; rel="next", <https://h/?page=9>; rel="last""#,
                Some("https://h/?page=3"),
            ),
            ("</p?a=1,2>;REL=Next", Some("/p?a=1,2")),
            (
                r#"<a>; title="x, <b>; rel=\"next\""; rel=last, <c>; rel="last next""#,
                Some("c"),
            ),
            (r#"<a>; rel=prev; rel=next"#, None),
            (r#"<a>; rel="next-archive""#, None),
            (r#"<a>;, <b> ; rel = "next""#, Some("b")),
            ("<a; rel=next", None),
            ("<a>; rel=\"next", Some("a")),
            ("", None),
        ] {
            assert_eq!(next_in(value), target, "{value}");
        }
    }
}
