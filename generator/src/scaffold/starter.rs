//! New projects for a document.

use crate::emit::{Serde, type_features};
use crate::ir::Api;
use crate::output::OutputFile;

use super::template::{fill, markdown_line, one_line, rust_string, toml_string};
use super::{Dependency, Document, client_starter, receiver_starter, server_starter};

/// The kind of a new project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program that calls the API.
    Client,
    /// A program that serves the API.
    Server,
    /// A program that receives webhooks.
    Receiver,
    /// A program whose build script generates the API.
    BuildRs,
}

/// The input for a new project.
#[derive(Debug, Clone)]
pub struct Starter<'a> {
    /// The kind of the project.
    pub kind: Kind,
    /// The name of the project's crate.
    pub name: &'a str,
    /// The name of the generated crate in the project.
    pub api_name: &'a str,
    /// The API.
    pub api: &'a Api,
    /// The document in the project.
    pub document: &'a Document,
    /// The source of the runtime, relative to the project.
    pub runtime: Dependency,
    /// The source of the generator, relative to the project.
    pub generator: Dependency,
}

/// Returns the files of a new project: its document and its code, without the generated crate.
#[must_use]
pub fn starter(starter: &Starter<'_>) -> Vec<OutputFile> {
    let templates = match starter.kind {
        Kind::Client => bothends_templates::CLIENT,
        Kind::Server => bothends_templates::SERVER,
        Kind::Receiver => bothends_templates::RECEIVER,
        Kind::BuildRs => bothends_templates::BUILD_RS,
    };
    let runtime_key = match &starter.runtime {
        Dependency::Registry => String::new(),
        Dependency::Path(path) => format!("runtime-path = {}\n", toml_string(path)),
    };
    let features = match starter.kind {
        // The generated crate enables the features that it needs.
        Kind::Client => Vec::new(),
        Kind::Server | Kind::Receiver => vec!["serve"],
        Kind::BuildRs => {
            let mut features = type_features(starter.api, Serde::Table);
            features.extend(["client", "hyper"]);
            features.sort_unstable();
            features
        }
    };
    let title = if starter.api.title.is_empty() {
        starter.name
    } else {
        &starter.api.title
    };
    let toml = [
        ("name", toml_string(starter.name)),
        ("api", starter.api_name.to_owned()),
        ("api_name", toml_string(starter.api_name)),
        ("spec", toml_string(&starter.document.path)),
        ("reach", reach_toml(starter.document)),
        ("runtime", starter.runtime.to_toml(&features)),
        // The transport of tests in process.
        ("test_runtime", starter.runtime.to_toml(&["client"])),
        ("runtime_key", runtime_key),
        ("generator", starter.generator.to_bare_toml()),
    ];
    let api = match starter.kind {
        Kind::Client | Kind::Server | Kind::Receiver => starter.api_name.replace('-', "_"),
        Kind::BuildRs => "api".to_owned(),
    };
    let rust = [
        ("spec", rust_string(&starter.document.path)),
        ("reach", reach_rust(starter.document)),
        ("base_url", client_starter::base_url(starter.api, &api)),
        ("call", client_starter::first_call(starter.api)),
        ("credentials", client_starter::credentials(starter.api)),
        ("kinds", receiver_starter::kinds(starter.api)),
        ("imports", server_starter::imports(starter.api)),
        ("impls", server_starter::impls(starter.api)),
        (
            "runtime_imports",
            server_starter::runtime_imports(starter.api).to_owned(),
        ),
        (
            "authenticator",
            server_starter::authenticator(starter.api).to_owned(),
        ),
        ("service", server_starter::service(starter.api)),
        (
            "shown_path",
            server_starter::shown_path(starter.api).to_owned(),
        ),
        ("api", api),
    ];
    let markdown = [
        ("name", starter.name.to_owned()),
        ("title", markdown_line(title)),
        ("spec", one_line(&starter.document.path).replace('`', "'")),
    ];
    let fill_one = |template: &bothends_templates::Template| {
        let values = match template.path.rsplit_once('.').map(|(_, kind)| kind) {
            Some("toml") => &toml[..],
            Some("rs") => &rust[..],
            _ => &markdown[..],
        };
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        OutputFile {
            path: template.path.to_owned(),
            text: fill(template.text, &values),
        }
    };
    let document = starter.document.files.iter().cloned();
    templates.iter().map(fill_one).chain(document).collect()
}

/// Returns the settings of `bothends.toml` for references that leave the folder of the document.
fn reach_toml(document: &Document) -> String {
    let mut keys = String::new();
    if document.outside {
        keys.push_str("allow-outside = true\n");
    }
    if document.remote {
        keys.push_str("allow-remote = true\n");
    }
    keys
}

/// Returns the same settings for a build script.
fn reach_rust(document: &Document) -> String {
    let mut calls = String::new();
    if document.outside {
        calls.push_str("\n        .allow_outside(true)");
    }
    if document.remote {
        calls.push_str("\n        .allow_remote(true)");
    }
    calls
}
