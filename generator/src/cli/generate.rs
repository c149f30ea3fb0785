//! `bothends generate SPEC --out DIR`

use std::path::PathBuf;

use bothends::config::FILE_NAME;
use bothends::output::{self, Difference, Record};
use bothends::{Builder, Config, Parts, Serde, UnknownValues};

use super::args::{Generate, Part, SerdeWord, UnknownWord};
use super::{End, plan, readable, report};

pub(super) fn run(args: &Generate) -> End {
    let format = args.messages.message_format;
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, format);
        End::Failed
    })
}

fn try_run(args: &Generate) -> Result<End, String> {
    let config = settings(args)?;
    let missing = |what: &str, how: &str| {
        format!("no {what}: give {how}, or set it in {FILE_NAME} (see `bothends generate --help`)")
    };
    let spec = config
        .spec
        .clone()
        .ok_or_else(|| missing("document", "its path"))?;
    let out = config
        .out
        .clone()
        .ok_or_else(|| missing("output folder", "`--out DIR`"))?;
    readable(&spec)?;
    let record = if config.module == Some(true) {
        Record::None
    } else {
        Record::Kept
    };
    let builder = Builder::new(spec).out_dir(&out).config(config);
    let Some(plan) = plan::make(&builder, args.messages.message_format)? else {
        return Ok(End::Found);
    };
    if args.check {
        let differences = output::compare(&out, &plan.files, record);
        return differences
            .map(|found| check(&found))
            .map_err(|error| error.to_string());
    }
    let summary = output::write(&out, &plan.files, record).map_err(|error| error.to_string())?;
    report::print(&format!("{}: {summary}\n", out.display()));
    Ok(End::Done)
}

/// What flags and configuration say together.
fn settings(args: &Generate) -> Result<Config, String> {
    let loaded = match &args.config {
        Some(path) => Config::load(path).map(Some),
        None => Config::load_default(),
    };
    let mut config = loaded
        .map_err(|error| error.to_string())?
        .unwrap_or_default();
    let set = |key: &mut Option<PathBuf>, flag: &Option<PathBuf>| {
        if flag.is_some() {
            key.clone_from(flag);
        }
    };
    set(&mut config.spec, &args.spec);
    set(&mut config.out, &args.out);
    set(&mut config.runtime_path, &args.runtime_path);
    config.name = args.name.clone().or(config.name);
    config.module = args.module.then_some(true).or(config.module);
    config.parts = args.parts.as_deref().map(parts).or(config.parts);
    config.serde = args.serde.map(serde).or(config.serde);
    config.unimplemented_handlers = args
        .unimplemented_handlers
        .then_some(true)
        .or(config.unimplemented_handlers);
    let unknown = args.unknown_values.map(unknown_values);
    config.unknown_values = unknown.or(config.unknown_values);
    config.allow_outside = args
        .reach
        .allow_outside
        .then_some(true)
        .or(config.allow_outside);
    config.allow_remote = args
        .reach
        .allow_remote
        .then_some(true)
        .or(config.allow_remote);
    for code in &args.allow.allow {
        if !config.allow.contains(code) {
            config.allow.push(code.clone());
        }
    }
    Ok(config)
}

fn parts(words: &[Part]) -> Parts {
    Parts {
        client: words.contains(&Part::Client),
        server: words.contains(&Part::Server),
        webhooks: words.contains(&Part::Webhooks),
    }
}

const fn serde(word: SerdeWord) -> Serde {
    match word {
        SerdeWord::Table => Serde::Table,
        SerdeWord::Derive => Serde::Derive,
    }
}

const fn unknown_values(word: UnknownWord) -> UnknownValues {
    match word {
        UnknownWord::Keep => UnknownValues::Keep,
        UnknownWord::Reject => UnknownValues::Reject,
    }
}

/// How many files of a failed check are told of.
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

/// The command that was run, without `--check`, as a shell takes it.
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
