//! The base URL of the API, servers of individual operations, and the list of all servers.

use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{self, Doc, Name};
use crate::model::{Model, Operation, Server};
use crate::position::Origin;

use crate::lower::Document;

/// Returns the URL of the first server with the defaults of its variables, if it is absolute.
pub(in crate::lower) fn base_url(servers: &[Server]) -> Option<String> {
    let url = with_defaults(servers.first()?);
    let absolute = url.starts_with("https://") || url.starts_with("http://");
    let clean = !url.contains(['{', '}', ' ', '\n', '\r']);
    (absolute && clean).then(|| url.trim_end_matches('/').to_owned())
}

/// Returns the path of the first server's URL, absolute or relative, without a slash at its end.
/// Empty for the root, and if a variable has no default.
pub(in crate::lower) fn base_path(servers: &[Server]) -> String {
    let Some(url) = servers.first().map(with_defaults) else {
        return String::new();
    };
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => match url.strip_prefix("//") {
            Some(rest) => rest.split_once('/').map_or("", |(_, path)| path),
            None => url.as_str(),
        },
    };
    let path = path.trim_start_matches("./").trim_matches('/');
    let clean = path.bytes().all(|byte| byte.is_ascii_graphic())
        && !path.contains(['{', '}', '?', '#', '"', '\\'])
        && !path.split('/').any(|segment| matches!(segment, "." | ".."));
    if clean && !path.is_empty() {
        format!("/{path}")
    } else {
        String::new()
    }
}

/// Returns the server of an operation, or of its path, if it differs from the document's server.
pub(in crate::lower) fn own(document: &mut Document<'_>, operation: &Operation) -> Option<String> {
    let url = with_defaults(operation.servers.first()?);
    let root = document.model.servers.first().map(with_defaults);
    // The client's base URL has a scheme already (Swagger 2.0 has one for each operation).
    let bare = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        rest.trim_end_matches('/').to_owned()
    };
    // Without `servers`, the only server has the URL `/` (OpenAPI 3.1.1, 4.8.1.1).
    if bare(root.as_deref().unwrap_or("/")) == bare(&url) {
        return None;
    }
    match fault(&url) {
        None => Some(url),
        Some(why) => {
            let message = format!(
                "unusable server `{url}` of an operation, {why}; the operation is called at the server of the document"
            );
            document
                .diagnostics
                .report(codes::OPERATION_SERVER, &operation.origin, message)
                .help(
                    "write an `http` or `https` URL, or one relative to the server of the document",
                );
            None
        }
    }
}

/// Returns all servers of the document, its paths and its operations, without duplicates. Empty if
/// the URL of the only server is [sufficient](base_url), or the default (OpenAPI 3.1.1, 4.8.1.1).
pub(in crate::lower) fn all(model: &Model, diagnostics: &mut Diagnostics) -> Vec<ir::Server> {
    // Servers of operations are checked where [an operation uses them](own).
    for (index, server) in model.servers.iter().enumerate() {
        let origin = Origin::default().child("servers").child(&index.to_string());
        check_variables(server, &origin, diagnostics);
    }
    let operations = model.operations.iter().enumerate();
    let of_operations = operations.flat_map(|(index, operation)| {
        let servers = operation.servers.iter();
        servers.map(move |server| (server, Some(index)))
    });
    let of_document = model.servers.iter().map(|server| (server, None));
    // The index of each known server; `None` for a server without a constant.
    let mut known: BTreeMap<_, Option<usize>> = BTreeMap::new();
    let mut servers: Vec<ir::Server> = Vec::new();
    for (server, operation) in of_document.chain(of_operations) {
        let key = (server.url.as_str(), &server.variables);
        if let Some(index) = known.get(&key) {
            let users = index.and_then(|index| Some(&mut servers.get_mut(index)?.operations));
            // A server of the document stays one if an operation repeats it.
            let users = users.filter(|users| !users.is_empty());
            users.into_iter().for_each(|users| users.extend(operation));
            continue;
        }
        // Users choose the value of a variable without a default.
        let filled = with_defaults(server).replace(['{', '}'], "");
        let is_usable = fault(&filled).is_none();
        known.insert(key, is_usable.then_some(servers.len()));
        if is_usable {
            let operations = operation.into_iter().collect();
            servers.push(ir::Server {
                operations,
                ..lower_server(server)
            });
        }
    }
    match servers.as_slice() {
        [only]
            if only.variables.is_empty()
                && (only.url == "/" || base_url(&model.servers).is_some()) =>
        {
            Vec::new()
        }
        _ => servers,
    }
}

fn lower_server(server: &Server) -> ir::Server {
    let has =
        |(name, _, _): &&(String, String, Vec<String>)| server.url.contains(&format!("{{{name}}}"));
    ir::Server {
        name: Name::new(words(server)),
        url: server.url.clone(),
        doc: Doc {
            text: server.description.clone(),
            ..Doc::default()
        },
        variables: server.variables.iter().filter(has).cloned().collect(),
        operations: Vec::new(),
    }
}

