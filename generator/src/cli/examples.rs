//! The texts after the options in `--help`: exit codes and examples.

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  success, possibly with warnings
  1  the document or the configuration file has errors, `generate --check` found differences,
     `diff` found changes that `--fail-on` names, an example is wrong, or `contract` has findings
  2  wrong usage, a file could not be read or written, `diff` could not compare, or `contract` tested no operation

See `bothends help <COMMAND>` for the options and examples of a command.";

pub(super) const GENERATE: &str = "\
Examples:
  Generate a crate into `petstore/`:
    bothends generate api.yaml --out petstore

  Generate one module for `mod api;`, with types and client only:
    bothends generate api.yaml --out src/api --module --parts client

  Generate the operations of one tag, without the deprecated ones:
    bothends generate api.yaml --out billing --include tag:Billing --exclude deprecated

  Read all settings from bothends.toml, and check in CI that the output is up to date:
    bothends generate --check";

pub(super) const NEW: &str = "\
Examples:
  Create a program that calls the API, in the directory `shop/`:
    bothends new shop --spec api.yaml --template client

  Create a program whose build script generates the API:
    bothends new shop --spec api.yaml --template build-rs";

pub(super) const CONFIG: &str = "\
Examples:
  Print all settings of bothends.toml and the defaults of the others:
    bothends config

  Check the file, and that the files exist that it names:
    bothends config --check";

pub(super) const DEPS: &str = "\
Examples:
  Print the `[dependencies]` of a crate with a generated module:
    bothends deps api.yaml --parts client

  Print the tables of a crate whose build script generates the API:
    bothends deps api.yaml --build-script";

pub(super) const LIST: &str = "\
Examples:
  List the tags of a document, as selectors for `[filter]`:
    bothends list tags api.yaml

  List the operations that the filter of bothends.toml keeps:
    bothends list operations --filter";

pub(super) const STUBS: &str = "\
Examples:
  Start a server:
    bothends stubs api.yaml > src/service.rs

  Print the methods that a server lacks:
    bothends stubs api.yaml --source src/service.rs

  Start a server that uses a generated crate:
    bothends stubs api.yaml --api petstore > src/service.rs";

pub(super) const LINT: &str = "\
Examples:
  Report errors and warnings:
    bothends lint api.yaml

  Report them to a program, one JSON object per line:
    bothends lint api.yaml --message-format json

  Propose an overlay that repairs the document:
    bothends lint api.yaml --write-overlay fixes.overlay.yaml
    bothends lint api.yaml --overlay fixes.overlay.yaml";

pub(super) const EXAMPLES: &str = "\
Examples:
  Check the examples of a document:
    bothends examples api.yaml

  Leave out an example by an overlay that removes it:
    bothends examples api.yaml --overlay without.overlay.yaml";

pub(super) const CONTRACT: &str = "\
Examples:
  Test a service that runs at a URL:
    bothends contract api.yaml http://localhost:8080

  Test the operations of a tag, with a credential of the environment:
    BOTHENDS_CREDENTIAL_APIKEY=… bothends contract api.yaml https://staging.example.com --include tag:Billing";

pub(super) const BUNDLE: &str = "\
Examples:
  Write one JSON file without references to other files:
    bothends bundle api.yaml --out bundle.json";

pub(super) const DIFF: &str = "\
Examples:
  Compare two files:
    bothends diff old.yaml new.yaml

  Compare the working tree with a git branch, and fail on changes that break clients or callers:
    bothends diff api.yaml --against origin/main --fail-on wire-clients=breaking,rust-callers=breaking

  Write a comment for a pull request:
    bothends diff api.yaml --against origin/main --format markdown

  Keep the Rust names of items that a changed document would rename:
    bothends diff api.yaml --against-release --keep-names

  Raise the version of the generated crate as far as the changes require:
    bothends diff api.yaml --against-release --write-version orders-api/Cargo.toml";

pub(super) const CHANGELOG: &str = "\
Examples:
  List the changes since a version:
    bothends changelog api.yaml --since v1.2.0

  Write a page of the history:
    bothends changelog api.yaml --since v1.0.0 --format html > history.html";

pub(super) const EXPLAIN: &str = "\
Examples:
  Explain error E0201:
    bothends explain E0201

  Explain a rule of `bothends diff`:
    bothends explain D0403";

pub(super) const COMPLETIONS: &str = "\
Examples:
  Enable completions in bash:
    bothends completions bash > ~/.local/share/bash-completion/completions/bothends

  Enable completions in zsh, in a directory of `$fpath`:
    bothends completions zsh > ~/.zfunc/_bothends

  Enable completions in fish:
    bothends completions fish > ~/.config/fish/completions/bothends.fish";

pub(super) const MAN: &str = "\
Examples:
  Read the manual page:
    bothends man | man -l -

  Install the manual page:
    bothends man > ~/.local/share/man/man1/bothends.1";
