//! `scenario`: a project from a file.

use super::console::SandboxArgs;
use super::trigger::read_text;
use super::{block_on, fact};
use crate::console::api::operations::{LoadScenarioContent, LoadScenarioRequest};
use crate::console::api::types::LoadedScenario;
use crate::listen::ListenError;
use clap::Args;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `scenario`.
#[derive(Debug, Args)]
pub struct ScenarioArgs {
    /// The file; `-` is the standard input.
    file: PathBuf,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Replaces a project that was created from the same seed.
    #[arg(long)]
    replace: bool,
    /// Prints the project as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &ScenarioArgs) -> ExitCode {
    block_on(async {
        let text = read_text(&args.file)?;
        let request =
            LoadScenarioRequest::new(LoadScenarioContent::Yaml(text)).replace(args.replace);
        let loaded = args.sandbox.client()?.load_scenario(request).await;
        let place = args.file.display();
        let loaded = loaded.map_err(|error| {
            let error = ListenError::from(error);
            ListenError::new(format!("{place}: {error}"))
        })?;
        let text = match args.json {
            true => serde_json::to_string_pretty(&*loaded).map_err(ListenError::new)? + "\n",
            false => for_people(&loaded),
        };
        let written = io::stdout().write_all(text.as_bytes());
        written.map_err(ListenError::new)?;
        Ok::<_, ListenError>(ExitCode::SUCCESS)
    })
}

/// Returns the credentials, which are not shown again.
fn for_people(loaded: &LoadedScenario) -> String {
    let mut text = fact("Project", &loaded.project.id);
    for (name, value) in [
        ("Client id", &loaded.client_id),
        ("Client secret", &loaded.client_secret),
        ("Customer id", &loaded.customer_id),
        ("Customer secret", &loaded.customer_secret),
    ] {
        text += &fact(name, value);
    }
    for new in &loaded.customers {
        text.push('\n');
        text += &fact("Customer", &new.customer.name);
        text += &fact("Customer id", &new.customer.id);
        text += &fact("Customer secret", &new.customer_secret);
    }
    text
}
