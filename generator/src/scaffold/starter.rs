//! New projects around a document.

use crate::emit::{Serde, type_features};
use crate::ir::Api;
use crate::output::OutputFile;

use super::template::{fill, markdown_line, rust_string, toml_string};
use super::{Dependency, client_starter, server_starter};

/// What kind of project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program that calls the API.
    Client,
    /// A program that serves the API.
    Server,
    /// A program whose build script generates the API.
    BuildRs,
}

/// What a new project is made of.
#[derive(Debug, Clone)]
pub struct Starter<'a> {
    /// What kind it is.
    pub kind: Kind,
    /// Name of its crate.
    pub name: &'a str,
    /// Name of the generated crate inside of it.
    pub api_name: &'a str,
    /// The API.
    pub api: &'a Api,
    /// The document, as seen from the project.
    pub spec: &'a str,
    /// The runtime, as seen from the project.
    pub runtime: Dependency,
    /// The generator, as seen from the project.
    pub generator: Dependency,
}

/// The files of a new project, without the generated crate.
#[must_use]
pub fn starter(of: &Starter<'_>) -> Vec<OutputFile> {
    let templates = match of.kind {
        Kind::Client => bothends_templates::CLIENT,
        Kind::Server => bothends_templates::SERVER,
        Kind::BuildRs => bothends_templates::BUILD_RS,
    };
    let runtime_key = match &of.runtime {
        Dependency::Registry => String::new(),
        Dependency::Path(path) => format!("runtime-path = {}\n", toml_string(path)),
    };
    let features = match of.kind {
        // The generated crate turns on what it needs.
        Kind::Client | Kind::Server => vec!["server"],
        Kind::BuildRs => {
            let mut features = type_features(of.api, Serde::Table);
            features.extend(["client", "reqwest"]);
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
        ("spec", toml_string(of.spec)),
        ("runtime", of.runtime.to_toml(&features)),
        ("runtime_key", runtime_key),
        ("generator", of.generator.to_bare_toml()),
    ];
    let api = match of.kind {
        Kind::Client | Kind::Server => of.api_name.replace('-', "_"),
        Kind::BuildRs => "api".to_owned(),
    };
    let rust = [
        ("spec", rust_string(of.spec)),
        ("base_url", client_starter::base_url(of.api, &api)),
        ("call", client_starter::first_call(of.api)),
        ("credentials", client_starter::credentials(of.api)),
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
    templates.iter().map(fill_one).collect()
}
