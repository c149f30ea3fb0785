//! `trigger`: test events.

use super::block_on;
use super::console::ConsoleArgs;
use crate::console::api::operations::TriggerEventRequest;
use crate::console::api::types::TriggerInput;
use crate::listen::{ConsoleClient, ListenError};
use crate::webhooks::Setting;
use clap::Args;
use serde_json::Value;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The arguments of `trigger`.
#[derive(Debug, Args)]
pub struct TriggerArgs {
    /// The kind of webhook, such as `refreshCompleted`.
    kind: String,
    #[command(flatten)]
    console: ConsoleArgs,
    /// Sets a field in `data`: `field=text`, or `field:=json` for other values.
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<Setting>,
    /// The file with the body; `-` is the standard input.
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// The id of the message. A second event with the same id is not sent.
    #[arg(long, value_name = "ID")]
    message_id: Option<String>,
    /// Prints the body, and sends nothing.
    #[arg(long, conflicts_with = "edit")]
    print: bool,
    /// Opens the body in `$VISUAL` or `$EDITOR`, and sends what was saved. Nothing is sent if the
    /// file is empty.
    #[arg(long)]
    edit: bool,
}

/// Runs the command.
pub(super) fn run(args: &TriggerArgs) -> ExitCode {
    block_on(async {
        let (client, project) = args.console.connect().await?;
        let mut body = args.body.as_deref().map(read).transpose()?;
        if args.print || args.edit {
            let full = full_body(args, &client, &project, body).await?;
            let text = serde_json::to_string_pretty(&full).map_err(ListenError::new)?;
            if args.print {
                let written = writeln!(io::stdout(), "{text}");
                written.map_err(ListenError::new)?;
                return Ok(ExitCode::SUCCESS);
            }
            let Some(edited) = edit(&text)? else {
                eprintln!("The file is empty: nothing was sent.");
                return Ok(ExitCode::SUCCESS);
            };
            body = Some(edited);
        }
        let mut input = TriggerInput::new(args.kind.clone());
        if let Some(body) = body {
            input = input.body(body);
        }
        // An edited body has the values already, perhaps changed.
        if !args.edit {
            let set = args.set.iter();
            let set = set.map(|set| (set.field.clone(), set.value.clone()));
            input = input.set(set.collect::<bothends_runtime::Map<_>>());
        }
        if let Some(id) = &args.message_id {
            input = input.message_id(id.as_str());
        }
        let sent = client.trigger_event(TriggerEventRequest::new(project, input));
        let event = sent.await.map_err(ListenError::from)?;
        let receivers = event.receivers.unwrap_or_default();
        let plural = if receivers == 1 { "" } else { "s" };
        println!(
            "{} {}: {receivers} subscription{plural}",
            event.kind, event.message_id
        );
        if receivers == 0 {
            eprintln!(
                "No active subscription of the project receives `{}`: add one in the console, or start `listen`.",
                event.kind
            );
            return Ok(ExitCode::FAILURE);
        }
        Ok::<_, ListenError>(ExitCode::SUCCESS)
    })
}

/// Returns the body, or the example of the kind, with the fields of `--set`.
async fn full_body(
    args: &TriggerArgs,
    client: &ConsoleClient,
    project: &str,
    body: Option<Value>,
) -> Result<Value, ListenError> {
    let mut body = match body {
        Some(body) => body,
        None => {
            let kinds = client.list_event_kinds(project).await;
            let kinds = kinds.map_err(ListenError::from)?.into_inner();
            let names: Vec<String> = kinds.iter().map(|kind| kind.kind.clone()).collect();
            let kind = kinds.into_iter().find(|kind| kind.kind == args.kind);
            let kind = kind.ok_or_else(|| {
                let known = names.join("`, `");
                ListenError::new(format!(
                    "no webhook `{}`; the webhooks are `{known}`",
                    args.kind
                ))
            })?;
            serde_json::to_value(&kind.example).map_err(ListenError::new)?
        }
    };
    for set in &args.set {
        let data = body.get_mut("data").and_then(Value::as_object_mut);
        let data = data.ok_or_else(|| ListenError::new("the body has no object `data`"))?;
        data.insert(set.field.clone(), set.value.clone());
    }
    Ok(body)
}

/// Reads a body from a file.
fn read(file: &Path) -> Result<Value, ListenError> {
    let value = serde_json::from_str(&read_text(file)?);
    value.map_err(|error| ListenError::new(format!("{}: {error}", file.display())))
}

/// Reads a file; `-` is the standard input.
pub(super) fn read_text(file: &Path) -> Result<String, ListenError> {
    let text = if file == Path::new("-") {
        let mut text = String::new();
        let read = io::stdin().lock().read_to_string(&mut text);
        read.map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    text.map_err(|error| ListenError::new(format!("{}: {error}", file.display())))
}

/// Opens a text in the editor. Returns `None` if the saved file is empty.
fn edit(text: &str) -> Result<Option<Value>, ListenError> {
    let editor = ["VISUAL", "EDITOR"].into_iter().find_map(std::env::var_os);
    let editor = editor.ok_or_else(|| {
        ListenError::new("no editor: set `EDITOR`, or use `--print` and `--body`")
    })?;
    let mut file = tempfile::Builder::new()
        .suffix(".json")
        .tempfile()
        .map_err(ListenError::new)?;
    writeln!(file, "{text}").map_err(ListenError::new)?;
    let path = file.into_temp_path();
    // `EDITOR` may have arguments, such as `code --wait`.
    let command = editor.to_string_lossy().into_owned();
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let status = Command::new(program).args(words).arg(&path).status();
    let status = status.map_err(|error| ListenError::new(format!("`{command}`: {error}")))?;
    if !status.success() {
        return Err(ListenError::new(format!("`{command}` failed: {status}")));
    }
    let text = std::fs::read_to_string(&path).map_err(ListenError::new)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let body = serde_json::from_str(&text);
    body.map(Some)
        .map_err(|error| ListenError::new(format!("the edited body: {error}")))
}
