//! `listen`: webhooks on a local port.

use super::block_on;
use super::console::ConsoleArgs;
use super::keys::{Key, Keys};
use crate::listen::{Forwarded, ListenError, Listener, Notice};
use clap::Args;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `listen`.
#[derive(Args)]
pub struct ListenArgs {
    #[command(flatten)]
    console: ConsoleArgs,
    /// The local URL, such as `http://localhost:3000/hooks/{kind}`; `{kind}` is replaced by the kind
    /// of the webhook. Without it, every webhook is acknowledged.
    #[arg(long, value_name = "URL")]
    forward: Option<String>,
    /// Only webhooks of this kind. The option can be repeated.
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// The file with the last webhook that was forwarded. A later start begins after it.
    #[arg(long, value_name = "FILE")]
    cursor_file: Option<PathBuf>,
    /// Ends after the first webhook.
    #[arg(long)]
    once: bool,
    /// The name of the listener. Two with one name share their webhooks.
    #[arg(long, default_value = "listen")]
    name: String,
    /// The token that signs the webhooks, with more than 32 characters.
    #[arg(long, env = "SANDBOX_SIGNING_TOKEN", hide_env_values = true)]
    signing_token: Option<String>,
}

/// Omits the tokens.
impl fmt::Debug for ListenArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListenArgs")
            .field("console", &self.console)
            .field("forward", &self.forward)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Runs the command.
pub(super) fn run(args: ListenArgs) -> ExitCode {
    block_on(async {
        let once = args.once;
        let console = args
            .console
            .sandbox
            .console
            .trim_end_matches('/')
            .to_owned();
        let (listener, project) = start(args).await?;
        println!("Listening at {}", listener.receiver());
        let subscription = listener.subscription().to_owned();
        print_until_end(listener, once).await;
        println!(
            "The subscription stays for the next start of `listen`; until then its webhooks fail and are retried. \
             Remove it at {console}/projects/{project}/subscriptions/{subscription}"
        );
        Ok::<_, ListenError>(ExitCode::SUCCESS)
    })
}

/// Starts the listener. Returns the project too.
async fn start(args: ListenArgs) -> Result<(Listener, String), ListenError> {
    let (_, project) = args.console.connect().await?;
    let mut builder = Listener::builder()
        .console(args.console.sandbox.console, args.console.sandbox.token)
        .project(project.as_str())
        .name(args.name);
    if let Some(url) = args.forward {
        builder = builder.forward(url);
    }
    for kind in args.kind {
        builder = builder.kind(kind);
    }
    if let Some(file) = args.cursor_file {
        builder = builder.cursor_file(file);
    }
    if let Some(token) = args.signing_token {
        builder = builder.signing_token(token);
    }
    Ok((builder.start().await?, project))
}

/// Prints a line for each webhook, and does what the keys say.
async fn print_until_end(mut listener: Listener, once: bool) {
    let mut keys = Keys::read();
    let mut last: Option<Forwarded> = None;
    let mut shutdown = std::pin::pin!(bothends_delivery::shutdown_signal());
    loop {
        tokio::select! {
            notice = listener.next() => match notice {
                Some(Notice::Connected) => println!("connected"),
                Some(Notice::Disconnected { reason }) => println!("disconnected: {reason}"),
                Some(Notice::Forwarded(webhook)) => {
                    println!("{}", webhook.line());
                    if once {
                        break;
                    }
                    last = Some(*webhook);
                }
                None => break,
            },
            key = keys.next() => match (key, &last) {
                (Key::Quit, _) => break,
                (_, None) => println!("no webhook yet"),
                (Key::Details, Some(webhook)) => println!("{}", webhook.details()),
                (Key::Retry, Some(webhook)) => {
                    let again = listener.retry(webhook).await;
                    println!("{}", again.line());
                    last = Some(again);
                }
            },
            () = &mut shutdown => break,
        }
    }
    listener.stop().await;
}
