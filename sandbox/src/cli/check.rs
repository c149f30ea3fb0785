//! `check`: the conformance report, with an exit code for CI.

use super::block_on;
use super::console::ConsoleArgs;
use crate::console::api::types::{Evidence, Finding, FindingVerdict, Report};
use crate::listen::ListenError;
use bothends_runtime::Nullable;
use clap::Args;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// The number of observations that are printed for a violated rule.
const EVIDENCE: usize = 3;

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    console: ConsoleArgs,
    /// Sends wrongly signed webhooks to the active subscriptions first.
    #[arg(long)]
    probe: bool,
    /// A rule that the client must be seen to keep: `not-shown` fails as well. Can be repeated.
    #[arg(long, value_name = "RULE")]
    require: Vec<String>,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs) -> ExitCode {
    block_on(async {
        let (client, project) = args.console.connect().await?;
        if args.probe {
            let probe = client.probe(project.as_str()).await;
            let probe = probe.map_err(ListenError::from)?;
            if probe.messages.is_empty() && !args.json {
                println!("There is no active subscription to probe.\n");
            }
        }
        let report = client.get_report(project.as_str()).await;
        let report = report.map_err(ListenError::from)?.into_inner();
        let named = |rule: &&String| report.findings.iter().any(|found| found.rule == **rule);
        if let Some(unknown) = args.require.iter().find(|rule| !named(rule)) {
            return Err(ListenError::new(no_rule(unknown, &report)));
        }
        let mut text = if args.json {
            serde_json::to_string_pretty(&report).map_err(ListenError::new)?
        } else {
            for_people(&report)
        };
        text.push('\n');
        // The exit code counts, even if nobody reads the text.
        let _ = io::stdout().write_all(text.as_bytes());
        let is_required = |finding: &&Finding| args.require.contains(&finding.rule);
        let required = report.findings.iter().filter(is_required);
        let not_shown = required.filter(|finding| finding.verdict == FindingVerdict::NotShown);
        let mut failed = report.findings.iter().any(is_violated);
        for finding in not_shown {
            failed = true;
            let Finding {
                rule, explanation, ..
            } = finding;
            let line = format!("the required rule `{rule}` is not shown: {explanation}\n");
            let _ = io::stderr().write_all(line.as_bytes());
        }
        Ok::<_, ListenError>(ExitCode::from(u8::from(failed)))
    })
}

fn no_rule(unknown: &str, report: &Report) -> String {
    let rules: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    format!(
        "there is no rule `{unknown}`; the rules are {}",
        rules.join(", ")
    )
}

fn is_violated(finding: &Finding) -> bool {
    finding.verdict == FindingVerdict::Violated
}

/// Returns the call or webhook of an observation.
fn source(evidence: &Evidence) -> String {
    match (&evidence.call, &evidence.webhook) {
        (Nullable::Value(id), _) => format!("call {id}"),
        (_, Nullable::Value(id)) => format!("webhook {id}"),
        _ => String::new(),
    }
}

fn for_people(report: &Report) -> String {
    let mut text = format!(
        "{} calls and {} requests with webhooks\n\n",
        report.calls, report.webhooks
    );
    for finding in &report.findings {
        let verdict = finding.verdict.as_str();
        let _ = writeln!(text, "{verdict:<10} {:<28} {}", finding.rule, finding.title);
        if is_violated(finding) {
            let _ = writeln!(text, "{:<10} {}", "", finding.explanation);
            for evidence in finding.evidence.iter().take(EVIDENCE) {
                let _ = writeln!(
                    text,
                    "{:<10} - {} ({})",
                    "",
                    evidence.text,
                    source(evidence)
                );
            }
        }
    }
    for unknown in &report.unknown {
        let _ = writeln!(text, "{:<10} {unknown}", "unknown");
    }
    let violated = report
        .findings
        .iter()
        .filter(|finding| is_violated(finding))
        .count();
    let _ = match violated {
        0 => write!(text, "\nNo rule is violated."),
        1 => write!(text, "\nOne rule is violated."),
        _ => write!(text, "\n{violated} rules are violated."),
    };
    text
}
