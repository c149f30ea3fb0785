//! `Cargo.toml` and README of a generated crate.

use toml::{Table, Value};

use crate::emit::Parts;
use crate::ir::TagFeature;
use crate::output::OutputFile;

use super::template::{fill, markdown_line, one_line, toml_string};

/// The source of one of this project's crates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependency {
    /// The registry, with the version that matches this generator.
    Registry,
    /// A folder, relative to the crate.
    Path(String),
}

impl Dependency {
    /// Returns the value for a line under `[dependencies]`.
    pub(crate) fn to_toml(&self, features: &[&str]) -> String {
        let more = format!("features = [{}]", list(features));
        self.with((!features.is_empty()).then_some(more.as_str()))
    }

    /// Returns `version = "0.1.0"`, or `path = "../runtime"`.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Registry => format!("version = {}", toml_string(VERSION)),
            Self::Path(path) => format!("path = {}", toml_string(path)),
        }
    }

    /// Returns the same value without default features.
    pub(crate) fn to_bare_toml(&self) -> String {
        self.with(Some("default-features = false"))
    }

    fn with(&self, more: Option<&str>) -> String {
        let more = more.map_or_else(String::new, |more| format!(", {more}"));
        match self {
            Self::Registry if more.is_empty() => toml_string(VERSION),
            Self::Registry | Self::Path(_) => format!("{{ {}{more} }}", self.source()),
        }
    }
}

/// The version of all crates of this project.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The input for the files around the modules of a crate.
#[derive(Debug, Clone)]
pub struct Package<'a> {
    /// The name of the crate.
    pub name: &'a str,
    /// The title of the API.
    pub title: &'a str,
    /// The file name of the document, without folders.
    pub spec: &'a str,
    /// The parts that are generated in addition to the types.
    pub parts: Parts,
    /// The dependency on the runtime.
    pub runtime: Dependency,
    /// The features of the runtime that the types need: see [`crate::emit::type_features`].
    pub runtime_features: &'a [&'static str],
    /// The features of the runtime that the client needs.
    pub client_features: Vec<&'static str>,
    /// The features of the runtime that the generated tests need.
    pub test_features: &'a [&'static str],
    /// The features of tags.
    pub tags: &'a [TagFeature],
    /// Additional dependencies, for types of the format map.
    pub dependencies: &'a Table,
    /// Whether the crate is a member of an enclosing workspace.
    ///
    /// A crate that is not a member gets an empty `[workspace]` table, so that cargo treats it as a
    /// separate workspace in any folder. A member must not have this table.
    pub workspace_member: bool,
}

/// Returns the files around the modules of a crate.
#[must_use]
pub fn package(package: &Package<'_>) -> Vec<OutputFile> {
    let client = package.client_features.iter();
    let client: Vec<String> = client
        .map(|name| format!("bothends-runtime/{name}"))
        .collect();
    let client: Vec<&str> = client.iter().map(String::as_str).collect();
    let features = features(package.parts, &client);
    let description = match one_line(package.title) {
        title if title.is_empty() => "An API".to_owned(),
        title => format!("{title}, generated from its OpenAPI document"),
    };
    let workspace = if package.workspace_member {
        ""
    } else {
        WORKSPACE
    };
    let values = [
        ("name", toml_string(package.name)),
        ("spec", one_line(package.spec).replace('`', "'")),
        ("description", toml_string(&description)),
        ("publish", publish(&package.runtime).to_owned()),
        ("features", features_toml(&features, package.tags)),
        ("dependencies", dependencies(package)),
        ("workspace", workspace.to_owned()),
    ];
    let readme = [
        ("name", package.name.to_owned()),
        (
            "spec",
            one_line(package.spec)
                .replace(['`', '<', '>'], "'")
                .replace("--", "- -"),
        ),
        (
            "title",
            markdown_line(if package.title.is_empty() {
                "An API"
            } else {
                package.title
            }),
        ),
        ("parts", parts_text(package.parts)),
        (
            "features",
            features_markdown(&features) + &tags_markdown(package.tags),
        ),
    ];
    bothends_templates::CRATE
        .iter()
        .map(|template| {
            let values = if template.path == "Cargo.toml" {
                &values[..]
            } else {
                &readme[..]
            };
            let values: Vec<(&str, &str)> = values
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let text = fill(template.text, &values);
            OutputFile {
                path: template.path.to_owned(),
                text: format!("{}\n", text.trim_end()),
            }
        })
        .collect()
}

/// Returns the `publish` key. A registry rejects a crate whose runtime is a path dependency.
const fn publish(runtime: &Dependency) -> &'static str {
    match runtime {
        Dependency::Path(_) => "publish = false\n",
        Dependency::Registry => "",
    }
}

const WORKSPACE: &str = "
# A workspace of its own, so that cargo takes this crate as it is wherever it lies. For a member of
# a workspace, set `workspace-member = true` in bothends.toml.
[workspace]
";

