//! The reference of `bothends.toml`, and tests of its statements.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use bothends::config::{SETTINGS, Setting};
use bothends::{Builder, Config, OutputFile};
use clap::CommandFactory as _;

use super::{check_page, fill};
use crate::cli::args::Cli;

/// Flags of `generate` that control a single run, and therefore have no key.
const FLAGS_ONLY: &[(&str, &str)] = &[
    ("--config", "names the configuration file"),
    ("--check", "compares instead of writing"),
    ("--timings", "prints the time of each stage"),
    ("--message-format", "chooses the format of diagnostics"),
];

const HEAD: &str = "\
# Configuration

<!-- Written from the code: UPDATE_GUIDE=1 cargo test -p bothends --bin bothends -->

`bothends generate` and `bothends deps` read `bothends.toml` in the current directory, or the file that
`--config` names. A flag overrides the key of the same meaning. Paths are relative to the file. An
unknown key is an error, and the message names the nearest key. A build script calls the methods of
`Builder` instead.

`bothends config` prints all settings, each with its origin: the line of the file, the flag, or the default.
With `--check` it also fails if a file that the settings name does not exist. The JSON Schema of the file is
[`templates/bothends.schema.json`](https://raw.githubusercontent.com/bothends/bothends/main/templates/bothends.schema.json).
Files of `bothends new` name it in their first line, which taplo and the extension Even Better TOML read:

```toml
#:schema https://raw.githubusercontent.com/bothends/bothends/main/templates/bothends.schema.json
```

";

fn page() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| key | flag | method of `Builder` | default |\n|---|---|---|---|\n");
    for setting in SETTINGS {
        let flag = setting.flag.map_or("none".to_owned(), |flag| {
            format!("`{}`", flag.replace(", ", "`, `"))
        });
        writeln!(
            text,
            "| [`{0}`](#{0}) | {flag} | `{1}` | {2} |",
            setting.key, setting.method, setting.default
        )
        .expect("a string");
    }
    text.push_str("\nFlags without a key:\n\n");
    for (flag, about) in FLAGS_ONLY {
        writeln!(text, "- `{flag}` {about}.").expect("a string");
    }
    for setting in SETTINGS {
        section(&mut text, setting);
    }
    text.push_str("\n## A file with every key of a document\n\n```toml\n");
    text.push_str(&every_key());
    text.push_str("```\n");
    text
}

fn section(text: &mut String, setting: &Setting) {
    write!(
        text,
        "\n## `{}`\n\n{}\n\n- Value: {}\n- Default: {}\n\n```toml\n{}\n```\n",
        setting.key,
        fill(setting.doc),
        setting.value,
        setting.default,
        setting.example
    )
    .expect("a string");
}

/// Returns the examples in sequence: keys first, then tables, as TOML requires.
fn every_key() -> String {
    let mut text = String::new();
    // A file has the keys of one document, or several documents.
    for setting in SETTINGS.iter().filter(|setting| setting.key != "api") {
        if setting.example.starts_with('[') {
            text.push('\n');
        }
        text.push_str(setting.example);
        text.push('\n');
    }
    text
}

#[test]
fn the_guide_lists_every_key() {
    check_page("configuration.md", &page());
}

#[test]
fn every_example_is_read() {
    for setting in SETTINGS {
        let config = Config::parse(setting.example, Path::new(""));
        let config = config.unwrap_or_else(|error| panic!("{}: {error}", setting.key));
        assert_ne!(config, Config::default(), "{}", setting.key);
        let keys: toml::Table = setting.example.parse().expect("TOML");
        assert_eq!(keys.keys().collect::<Vec<_>>(), [setting.key]);
    }
    Config::parse(&every_key(), Path::new("")).expect("a file");
}

#[test]
fn keys_and_flags_correspond() {
    let command = Cli::command();
    let generate = command.find_subcommand("generate").expect("the command");
    let name = |arg: &clap::Arg| match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => arg.get_id().to_string().to_uppercase(),
    };
    let flags: BTreeSet<String> = generate.get_arguments().map(name).collect();
    let keyed = SETTINGS.iter().flat_map(flags_of);
    let only = FLAGS_ONLY.iter().map(|(flag, _)| *flag);
    let known: BTreeSet<String> = keyed.chain(only).map(str::to_owned).collect();
    assert_eq!(flags, known);
    // The help text of a flag names its key.
    for setting in SETTINGS {
        for flag in flags_of(setting) {
            let mut args = generate.get_arguments();
            let arg = args.find(|arg| name(arg) == flag).expect("the flag");
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let key = format!("[config: `{}`]", setting.key);
            assert!(help.contains(&key), "{flag}: {help}");
        }
    }
}

/// Returns the flags of a key.
fn flags_of(setting: &Setting) -> impl Iterator<Item = &'static str> {
    setting.flag.into_iter().flat_map(|flags| flags.split(", "))
}

#[test]
fn every_key_has_a_method() {
    let source = include_str!("../../builder/mod.rs");
    for setting in SETTINGS {
        let method = setting.method;
        let declared = ["pub fn", "pub const fn"].map(|start| format!("{start} {method}("));
        let found = declared.iter().any(|line| source.contains(line));
        assert!(found, "{}: `Builder::{method}`", setting.key);
    }
}

/// Asserts that the defaults in the reference are the actual defaults.
#[test]
fn an_explicit_default_has_no_effect() {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("api.yaml");
    let document = "openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths:\n  /pets:\n    \
                    get:\n      operationId: listPets\n      responses:\n        '200':\n          \
                    description: Pets\n          content:\n            application/json:\n              \
                    schema: { type: string, enum: [cat, dog] }\n";
    std::fs::write(&spec, document).expect("written");
    let files = |text: &str| -> Vec<OutputFile> {
        let config = Config::parse(text, Path::new("")).expect("a configuration");
        let plan = Builder::new(&spec).config(config).plan().expect("a plan");
        assert!(!plan.files.is_empty(), "{}", plan.report());
        plan.files
    };
    let usual = files("");
    let stated = SETTINGS.iter().filter(|setting| {
        let value = setting
            .example
            .split_once(" = ")
            .map_or("", |(_, value)| value);
        setting.default == format!("`{}`", value.trim_matches('"')) || setting.key == "parts"
    });
    let keys: Vec<&str> = stated
        .inspect(|setting| assert!(files(setting.example) == usual, "{}", setting.key))
        .map(|setting| setting.key)
        .collect();
    let checked = [
        "module",
        "parts",
        "serde",
        "unknown-values",
        "unimplemented-handlers",
        "response-rules",
        "examples-test",
        "types-test",
        "unknown-crates",
        "workspace-member",
        "allow-outside",
        "allow-remote",
        "stable-from",
    ];
    assert_eq!(keys, checked);
}
