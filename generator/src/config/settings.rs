//! The keys of `bothends.toml`: one table, used to read files and to generate the reference in the
//! guide.

use super::Config;
use super::apis::apis;
use super::entry::Entry;
use super::import::imports;
use super::values::{
    boolean, days, filter, lists, map, parts, serde, severities, stability, string, strings, table,
    unknown_crates, unknown_values,
};
use crate::resolve::nearest_within;

/// A key of `bothends.toml`.
#[derive(Debug)]
pub struct Setting {
    /// The name of the key.
    pub key: &'static str,
    /// The type of the value.
    pub value: &'static str,
    /// The default, as a phrase.
    pub default: &'static str,
    /// An example, as a line or a table of TOML.
    pub example: &'static str,
    /// The flag or the argument of `bothends generate`.
    pub flag: Option<&'static str>,
    /// The method of `Builder`, for build scripts.
    pub method: &'static str,
    /// The effect of the key.
    pub doc: &'static str,
    /// Stores the value of an entry in a configuration.
    set: fn(&mut Config, &Entry<'_>) -> Result<(), String>,
}

/// All keys, in the order of the reference.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "spec",
        value: "path",
        default: "none; required",
        example: "spec = \"openapi/api.yaml\"",
        flag: Some("SPEC"),
        method: "new",
        doc: "The OpenAPI document, JSON or YAML. The path is relative to the configuration file.",
        set: |config, entry| put(&mut config.spec, Some(entry.folder.join(string(entry)?))),
    },
    Setting {
        key: "overlays",
        value: "list of paths",
        default: "empty",
        example: "overlays = [\"openapi/fixes.overlay.yaml\"]",
        flag: Some("--overlay"),
        method: "overlay",
        doc: "Overlays to apply to the document, in this order: changes in files of their own (OpenAPI \
              Overlay 1.0 and 1.1). The paths are relative to the configuration file. Overlays of flags \
              are applied after those of the file.",
        set: |config, entry| {
            let files = strings(entry)?.into_iter();
            put(
                &mut config.overlays,
                files.map(|file| entry.folder.join(file)).collect(),
            )
        },
    },
    Setting {
        key: "out",
        value: "path",
        default: "none; required",
        example: "out = \"petstore\"",
        flag: Some("--out"),
        method: "out_dir",
        doc: "The output directory. The path is relative to the configuration file. A build script \
              writes to `OUT_DIR` by default.",
        set: |config, entry| put(&mut config.out, Some(entry.folder.join(string(entry)?))),
    },
    Setting {
        key: "name",
        value: "string",
        default: "made from the title of the document",
        example: "name = \"petstore\"",
        flag: Some("--name"),
        method: "name",
        doc: "The name of the generated crate.",
        set: |config, entry| put(&mut config.name, Some(string(entry)?.to_owned())),
    },
    Setting {
        key: "module",
        value: "boolean",
        default: "`false`",
        example: "module = false",
        flag: Some("--module"),
        method: "module",
        doc: "`true` generates one module, `mod.rs` in the output directory, instead of a crate. The \
              first lines of the module list the dependencies that its crate needs; so does \
              `bothends deps`.",
        set: |config, entry| put(&mut config.module, Some(boolean(entry)?)),
    },
    Setting {
        key: "parts",
        value: "list of `types`, `client`, `server`, `webhooks`",
        default: "all of them",
        example: "parts = [\"client\", \"server\", \"webhooks\"]",
        flag: Some("--parts"),
        method: "parts",
        doc: "The parts to generate. Types are always generated.",
        set: |config, entry| put(&mut config.parts, Some(parts(&strings(entry)?)?)),
    },
    Setting {
        key: "serde",
        value: "`table` or `derive`",
        default: "`table`",
        example: "serde = \"table\"",
        flag: Some("--serde"),
        method: "serde",
        doc: "How structs implement serde's traits: by tables that macros of the runtime read, which \
              compile faster, or by serde's derive macros, which need the feature `derive` of \
              `bothends-runtime`.",
        set: |config, entry| put(&mut config.serde, Some(serde(string(entry)?)?)),
    },
    Setting {
        key: "unknown-values",
        value: "`keep` or `reject`",
        default: "`keep`",
        example: "unknown-values = \"keep\"",
        flag: Some("--unknown-values"),
        method: "unknown_values",
        doc: "What generated types do with enum values and union tags that the document does not list \
              and that the service sends: keep them in a variant `Unrecognized`, or fail to \
              deserialize them. Servers reject them in requests either way.",
        set: |config, entry| {
            put(
                &mut config.unknown_values,
                Some(unknown_values(string(entry)?)?),
            )
        },
    },
    Setting {
        key: "unimplemented-handlers",
        value: "boolean",
        default: "`false`",
        example: "unimplemented-handlers = false",
        flag: Some("--unimplemented-handlers"),
        method: "unimplemented_handlers",
        doc: "`true` gives each method of the server traits a default implementation that responds \
              501, so that a server can start with some of the operations.",
        set: |config, entry| put(&mut config.unimplemented_handlers, Some(boolean(entry)?)),
    },
    Setting {
        key: "response-rules",
        value: "boolean",
        default: "`false`",
        example: "response-rules = false",
        flag: None,
        method: "response_rules",
        doc: "`true` keeps the validation rules of responses and of their headers, for `check_responses` of \
              the runtime, which otherwise checks only the rules of types that requests have too.",
        set: |config, entry| put(&mut config.response_rules, Some(boolean(entry)?)),
    },
    Setting {
        key: "examples-test",
        value: "boolean",
        default: "`false`",
        example: "examples-test = false",
        flag: None,
        method: "examples_test",
        doc: "`true` generates a test in the module `examples`. It reads each example of the document by the type \
              of its schema, checks the rules of the document, writes the value again, and lists the examples that \
              the type refuses or writes differently. With client and server, a test in the module `exchange` sends the \
              examples of each operation from one to the other, and needs the feature `test` of the runtime.",
        set: |config, entry| put(&mut config.examples_test, Some(boolean(entry)?)),
    },
    Setting {
        key: "types-test",
        value: "boolean",
        default: "`false`",
        example: "types-test = false",
        flag: None,
        method: "types_test",
        doc: "`true` generates a test of the types of `[types]` and `x-rust-type`: `tests/types.rs` of the \
              crate, or a test in the module. It sends the examples of the document and up to 100 drawn \
              values that are valid for the schema through each type, and lists the values that the type \
              refuses or writes differently.",
        set: |config, entry| put(&mut config.types_test, Some(boolean(entry)?)),
    },
    Setting {
        key: "unknown-crates",
        value: "`generate`, `allow` or `deny`",
        default: "`generate`",
        example: "unknown-crates = \"generate\"",
        flag: None,
        method: "unknown_crates",
        doc: "What happens to a type that the document states by `x-rust-type` if neither `[dependencies]` nor \
              `[crates]` lists its crate: `generate` makes the type from its schema, `allow` uses it whatever \
              version the document requires, and `deny` is an error (`E0417`).",
        set: |config, entry| {
            put(
                &mut config.unknown_crates,
                Some(unknown_crates(string(entry)?)?),
            )
        },
    },
    Setting {
        key: "runtime-path",
        value: "path",
        default: "the version of `bothends-runtime` on crates.io",
        example: "runtime-path = \"../bothends/runtime\"",
        flag: Some("--runtime-path"),
        method: "runtime_path",
        doc: "The directory of `bothends-runtime`, for a path dependency of the generated crate. The \
              path is relative to the configuration file.",
        set: |config, entry| {
            put(
                &mut config.runtime_path,
                Some(entry.folder.join(string(entry)?)),
            )
        },
    },
    Setting {
        key: "workspace-member",
        value: "boolean",
        default: "`false`",
        example: "workspace-member = false",
        flag: Some("--workspace-member"),
        method: "workspace_member",
        doc: "`true` generates a crate that is a member of the workspace around the output directory. \
              Otherwise the `Cargo.toml` of the crate has a `[workspace]` table of its own, so that \
              the crate builds wherever it is placed. Inside another workspace, cargo fails on such a \
              crate with `multiple workspace roots` as soon as a member depends on the crate.",
        set: |config, entry| put(&mut config.workspace_member, Some(boolean(entry)?)),
    },
    Setting {
        key: "allow",
        value: "list of diagnostic codes",
        default: "empty",
        example: "allow = [\"W0401\"]",
        flag: Some("--allow"),
        method: "allow",
        doc: "The diagnostics to allow: their errors become warnings, and their warnings are hidden. \
              An allowed code that the document does not cause is an error (`E0008`). Codes of flags \
              are added to those of the file.",
        set: |config, entry| {
            let codes = strings(entry)?.into_iter().map(str::to_owned);
            put(&mut config.allow, codes.collect())
        },
    },
    Setting {
        key: "allow-outside",
        value: "boolean",
        default: "`false`",
        example: "allow-outside = false",
        flag: Some("--allow-outside"),
        method: "allow_outside",
        doc: "`true` allows references to files outside the project of the document: its git repository, or the \
              outermost directory with `bothends.toml` or `Cargo.toml` in it.",
        set: |config, entry| put(&mut config.allow_outside, Some(boolean(entry)?)),
    },
    Setting {
        key: "allow-remote",
        value: "boolean",
        default: "`false`",
        example: "allow-remote = false",
        flag: Some("--allow-remote"),
        method: "allow_remote",
        doc: "`true` fetches documents that references name by an `https:` URL. The number, the size \
              and the time are limited, and only public addresses are requested. Needs the feature \
              `remote` of `bothends`.",
        set: |config, entry| put(&mut config.allow_remote, Some(boolean(entry)?)),
    },
    Setting {
        key: "filter",
        value: "table of lists of selectors: `include`, `exclude`; and `features`: `tag` or `none`",
        default: "everything",
        example: "[filter]\ninclude = [\"tag:Billing\", \"GET /v1/models\", \"createResponse\"]\nexclude = \
                  [\"path:/internal/*\", \"deprecated\"]",
        flag: Some("--include, --exclude"),
        method: "include",
        doc: "The operations, webhooks and schemas to generate: what `include` selects (without it \
              everything), without what `exclude` selects, and all that this refers to. Selectors are \
              `tag:NAME`, `METHOD /path`, `path:/pattern/*`, an `operationId`, `webhook:NAME`, \
              `schema:NAME` and `deprecated`; `bothends list` prints those of a document. Rust names do \
              not depend on the filter. A selector that matches nothing is an error (`E0411`). A flag \
              replaces the list of the file. `features = \"tag\"` puts the operations of each tag, and \
              what only they need, behind a Cargo feature that is on by default. `Builder` has `exclude` \
              and `tag_features`, too.",
        set: filter,
    },
    Setting {
        key: "accepted-changes",
        value: "table of strings",
        default: "empty",
        example: "[accepted-changes]\n5f0c7a91d2e4b386 = \"agreed with all clients\"",
        flag: None,
        method: "accept_change",
        doc: "Changes that `bothends diff` reports and does not count, by fingerprint, with the \
              reason. An accepted change stays in the report. `bothends diff` reports an entry whose \
              change no longer occurs.",
        set: |config, entry| put(&mut config.accepted_changes, map(entry)?),
    },
    Setting {
        key: "stable-from",
        value: "`draft`, `alpha`, `beta` or `stable`",
        default: "`beta`",
        example: "stable-from = \"beta\"",
        flag: None,
        method: "stable_from",
        doc: "The lowest `x-stability-level` of operations whose clients and servers `bothends diff` \
              treats as broken by a change. What breaks those of lower levels is `safe`.",
        set: |config, entry| {
            put(
                &mut config.stable_from,
                Some(stability("`stable-from`", string(entry)?)?),
            )
        },
    },
    Setting {
        key: "deprecation-days",
        value: "table of days: `draft`, `alpha`, `beta`, `stable`",
        default: "empty",
        example: "[deprecation-days]\nbeta = 31\nstable = 180",
        flag: None,
        method: "deprecation_days",
        doc: "The days between the announcement of a removal and the removal that `bothends diff` requires of \
              an operation with an `x-stability-level`, and of its parameters and properties. What is deprecated then \
              needs `x-sunset` with a day that is far enough away. Without a number, no day is required.",
        set: |config, entry| put(&mut config.deprecation_days, days(entry)?),
    },
    Setting {
        key: "severities",
        value: "table of levels: `safe`, `attention`, `breaking`",
        default: "empty",
        example: "[severities]\nD0711 = \"attention\"\nD0513 = { wire-clients = \"safe\" }",
        flag: None,
        method: "severity",
        doc: "Levels that `bothends diff` gives to the changes of a rule, for all audiences or for each. \
              The version bump follows the levels of the rules. What is safe because no message has \
              it, or because it was announced, stays safe.",
        set: |config, entry| put(&mut config.severities, severities(entry)?),
    },
    Setting {
        key: "names",
        value: "table of strings",
        default: "empty",
        example: "[names]\n\"/components/schemas/Pet/properties/type\" = \"kind\"\n\"Pet.class\" = \
                  \"class_name\"",
        flag: None,
        method: "rename",
        doc: "Rust names. A key is a JSON pointer, `FILE#POINTER` for another file, the name of a \
              reusable schema, an `operationId`, or `Schema.property` in quotes.",
        set: |config, entry| put(&mut config.names, map(entry)?),
    },
    Setting {
        key: "formats",
        value: "table of strings",
        default: "empty",
        example: "[formats]\ndecimal = \"rust_decimal::Decimal\"",
        flag: None,
        method: "format",
        doc: "Rust types by `format`. A type is given by its path and implements serde's traits. Its \
              crate is listed in `[dependencies]`, unless a module is generated. The format of a number \
              takes the same type as that of a string: `rust_decimal::Decimal` is written as a string \
              unless its feature `serde-float` is enabled (warning `W0385`).",
        set: |config, entry| put(&mut config.formats, map(entry)?),
    },
    Setting {
        key: "types",
        value: "table of strings",
        default: "empty",
        example: "[types]\nMoney = \"rust_decimal::Decimal\"\n\"/components/schemas/User/properties/id\" = \
                  \"crate::UserId\"",
        flag: None,
        method: "replace",
        doc: "Types of yours in place of the types of schemas. A key is the name of a reusable schema, a JSON \
              pointer, or `FILE#POINTER` for a schema of another file. A type is given by its path; it \
              implements serde's traits, `Clone`, `Debug`, `PartialEq`, `Send` and `Sync`. A server checks \
              values by the schema before it reads the type. The crate of a type is listed in \
              `[dependencies]`, unless a module is generated. A key that matches no schema is an error \
              (`E0412`).",
        set: |config, entry| put(&mut config.types, map(entry)?),
    },
    Setting {
        key: "crates",
        value: "table, as in `Cargo.toml`",
        default: "empty",
        example: "[crates]\noxnet = \"0.1.1\"\nlegacy-types = \"!\"",
        flag: None,
        method: "type_crate",
        doc: "Versions of crates for `x-rust-type`, where they are not those of `[dependencies]`: the version \
              in use, `\"*\"` for any version, or `\"!\"` to generate the types of the crate. A table with \
              `version` and `package` gives the crate another name.",
        set: |config, entry| put(&mut config.crates, table(entry)?.clone()),
    },
    Setting {
        key: "imports",
        value: "table of paths of modules, or of tables with `module` and `config`",
        default: "empty",
        example: "[imports]\n\"common.yaml\" = \"common_api::types\"\n\"../money.yaml\" = { module = \
                  \"money::types\", config = \"../money/bothends.toml\" }",
        flag: Some("--import"),
        method: "import",
        doc: "Files of the document that have modules of their own, by the path from the folder of the root \
              document. The schemas of such a file have the types of its module, the `types` that bothends \
              generates from the file as a document of its own. Its names and settings are those of its \
              `config`; without one, it has `serde`, `unknown-values` and `formats` of this file. The crate of \
              a module is listed in `[dependencies]`, unless a module is generated.",
        set: |config, entry| put(&mut config.imports, imports(entry)?),
    },
    Setting {
        key: "derives",
        value: "table of lists of strings",
        default: "empty",
        example: "[derives]\nenums = [\"strum::EnumIter\"]\nCoordinates = [\"Hash\", \"Eq\"]",
        flag: None,
        method: "derive",
        doc: "Derive macros of generated types. A key is `*` (all types), `structs`, `enums`, `unions`, \
              `newtypes`, the name of a reusable schema, a Rust name, a JSON pointer, or `FILE#POINTER`. `Eq`, `Hash`, \
              `PartialOrd`, `Ord`, `Copy` and `Default` are also derived for the types inside; for a kind \
              of types they are derived where it is possible, and for a type of its own it is an error if \
              it is not (`E0413`). The crates of other macros are listed in `[dependencies]`, unless a \
              module is generated.",
        set: |config, entry| put(&mut config.derives, lists(entry)?),
    },
    Setting {
        key: "attributes",
        value: "table of lists of strings",
        default: "empty",
        example: "[attributes]\nColour = [\"strum(serialize_all = \\\"kebab-case\\\")\"]",
        flag: None,
        method: "attribute",
        doc: "Attributes of generated types, without `#[` and `]`. The keys are those of `[derives]`.",
        set: |config, entry| put(&mut config.attributes, lists(entry)?),
    },
    Setting {
        key: "dependencies",
        value: "table, as in `Cargo.toml`",
        default: "empty",
        example: "[dependencies]\nrust_decimal = { version = \"1\", features = [\"serde\"] }",
        flag: None,
        method: "dependency",
        doc: "Dependencies to add to the `Cargo.toml` of the generated crate, for the types of \
              `[formats]` and `[types]`, and of `x-rust-type`: the type that a schema states with it is used \
              if its crate is listed here in a version that meets the requirement of the document. An entry has the form of one in `Cargo.toml`; a relative `path` is written \
              as it is, and so is relative to the generated crate.",
        set: |config, entry| put(&mut config.dependencies, table(entry)?.clone()),
    },
    Setting {
        key: "api",
        value: "list of tables of these keys",
        default: "none: the file has one document",
        example: "[[api]]\nspec = \"orders.yaml\"\nout = \"src/orders\"\n\n[[api]]\nspec = \
                  \"common.yaml\"\nout = \"src/common\"",
        flag: Some("--document"),
        method: "config",
        doc: "Several documents, each a table with the keys of this page. The keys of the whole file are the \
              defaults of all of them. `bothends generate` generates all of them, or none if one has errors; \
              `--document` selects one, by its `name` or by the name of its file without the ending, and the \
              other commands need it. A document that another one imports by `[imports]` has the settings of \
              its own table. `Config::apis` has a configuration for each.",
        set: |config, entry| apis(config, entry, set),
    },
];

fn put<T>(place: &mut T, value: T) -> Result<(), String> {
    *place = value;
    Ok(())
}

/// Stores an entry of a file in a configuration.
pub(super) fn set(config: &mut Config, entry: &Entry<'_>) -> Result<(), String> {
    let setting = SETTINGS.iter().find(|setting| setting.key == entry.key);
    match setting {
        Some(setting) => (setting.set)(config, entry),
        None => Err(unknown_key(entry.key)),
    }
}

fn unknown_key(unknown: &str) -> String {
    let keys = SETTINGS.iter().map(|setting| setting.key);
    match nearest_within(unknown, keys.clone(), 2) {
        Some(key) => format!("unknown key `{unknown}`; did you mean `{key}`?"),
        _ if unknown == "check" => "`check` is a flag only: `bothends generate --check`".to_owned(),
        _ => format!(
            "unknown key `{unknown}`; keys are `{}`",
            keys.collect::<Vec<_>>().join("`, `")
        ),
    }
}
