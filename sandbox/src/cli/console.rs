//! The connection of commands to a sandbox.

use crate::listen::{ConsoleClient, ListenError, console_client};
use clap::Args;
use std::fmt;

/// Which sandbox, and which project.
#[derive(Debug, Clone, Args)]
pub struct ConsoleArgs {
    /// The sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// The id of the project. It can be left out if the sandbox has only one.
    #[arg(long, value_name = "ID", env = "SANDBOX_PROJECT")]
    pub project: Option<String>,
}

/// Which sandbox.
#[derive(Clone, Args)]
pub struct SandboxArgs {
    /// The URL of the console.
    #[arg(
        long,
        value_name = "URL",
        env = "SANDBOX_CONSOLE_URL",
        default_value = "http://127.0.0.1:8081"
    )]
    pub console: String,
    /// The bearer token of the console API, which the sandbox prints at its start.
    #[arg(long, env = "SANDBOX_CONSOLE_TOKEN", hide_env_values = true)]
    pub token: String,
}

/// Omits the token.
impl fmt::Debug for SandboxArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxArgs")
            .field("console", &self.console)
            .finish_non_exhaustive()
    }
}

impl SandboxArgs {
    /// Returns a client of the console API.
    pub(super) fn client(&self) -> Result<ConsoleClient, ListenError> {
        console_client(&self.console, &self.token)
    }
}

impl ConsoleArgs {
    /// Returns a client of the console API, and the id of the project.
    pub(super) async fn connect(&self) -> Result<(ConsoleClient, String), ListenError> {
        let client = self.sandbox.client()?;
        if let Some(project) = &self.project {
            return Ok((client, project.clone()));
        }
        let projects = client.list_projects().await.map_err(ListenError::from)?;
        match projects.as_slice() {
            [project] => {
                let id = project.id.clone();
                Ok((client, id))
            }
            [] => Err(ListenError::new("the sandbox has no project")),
            projects => {
                let names = projects
                    .iter()
                    .map(|project| format!("\n  {}  {}", project.id, project.name));
                let names: String = names.collect();
                Err(ListenError::new(format!(
                    "the sandbox has several projects: choose one with `--project`{names}"
                )))
            }
        }
    }
}
