//! Base URLs of servers, and the resolution of relative URLs.

use super::InvalidBaseUrl;
use crate::message::OperationMeta;
use crate::message::operation::Target;
use crate::values::EncodeError;
use bytes::Bytes;
use http::uri::{self, PathAndQuery, Uri};
use std::borrow::Cow;
use std::sync::Arc;

/// Parses the base URL of a server.
pub(super) fn parse(base: &str) -> Result<Uri, InvalidBaseUrl> {
    let wrong = |why| InvalidBaseUrl::new(base, why);
    let uri: Uri = base.parse().map_err(|_| wrong("it is not a URL"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
        return Err(wrong(
            "it has to begin with http:// or https://, and a host",
        ));
    }
    if uri.query().is_some() || base.contains('#') {
        return Err(wrong("it cannot have a query or a fragment"));
    }
    if uri
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return Err(wrong("credentials are given apart from it"));
    }
    Ok(uri)
}

/// Resolves a URL of the document against the base URL (RFC 3986, section 5.2). Segments of dots
/// are kept.
pub(super) fn resolve(base: &Uri, url: &str) -> Option<Uri> {
    if let Some(rest) = url.strip_prefix("//") {
        return format!("{}://{rest}", base.scheme_str()?).parse().ok();
    }
    if url.contains("://") {
        return url.parse().ok();
    }
    let folder = match base.path().rsplit_once('/') {
        Some((folder, _)) if !url.starts_with('/') => folder,
        _ => "",
    };
    let target = format!("{folder}/{}", url.strip_prefix('/').unwrap_or(url));
    let mut parts = base.clone().into_parts();
    parts.path_and_query = Some(target.parse().ok()?);
    Uri::from_parts(parts).ok()
}

/// Returns the path of a base URL, to which the path of an operation is appended.
pub(super) fn path(base: &Uri) -> &str {
    base.path().trim_end_matches('/')
}

/// Returns the URL of a path and a query at the server of a base URL.
pub(super) fn at(base: &Uri, target: Target) -> Result<Uri, EncodeError> {
    let target = PathAndQuery::from_maybe_shared(Bytes::from(target.into_text()))
        .map_err(|_| EncodeError::new("url", "it is too long, or is not a URL"))?;
    let mut parts = uri::Parts::default();
    parts.scheme = base.scheme().cloned();
    parts.authority = base.authority().cloned();
    parts.path_and_query = Some(target);
    Uri::from_parts(parts).map_err(|error| EncodeError::new("url", error.to_string()))
}

/// The servers that operations are sent to.
#[derive(Debug, Clone)]
pub(super) struct Servers {
    /// The base URL of the client.
    pub(super) base: Uri,
    /// The overrides: the server that the document states, and its replacement.
    instead: Arc<Vec<(String, Uri)>>,
    /// Whether all operations are sent to the base URL of the client.
    pub(super) overrides_all: bool,
}

impl Servers {
    pub(super) fn new(base: Uri) -> Self {
        Self {
            base,
            instead: Arc::default(),
            overrides_all: false,
        }
    }

    pub(super) fn instead(mut self, stated: &str, base: Uri) -> Self {
        let all = Arc::make_mut(&mut self.instead);
        all.retain(|(known, _)| known != stated);
        all.push((stated.to_owned(), base));
        self
    }

    /// Returns the URLs that the caller has named.
    pub(super) fn chosen(&self) -> impl Iterator<Item = &Uri> {
        let instead = self.instead.iter().map(|(_, base)| base);
        [&self.base].into_iter().chain(instead)
    }

    /// Returns the server of an operation.
    pub(super) fn server_of(&self, meta: &OperationMeta) -> Result<Cow<'_, Uri>, EncodeError> {
        let Some(stated) = meta.server.filter(|_| !self.overrides_all) else {
            return Ok(Cow::Borrowed(&self.base));
        };
        let instead = self.instead.iter().find(|(known, _)| known == stated);
        if let Some((_, base)) = instead {
            return Ok(Cow::Borrowed(base));
        }
        resolve(&self.base, stated).map(Cow::Owned).ok_or_else(|| {
            EncodeError::new(
                "url",
                format!("`{stated}` cannot be the address of a server"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_urls_are_resolved_against_the_server() {
        for (base, url, resolved) in [
            ("https://h/v1", "https://files.h/up", "https://files.h/up"),
            ("https://h/v1", "//files.h/up", "https://files.h/up"),
            ("https://h/v1", "/v2", "https://h/v2"),
            ("https://h/v1", "v2", "https://h/v2"),
            ("https://h/v1/", "v2", "https://h/v1/v2"),
            ("https://h:8/a/b", "c/d", "https://h:8/a/c/d"),
            ("https://h", "v2", "https://h/v2"),
            ("https://h", "/", "https://h/"),
        ] {
            let base: Uri = base.parse().expect("a URL");
            let result = resolve(&base, url).map(|uri| uri.to_string());
            assert_eq!(result.as_deref(), Some(resolved), "{base} {url}");
        }
        assert!(resolve(&Uri::from_static("https://h"), "a b").is_none());
    }
}