/// A feature, the features that it enables, and its purpose.
type Feature<'a> = (&'static str, &'a [&'a str], &'static str);

/// Returns the features of a generated crate. All generated parts are enabled by default, with a
/// transport that supports https, so that the first call of a new client works.
pub(super) fn features<'a>(parts: Parts, client: &'a [&'a str]) -> Vec<Feature<'a>> {
    let mut features: Vec<Feature<'_>> = Vec::new();
    if parts.client {
        features.push(("client", client, "a method for each operation"));
    }
    if parts.server {
        features.push((
            "server",
            &["bothends-runtime/server"],
            "a trait for each tag, and a router that is a `tower::Service`",
        ));
    }
    if parts.webhooks {
        features.push((
            "webhooks",
            &["bothends-runtime/server"],
            "payloads of webhooks, for their sender and receiver",
        ));
    }
    if parts.client {
        features.push((
            "hyper",
            &["client", "bothends-runtime/hyper"],
            "the transport of `Client::new`",
        ));
        features.push((
            "rustls",
            &["hyper", "bothends-runtime/rustls"],
            "https with rustls",
        ));
        features.push((
            "native-tls",
            &["hyper", "bothends-runtime/native-tls"],
            "https with the TLS library of the system",
        ));
        features.push((
            "reqwest",
            &["client", "bothends-runtime/reqwest"],
            "another transport, over reqwest",
        ));
        features.push((
            "tokens",
            &[
                "client",
                "bothends-runtime/tokens",
                "bothends-runtime/tasks",
            ],
            "OAuth 2.0 tokens that renew themselves, and tasks that are awaited; on tokio",
        ));
    }
    features
}

/// Returns the content of a list of strings.
fn list(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| toml_string(name))
        .collect::<Vec<_>>()
        .join(", ")
}

fn is_default(feature: &str) -> bool {
    !matches!(feature, "native-tls" | "reqwest" | "tokens")
}

fn features_toml(features: &[Feature<'_>], tags: &[TagFeature]) -> String {
    let own = features.iter().map(|(name, ..)| *name);
    let own = own.filter(|name| is_default(name));
    let default: Vec<&str> = own
        .chain(tags.iter().map(|tag| tag.name.as_str()))
        .collect();
    let mut text = format!("default = [{}]\n", list(&default));
    for (name, needs, about) in features {
        text.push_str(&format!("# {about}\n{name} = [{}]\n", list(needs)));
    }
    text + &tags_toml(tags)
}

/// Returns the lines of the features of tags.
pub(crate) fn tags_toml(tags: &[TagFeature]) -> String {
    let line = |tag_feature: &TagFeature| {
        let needs: Vec<&str> = tag_feature.needs.iter().map(String::as_str).collect();
        let (about, name) = (tag_text(tag_feature), key(&tag_feature.name));
        format!("# {about}\n{name} = [{}]\n", list(&needs))
    };
    tags.iter().map(line).collect()
}

fn tag_text(tag_feature: &TagFeature) -> String {
    format!(
        "the operations of `{}`",
        one_line(&tag_feature.tag).replace('`', "'")
    )
}

fn tags_markdown(tags: &[TagFeature]) -> String {
    let row = |tag_feature: &TagFeature| {
        let about = markdown_line(&tag_text(tag_feature).replace('`', ""));
        format!("| `{}` | {about} (on by default) |\n", tag_feature.name)
    };
    tags.iter().map(row).collect()
}

fn features_markdown(features: &[Feature<'_>]) -> String {
    let row = |(name, _, about): &Feature<'_>| {
        let default = if is_default(name) {
            " (on by default)"
        } else {
            ""
        };
        format!("| `{name}` | {about}{default} |\n")
    };
    features.iter().map(row).collect()
}

fn parts_text(parts: Parts) -> String {
    let mut words = vec!["types"];
    words.extend(parts.client.then_some("client"));
    words.extend(parts.server.then_some("server"));
    words.extend(parts.webhooks.then_some("webhooks"));
    words.join(", ")
}

fn dependencies(package: &Package<'_>) -> String {
    let mut lines = vec![(
        "bothends-runtime".to_owned(),
        package.runtime.to_toml(package.runtime_features),
    )];
    for (name, value) in package.dependencies {
        lines.push((name.clone(), inline(value)));
    }
    lines.sort();
    let line = |(name, value): &(String, String)| format!("{} = {value}\n", key(name));
    let mut text: String = lines.iter().map(line).collect();
    if !package.test_features.is_empty() {
        let value = package.runtime.to_toml(package.test_features);
        text.push_str(&format!(
            "\n[dev-dependencies]\nbothends-runtime = {value}\n"
        ));
    }
    text
}

/// Returns a key of TOML, quoted unless it is a bare key.
pub(crate) fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(bare) {
        name.to_owned()
    } else {
        toml_string(name)
    }
}

/// Returns a value on one line.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let pairs: Vec<String> = table
                .iter()
                .map(|(name, value)| format!("{} = {}", key(name), inline(value)))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}
