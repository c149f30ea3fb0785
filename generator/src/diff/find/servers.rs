//! The servers of the API.
//!
//! A server with variables is all URLs that its variables make: those of the listed values, and that
//! of the default of a variable without a list.

use std::collections::BTreeSet;

use super::super::rules::Raw;
use super::{Finder, Scope};
use crate::ir::{Api, Server};
use crate::names::constant;

/// The maximum number of URLs of a server. The variables of a server with more are compared as text.
const MOST_URLS: usize = 100;

/// A server: its template, its URLs and its Rust constant.
struct Listed<'s> {
    template: &'s str,
    urls: BTreeSet<String>,
    rust: String,
    variables: &'s [(String, String, Vec<String>)],
}

impl Finder<'_> {
    pub(super) fn servers(&mut self) {
        let (old, new) = (self.old, self.new);
        if old.base_path != new.base_path {
            let values = Some((path(old), path(new)));
            let constant = |api: &Api| {
                let has = !api.base_path.is_empty();
                has.then(|| "server::BASE_PATH".to_owned())
            };
            let raw = match (old.base_path.is_empty(), new.base_path.is_empty()) {
                (true, _) => Raw::BasePathAdded,
                (_, true) => Raw::BasePathRemoved,
                _ => Raw::BasePathChanged,
            };
            self.note_api(raw, "base path", values, (constant(old), constant(new)));
        }
        let (a, b) = (listed(old), listed(new));
        for server in &a {
            for url in server.urls.iter().filter(|url| !lists(&b, url)) {
                let rust = (Some(server.rust.clone()), None);
                self.server(Raw::ServerRemoved, url, rust);
            }
        }
        for server in &b {
            for url in server.urls.iter().filter(|url| !lists(&a, url)) {
                let rust = (None, Some(server.rust.clone()));
                self.server(Raw::ServerAdded, url, rust);
            }
        }
        let constants = !old.servers.is_empty() && !new.servers.is_empty();
        for server in a.iter().filter(|_| constants) {
            let same = |other: &&Listed<'_>| other.urls == server.urls;
            let other = b
                .iter()
                .filter(same)
                .find(|other| other.template == server.template);
            if let Some(other) = other.or_else(|| b.iter().find(same)) {
                self.constants(server, other);
            }
        }
    }

    /// Compares the constants of a server that stays.
    fn constants(&mut self, old: &Listed<'_>, new: &Listed<'_>) {
        let member = format!("server {}", old.template);
        let rust = (Some(old.rust.clone()), Some(new.rust.clone()));
        if old.rust != new.rust {
            let values = Some((old.rust.clone(), new.rust.clone()));
            self.note_api(Raw::FieldRenamed, &member, values, rust.clone());
        }
        if bare(old.template) != bare(new.template) || old.variables != new.variables {
            let values = (bare(old.template) != bare(new.template))
                .then(|| (old.template.to_owned(), new.template.to_owned()));
            self.note_api(Raw::ServerVariablesChanged, &member, values, rust);
        }
    }

    fn server(&mut self, raw: Raw, url: &str, rust: (Option<String>, Option<String>)) {
        self.add(raw, Scope::Api, |mut found| {
            found.member = "servers".to_owned();
            found.arg("name", url).rust(rust.0.clone(), rust.1.clone())
        });
    }
}

fn lists(servers: &[Listed<'_>], url: &str) -> bool {
    servers.iter().any(|server| server.urls.contains(url))
}

fn path(api: &Api) -> String {
    match api.base_path.as_str() {
        "" => "/".to_owned(),
        path => path.to_owned(),
    }
}

/// Returns the servers with their Rust constants.
fn listed(api: &Api) -> Vec<Listed<'_>> {
    if api.servers.is_empty() {
        let url = api.base_url.iter();
        return url
            .map(|url| Listed {
                template: url,
                urls: BTreeSet::from([bare(url)]),
                rust: "client::BASE_URL".to_owned(),
                variables: &[],
            })
            .collect();
    }
    let all = api.servers.iter();
    all.map(|server| Listed {
        template: &server.url,
        urls: urls(server),
        rust: format!("client::servers::{}", constant(&server.name.rust)),
        variables: &server.variables,
    })
    .collect()
}

/// Returns the URLs that the variables of a server make.
fn urls(server: &Server) -> BTreeSet<String> {
    let mut urls = vec![server.url.clone()];
    for (name, default, values) in &server.variables {
        let values = match values.is_empty() {
            true => std::slice::from_ref(default),
            false => values.as_slice(),
        };
        if urls.len().saturating_mul(values.len()) > MOST_URLS {
            return BTreeSet::from([bare(&server.url)]);
        }
        let fill = |url: &String, value: &String| url.replace(&format!("{{{name}}}"), value);
        let filled = urls
            .iter()
            .flat_map(|url| values.iter().map(move |value| fill(url, value)));
        urls = filled.collect();
    }
    urls.iter().map(|url| bare(url)).collect()
}

/// Returns a URL without a slash at its end, which has no meaning.
fn bare(url: &str) -> String {
    match url.trim_end_matches('/') {
        "" => "/".to_owned(),
        url => url.to_owned(),
    }
}
