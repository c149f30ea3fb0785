//! Programs that the command writes and runs, because the tables of a document are compiled code.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::ir::{Api, Scheme, SchemeKind};
use crate::names::flow_constant;
use crate::output::OutputFile;

use super::Dependency;
use super::template::{fill, one_line, rust_string, toml_string};

/// The folder of the generated module in a driver.
const API: &str = "src/api";

/// What a driver does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It sends the requests of a contract test, with TLS or without.
    Contract {
        /// Whether the service is reached by https.
        tls: bool,
    },
    /// It reads the examples of the document.
    Examples,
}

/// The input for a driver.
#[derive(Debug, Clone)]
pub struct Driver<'a> {
    /// What it does.
    pub purpose: Purpose,
    /// The name of its crate.
    pub name: &'a str,
    /// The file name of the document, without folders.
    pub spec: &'a str,
    /// The API.
    pub api: &'a Api,
    /// The features of the runtime that the generated module needs.
    pub features: BTreeSet<&'static str>,
    /// The source of the runtime, relative to the driver.
    pub runtime: Dependency,
    /// The files of the generated module.
    pub module: Vec<OutputFile>,
}

impl Purpose {
    /// Returns the features of the runtime that the program needs.
    const fn features(self) -> &'static [&'static str] {
        match self {
            Self::Contract { tls: true } => &["test", "tokens", "rustls"],
            Self::Contract { tls: false } => &["test", "tokens", "hyper"],
            Self::Examples => &["test"],
        }
    }

    const fn templates(self) -> &'static [bothends_templates::Template] {
        match self {
            Self::Contract { .. } => bothends_templates::CONTRACT,
            Self::Examples => bothends_templates::EXAMPLES,
        }
    }
}

/// Returns the files of a driver.
#[must_use]
pub fn driver(driver: Driver<'_>) -> Vec<OutputFile> {
    let mut features = driver.features;
    features.extend(driver.purpose.features());
    let features: Vec<&str> = features.into_iter().collect();
    let spec = one_line(driver.spec).replace('`', "'");
    let values = [
        ("spec", spec),
        ("name", toml_string(driver.name)),
        ("runtime", driver.runtime.to_toml(&features)),
        ("impls", impls(driver.api)),
        ("credentials", credentials(driver.api)),
        ("tokens", tokens(driver.api)),
    ];
    let values: Vec<(&str, &str)> = (values.iter())
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let own = driver
        .purpose
        .templates()
        .iter()
        .map(|template| OutputFile {
            path: template.path.to_owned(),
            text: fill(template.text, &values),
        });
    let module = driver.module.into_iter().map(|file| OutputFile {
        path: format!("{API}/{}", file.path),
        ..file
    });
    own.chain(module).collect()
}

/// Returns an impl of each trait, for a document with default methods.
fn impls(api: &Api) -> String {
    let line = |name: &str| format!("impl api::server::{name} for Unimplemented {{}}\n");
    api.tags.iter().map(|tag| line(&tag.trait_name)).collect()
}

/// Returns the call that sets the credentials of the environment.
fn credentials(api: &Api) -> String {
    if api.schemes.is_empty() {
        return String::new();
    }
    let mut text = ".with_credentials(api::client::Credentials {\n".to_owned();
    for scheme in &api.schemes {
        let variable = rust_string(&variable_of(scheme));
        let value = match scheme.kind {
            SchemeKind::Transport => "None".to_owned(),
            SchemeKind::Basic => format!(
                "match set({variable}) {{\n            \
                 Some(text) => {{\n                \
                 let (user, password) = text.split_once(':').ok_or(\"expected `USER:PASSWORD`\")?;\n                \
                 Some(bothends_runtime::client::Basic::new(user, password))\n            }}\n            \
                 None => None,\n        }}"
            ),
            // A token has no colon (RFC 6750, section 2.1): see `tokens`.
            _ if scheme.token.is_some() => {
                format!("set({variable}).filter(|text| !text.contains(':')).map(Into::into)")
            }
            _ => format!("set({variable}).map(Into::into)"),
        };
        let _ = writeln!(text, "        {}: {value},", scheme.name.rust);
    }
    text + "    })"
}

/// Returns the statements by which the client obtains tokens, if the credential of a scheme is `ID:SECRET`. The user has
/// given them for the token endpoint that the document names, so it may be at another origin.
fn tokens(api: &Api) -> String {
    let mut text = String::new();
    for scheme in api.schemes.iter().filter(|scheme| scheme.token.is_some()) {
        let variable = rust_string(&variable_of(scheme));
        let flow = flow_constant(&scheme.name.rust);
        let _ = write!(
            text,
            "    if let Some(text) = set({variable}) && let Some((id, secret)) = text.split_once(':') {{\n        \
             let core = client.core().clone().trust_every_origin();\n        \
             client = client.with_tokens(core.token_source(api::client::{flow}, id, secret)?);\n    }}\n"
        );
    }
    text
}

/// Returns the variable of the environment that has the credential of a scheme: for `apiKey`
/// `BOTHENDS_CREDENTIAL_APIKEY`.
#[must_use]
pub fn variable_of(scheme: &Scheme) -> String {
    let plain = |char: char| match char.is_ascii_alphanumeric() {
        true => char.to_ascii_uppercase(),
        false => '_',
    };
    let name: String = scheme.name.wire.chars().map(plain).collect();
    format!("BOTHENDS_CREDENTIAL_{name}")
}