/// Returns the words for a server: its name, the start of a short description, or its URL.
fn words(server: &Server) -> String {
    let short = |text: &str| {
        let letters = text.chars().any(|c| c.is_ascii_alphanumeric());
        letters && text.is_ascii() && text.len() <= 40
    };
    let begins = |text: &str| {
        let first = text.split(['.', ',', ';', ':', '(', '\n']).next();
        first.unwrap_or_default().trim().to_owned()
    };
    let name = server.name.clone().filter(|name| short(name));
    let described = || server.description.as_deref().map(begins);
    name.or_else(|| described().filter(|text| short(text)))
        .unwrap_or_else(|| {
            let url = server
                .url
                .split_once("://")
                .map_or(&*server.url, |parts| parts.1);
            let url = url.replace(['{', '}'], "");
            if short(&url) {
                url
            } else {
                "server".to_owned()
            }
        })
}

/// Reports variables that a client cannot fill from the document.
fn check_variables(server: &Server, origin: &Origin, diagnostics: &mut Diagnostics) {
    let url = &server.url;
    let mut rest = url.as_str();
    while let Some((name, after)) = rest
        .split_once('{')
        .and_then(|(_, inside)| inside.split_once('}'))
    {
        if !server.variables.iter().any(|(known, _, _)| known == name) {
            let message = format!("undeclared variable `{name}` in the URL `{url}`");
            diagnostics
                .report(codes::SERVER_VARIABLE, origin, message)
                .help("declare it under `variables`, with a `default`");
        }
        rest = after;
    }
    for (name, default, values) in &server.variables {
        if !values.is_empty() && !values.contains(default) {
            let message = format!("the default `{default}` of `{name}` is not among its `enum`");
            diagnostics
                .report(codes::SERVER_VARIABLE, origin, message)
                .help("list the default, or choose a listed value");
        }
    }
}

/// Returns the URL with the defaults of its variables, each replaced once: a default that looks
/// like a variable is text. Otherwise a few variables could expand to a URL of gigabytes.
pub(in crate::lower) fn with_defaults(server: &Server) -> String {
    let defaults = server.variables.iter();
    let defaults: HashMap<&str, &str> = defaults
        .map(|(name, default, _)| (name.as_str(), default.as_str()))
        .collect();
    let (mut url, mut rest) = (String::new(), server.url.as_str());
    while let Some((before, after)) = rest.split_once('{') {
        let variable = after.split_once('}');
        let default = variable.and_then(|(name, after)| Some((*defaults.get(name)?, after)));
        url.push_str(before);
        rest = if let Some((default, after)) = default {
            url.push_str(default);
            after
        } else {
            url.push('{');
            after
        };
    }
    url.push_str(rest);
    url
}

/// Returns the reason why a URL cannot be used for calls.
fn fault(url: &str) -> Option<&'static str> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, url.strip_prefix("//").unwrap_or(url)),
    };
    let host = rest.split('/').next().unwrap_or_default();
    let has_host = scheme.is_some() || url.starts_with("//");
    if url.contains(['{', '}']) {
        Some("which has a variable without a default")
    } else if scheme.is_some_and(|scheme| !matches!(scheme, "http" | "https")) {
        Some("whose scheme is not `http` or `https`")
    } else if url.contains(['?', '#'])
        || url.split('/').any(|segment| segment == "..")
        || !url.bytes().all(|byte| byte.is_ascii_graphic())
        || (has_host && (host.is_empty() || host.contains('@')))
        || (!has_host && host.contains(':'))
        || url.is_empty()
    {
        Some("which cannot be the address of a server")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_server_is_read() {
        let path_of = |url: &str| {
            base_path(&[Server {
                url: url.to_owned(),
                name: None,
                description: None,
                variables: Vec::new(),
            }])
        };
        for (url, path) in [
            ("https://h/v1/", "/v1"),
            ("https://h:1", ""),
            ("//h/a/b", "/a/b"),
            ("/v2", "/v2"),
            ("v2", "/v2"),
            ("./v2", "/v2"),
            ("/", ""),
            ("", ""),
            ("https://h/{v}", ""),
            ("/a/../b", ""),
            ("/a\"b", ""),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
        assert_eq!(base_path(&[]), "");
    }

    #[test]
    fn defaults_are_put_in_once() {
        let server = |url: &str, variables: &[(&str, &str)]| Server {
            url: url.to_owned(),
            name: None,
            description: None,
            variables: variables
                .iter()
                .map(|(name, default)| ((*name).to_owned(), (*default).to_owned(), Vec::new()))
                .collect(),
        };
        let resolved = |url, variables: &[_]| with_defaults(&server(url, variables));
        assert_eq!(
            resolved("https://{a}.b/{c}/{d}", &[("a", "x"), ("c", "y")]),
            "https://x.b/y/{d}"
        );
        assert_eq!(resolved("{{a}}{", &[("a", "x")]), "{x}{");
        assert_eq!(
            resolved("{a}{b}", &[("a", "{b}{b}"), ("b", "{a}{a}")]),
            "{b}{b}{a}{a}"
        );
    }

    #[test]
    fn addresses_of_servers_are_recognized() {
        for fine in [
            "https://h",
            "http://h:1/a",
            "//h/a",
            "/a",
            "a/b",
            "/",
            "./a",
        ] {
            assert_eq!(fault(fine), None, "{fine}");
        }
        for wrong in [
            "",
            "ftp://h",
            "https://",
            "https:///a",
            "https://u:p@h",
            "/a?b",
            "/a#b",
            "../a",
            "https://{h}",
            "https://h/a b",
            "https://h/\n",
            "mailto:x",
            "//",
        ] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
    }
}
