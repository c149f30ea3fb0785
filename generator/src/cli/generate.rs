//! `bothends generate SPEC --out DIR`

use std::path::Path;

use bothends::manifest::enclosing_workspace;
use bothends::output::{self, Difference, Record};
use bothends::{Builder, Config};

use super::args::{Generate, MessageFormat};
use super::{End, plan, readable, report, settings, version};

pub(super) fn run(args: &Generate) -> End {
    let format = args.messages.message_format;
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, format);
        End::Failed
    })
}

fn try_run(args: &Generate) -> Result<End, String> {
    let config = config(args)?;
    let spec = settings::spec(&config)?;
    let out = config.out.clone();
    let out = out.ok_or_else(|| settings::missing("output directory", "--out DIR", "out"))?;
    readable(&spec)?;
    let is_crate = config.module != Some(true);
    let record = if is_crate { Record::Kept } else { Record::None };
    let workspace_is_open = is_crate && config.workspace_member.is_none();
    let builder = Builder::new(spec).out_dir(&out).config(config);
    let Some(mut plan) = plan::make(&builder, args.messages.message_format)? else {
        return Ok(End::Found);
    };
    if args.timings {
        report::timings(&plan.timings);
    }
    report::kept(plan.kept.as_ref(), args.messages.message_format);
    if is_crate {
        version::keep(&out, &mut plan.files);
    }
    if args.check {
        let differences = output::compare(&out, &plan.files, record);
        return differences
            .map(|found| check(&found))
            .map_err(|error| error.to_string());
    }
    let summary = output::write(&out, &plan.files, record).map_err(|error| error.to_string())?;
    report::print(&format!("{}: {summary}\n", out.display()));
    if workspace_is_open {
        note_workspace(&out, args.messages.message_format);
    }
    Ok(End::Done)
}

/// Returns the configuration, with the flags applied.
fn config(args: &Generate) -> Result<Config, String> {
    let mut config = settings::read(&args.settings)?;
    let output = &args.output;
    settings::path(&mut config.out, output.out.as_ref());
    config.name = output.name.clone().or(config.name);
    settings::on(&mut config.module, output.module);
    settings::on(&mut config.workspace_member, output.workspace_member);
    settings::on(
        &mut config.unimplemented_handlers,
        output.unimplemented_handlers,
    );
    Ok(config)
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
        "{} not as generated:\n",
        report::counted(differences.len(), "file")
    );
    for difference in differences.iter().take(SHOWN) {
        text.push_str(&format!("{difference}\n"));
    }
    for difference in differences.iter().skip(SHOWN) {
        text.push_str(&format!("also     {}\n", difference.path()));
    }
    text.push_str(&format!(
        "\nTo mend it, run:\n  {}\n",
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
