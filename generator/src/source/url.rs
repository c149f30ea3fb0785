//! URLs in references.

/// Returns whether a file part is a URL (`https:`, `urn:`) and not a path. One letter is a drive.
pub(super) fn is_url(part: &str) -> bool {
    if part.starts_with("//") {
        return true;
    }
    let scheme = part.split(':').next().unwrap_or_default();
    scheme.len() > 1
        && scheme.len() < part.len()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Returns whether a URL may be fetched: the scheme is `https`, without a user name or a password.
pub(super) fn is_fetchable(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https") && !authority.is_empty() && !authority.contains('@')
}

/// Resolves a URI reference against a base (RFC 3986, 5.2), as far as names of documents require.
pub(crate) fn join(base: &str, reference: &str) -> String {
    let base = base.split(['#', '?']).next().unwrap_or_default();
    if base.is_empty() || has_scheme(reference) {
        return reference.to_owned();
    }
    let colon = base.find("://");
    let root = colon.map_or(0, |colon| {
        base[colon + 3..]
            .find('/')
            .map_or(base.len(), |slash| colon + 3 + slash)
    });
    if reference.starts_with("//") {
        return format!("{}{reference}", &base[..colon.map_or(0, |colon| colon + 1)]);
    }
    let (path, query) = match reference.find('?') {
        Some(at) => reference.split_at(at),
        None => (reference, ""),
    };
    let folder = &base[root..base.rfind('/').map_or(root, |slash| slash.max(root))];
    let (folder, path) = match path.strip_prefix('/') {
        Some(path) => ("", path),
        None => (folder, path),
    };
    let mut steps: Vec<&str> = folder.split('/').collect();
    for step in path.split('/') {
        match step {
            "." => {}
            ".." => {
                if steps.len() > 1 {
                    steps.pop();
                }
            }
            other => steps.push(other),
        }
    }
    format!("{}{}{query}", &base[..root], steps.join("/"))
}

fn has_scheme(reference: &str) -> bool {
    let scheme = reference.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.split_once(':').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Decodes `%7B` and similar escapes. Invalid escapes and invalid UTF-8 stay unchanged.
pub(crate) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escape = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let value = escape
            .and_then(|hex| str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match value {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}
