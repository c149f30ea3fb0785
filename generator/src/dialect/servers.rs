//! The servers of an API.

use super::context::Context;
use super::spelling::{self, has_stray_brace};
use crate::diagnostic::codes;
use crate::model::Server;
use crate::position::Origin;
use crate::resolve::Node;

/// Reads `servers` of the root, a path item or an operation.
pub(super) fn read_servers<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<Server> {
    let items = context.items(holder, "servers");
    items
        .filter_map(|item| read_server(context, &item))
        .collect()
}

fn read_server<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Server> {
    let node = context.follow(node)?;
    if let Some(url) = node.value.as_str() {
        context.meant(&node, "the `url` of a server");
        report_url(context, &node.origin(), url);
        return Some(Server {
            url: url.to_owned(),
            name: None,
            description: None,
            variables: vec![],
        });
    }
    context.check_keys(&node, spelling::SERVER);
    // Without a URL the server is skipped, because the caller sets the base URL anyway.
    let Some(url) = context.text(&node, "url") else {
        let message = "a server without `url` is ignored";
        context.report(codes::IGNORED, &node.origin(), message);
        return None;
    };
    let place = node.get("url").map_or(node.origin(), |url| url.origin());
    report_url(context, &place, &url);
    let name = context.text(&node, "name");
    let description = context.text(&node, "description");
    let entries = context.entries(&node, "variables");
    let variables = entries
        .filter_map(|(name, node)| {
            let node = context.as_object(&node)?;
            let default = context.text(&node, "default").unwrap_or_default();
            Some((name.to_owned(), default, context.texts(&node, "enum")))
        })
        .collect();
    Some(Server {
        url,
        name,
        description,
        variables,
    })
}

/// Reports a URL that begins with a host instead of a scheme.
fn report_url(context: &mut Context<'_, '_>, place: &Origin, url: &str) {
    if begins_with_host(url) {
        let message = format!("`{url}` has no scheme, so it is a path relative to the document");
        context
            .report(codes::SERVER_SCHEME, place, message)
            .help(format!(
                "write `https://{url}`, or `/{url}` if it is a path"
            ));
    }
    if has_stray_brace(url) {
        let message = format!("`{url}` has a brace that is not part of a variable `{{name}}`");
        context
            .report(codes::SERVER_VARIABLE, place, message)
            .help("write each variable as `{name}`");
    }
}

/// Returns whether a relative URL probably begins with the name of a host: one with a port, or with
/// dots and a top-level domain at its end.
fn begins_with_host(url: &str) -> bool {
    /// Endings of files, which are no top-level domains.
    const FILES: [&str; 9] = [
        "asp", "aspx", "cgi", "htm", "html", "json", "php", "yaml", "yml",
    ];
    let url = url.trim();
    if url.contains("://") || url.starts_with(['/', '.', '?', '#']) {
        return false;
    }
    let authority = url.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let is_number = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |port: &str| is_number(port) || port.starts_with('{');
    if host == "localhost" && port.is_none_or(is_port) {
        return true;
    }
    let labels: Vec<&str> = host.split('.').collect();
    let is_address = labels.len() == 4 && labels.iter().all(|label| is_number(label));
    let top = labels
        .last()
        .copied()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_domain = labels.len() > 1
        && labels.iter().all(|label| !label.is_empty())
        && top.len() > 1
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
        && !FILES.contains(&top.as_str());
    match port {
        Some(port) => is_port(port) && !host.is_empty(),
        None => is_address || is_domain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_begin_with_a_host_have_no_scheme() {
        for url in [
            "api.example.com",
            "api.example.com/v1",
            "{region}.example.com/v1",
            "example.com:8080",
            "localhost",
            "localhost:3000/v1",
            "127.0.0.1/v1",
            "10.0.0.1:{port}",
        ] {
            assert!(begins_with_host(url), "{url}");
        }
        for url in [
            "",
            "/",
            "/v1",
            "v1",
            "v1.0/pets",
            "./v1",
            "../v1",
            "//api.example.com",
            "https://api.example.com",
            "{scheme}://api.example.com",
            "{baseUrl}/v1",
            "api/v1.2",
            "index.php/v1",
            "mailto:me",
        ] {
            assert!(!begins_with_host(url), "{url}");
        }
    }
}
