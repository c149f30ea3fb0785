//! `bothends generate SPEC --out DIR`

use std::path::{Path, PathBuf};

use bothends::manifest::enclosing_workspace;
use bothends::output::{self, Difference, Record};
use bothends::{Builder, Config, Plan};

use super::args::{Generate, MessageFormat, Output};
use super::unchanged::{self, Recording, Run};
use super::{End, plan, readable, report, settings, version};

pub(super) fn run(args: &Generate) -> End {
    let format = args.messages.message_format;
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, format);
        End::Failed
    })
}

/// A document whose files are planned and not written.
struct Job {
    out: PathBuf,
    work: Work,
    record: Record,
    workspace_is_open: bool,
}

/// The work for a document.
enum Work {
    /// None: it is that of an earlier run.
    Done(Run),
    /// To write files, and to record the run.
    Planned(Box<Plan>, Option<(unchanged::Place, Recording)>),
}

fn try_run(args: &Generate) -> Result<End, String> {
    let configs = configs(args)?;
    let several = configs.len() > 1;
    let mut jobs = Vec::new();
    let mut end = End::Done;
    for config in configs {
        match job(args, config)? {
            Some(job) => jobs.push(job),
            None => end = End::Found,
        }
    }
    // An error in one document leaves all files as they are.
    if end != End::Done {
        return Ok(end);
    }
    for job in jobs {
        if !args.check {
            write(args, job)?;
            continue;
        }
        let differences = match &job.work {
            Work::Done(_) => Vec::new(),
            Work::Planned(plan, _) => output::compare(&job.out, &plan.files, job.record)
                .map_err(|error| error.to_string())?,
        };
        if several {
            report::print(&format!("{}: ", job.out.display()));
        }
        if check(&differences) == End::Done {
            keep(args, job.work);
        } else {
            end = End::Found;
        }
    }
    Ok(end)
}

/// Plans the files of a document, unless an earlier run did the same. Returns `None` if the document has errors.
fn job(args: &Generate, config: Config) -> Result<Option<Job>, String> {
    let format = args.messages.message_format;
    let spec = settings::spec(&config)?;
    let out = config.out.clone();
    let out = out.ok_or_else(|| settings::missing("output directory", "--out DIR", "out"))?;
    readable(&spec)?;
    let is_crate = config.module != Some(true);
    let record = if is_crate { Record::Kept } else { Record::None };
    let workspace_is_open = is_crate && config.workspace_member.is_none();
    let place = unchanged::Place::new(&spec, &config, record, &report::form(format));
    // The stages of a run have times only if they run.
    let earlier = place.as_ref().filter(|_| !args.timings);
    let work = match earlier.and_then(unchanged::Place::earlier) {
        Some(run) => {
            report::messages(&run.messages);
            Work::Done(run)
        }
        None => {
            let builder = Builder::new(spec).out_dir(&out).config(config);
            let recording = Recording::default();
            let Some(mut plan) = plan::make_of(&builder, &recording, format)? else {
                return Ok(None);
            };
            if args.timings {
                report::timings(&plan.timings);
            }
            report::kept(plan.kept.as_ref(), format);
            if is_crate {
                version::keep(&out, &mut plan.files);
            }
            Work::Planned(Box::new(plan), place.map(|place| (place, recording)))
        }
    };
    Ok(Some(Job {
        out,
        work,
        record,
        workspace_is_open,
    }))
}

/// Records a run whose output is up to date.
fn keep(args: &Generate, work: Work) {
    if let Work::Planned(plan, Some((place, recording))) = work {
        let format = args.messages.message_format;
        let messages = report::rendered(&plan.diagnostics, &plan.sources, format);
        let messages = messages + &report::kept_line(plan.kept.as_ref(), format);
        place.keep(recording, &plan.files, messages);
    }
}

fn write(args: &Generate, job: Job) -> Result<(), String> {
    let out = &job.out;
    let summary = match &job.work {
        Work::Done(run) => run.summary(),
        Work::Planned(plan, _) => {
            output::write(out, &plan.files, job.record).map_err(|error| error.to_string())?
        }
    };
    report::print(&format!("{}: {summary}\n", out.display()));
    if job.workspace_is_open {
        note_workspace(out, args.messages.message_format);
    }
    keep(args, job.work);
    Ok(())
}

/// Returns the configuration of each document, with the flags applied.
fn configs(args: &Generate) -> Result<Vec<Config>, String> {
    let mut configs = settings::read_all(&args.settings)?;
    let output = &args.output;
    if output.out.is_some() || output.name.is_some() {
        configs = vec![settings::only_config(configs)?];
    }
    for config in &mut configs {
        apply(config, output);
    }
    Ok(configs)
}

fn apply(config: &mut Config, output: &Output) {
    settings::path(&mut config.out, output.out.as_ref());
    config.name = output.name.clone().or(config.name.take());
    settings::on(&mut config.module, output.module);
    settings::on(&mut config.workspace_member, output.workspace_member);
    settings::on(
        &mut config.unimplemented_handlers,
        output.unimplemented_handlers,
    );
}

/// Prints a note if a workspace encloses the crate: the crate is the root of another workspace, so
/// cargo rejects it as a member.
fn note_workspace(out: &Path, format: MessageFormat) {
    let Some(root) = enclosing_workspace(out) else {
        return;
    };
    report::note(
        &format!(
            "`{}` is a workspace, and the generated crate is a workspace of its own: as a member, or \
             as a dependency of one, cargo fails with `multiple workspace roots`",
            root.display()
        ),
        "`--workspace-member`, or `workspace-member = true` in bothends.toml, makes the crate a \
         member; `workspace-member = false` keeps the crate apart and hides this note",
        format,
    );
}

/// The number of files that a failed check lists.
const SHOWN: usize = 10;

fn check(differences: &[Difference]) -> End {
    if differences.is_empty() {
        report::print("up to date\n");
        return End::Done;
    }
    let mut text = format!(
        "{} out of date:\n",
        report::counted(differences.len(), "file")
    );
    for difference in differences.iter().take(SHOWN) {
        text.push_str(&format!("{difference}\n"));
    }
    for difference in differences.iter().skip(SHOWN) {
        text.push_str(&format!("also     {}\n", difference.path()));
    }
    text.push_str(&format!(
        "\nTo update, run:\n  {}\n",
        mend(std::env::args().skip(1))
    ));
    report::print(&text);
    End::Found
}

/// Returns the command of this run without `--check`, in the syntax of a shell.
fn mend(args: impl Iterator<Item = String>) -> String {
    let words = args.filter(|arg| arg != "--check").map(|arg| quote(&arg));
    ["bothends".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(arg: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=./,:+@%".contains(&byte);
    if !arg.is_empty() && arg.bytes().all(plain) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}
