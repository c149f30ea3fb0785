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
pub fn starter(of: &Starter<'_>) -> Vec<OutputFile> {
    let templates = match of.kind {
        Kind::Client => bothends_templates::CLIENT,
        Kind::Server => bothends_templates::SERVER,
        Kind::Receiver => bothends_templates::RECEIVER,
        Kind::BuildRs => bothends_templates::BUILD_RS,
    };
    let runtime_key = match &of.runtime {
        Dependency::Registry => String::new(),
        Dependency::Path(path) => format!("runtime-path = {}\n", toml_string(path)),
    };
    let features = match of.kind {
        // The generated crate enables the features that it needs.
        Kind::Client => Vec::new(),
        Kind::Server | Kind::Receiver => vec!["serve"],
        Kind::BuildRs => {
            let mut features = type_features(of.api, Serde::Table);
            features.extend(["client", "hyper"]);
            features.sort_unstable();
            features
        }
    };
    let title = if of.api.title.is_empty() {
        of.name
    } else {
        &of.api.title
    };
    let toml = [
        ("name", toml_string(of.name)),
        ("api", of.api_name.to_owned()),
        ("api_name", toml_string(of.api_name)),
        ("spec", toml_string(&of.document.path)),
        ("reach", reach_toml(of.document)),
        ("runtime", of.runtime.to_toml(&features)),
        // The transport of tests in process.
        ("test_runtime", of.runtime.to_toml(&["client"])),
        ("runtime_key", runtime_key),
        ("generator", of.generator.to_bare_toml()),
    ];
    let api = match of.kind {
        Kind::Client | Kind::Server | Kind::Receiver => of.api_name.replace('-', "_"),
        Kind::BuildRs => "api".to_owned(),
    };
    let rust = [
        ("spec", rust_string(&of.document.path)),
        ("reach", reach_rust(of.document)),
        ("base_url", client_starter::base_url(of.api, &api)),
        ("call", client_starter::first_call(of.api)),
        ("credentials", client_starter::credentials(of.api)),
        ("kinds", receiver_starter::kinds(of.api)),
        ("imports", server_starter::imports(of.api)),
        ("impls", server_starter::impls(of.api)),
        (
            "runtime_imports",
            server_starter::runtime_imports(of.api).to_owned(),
        ),
        (
            "authenticator",
            server_starter::authenticator(of.api).to_owned(),
        ),
        ("service", server_starter::service(of.api)),
        ("shown_path", server_starter::shown_path(of.api).to_owned()),
        ("api", api),
    ];
    let markdown = [
        ("name", of.name.to_owned()),
        ("title", markdown_line(title)),
        ("spec", one_line(&of.document.path).replace('`', "'")),
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
    let document = of.document.files.iter().cloned();
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
