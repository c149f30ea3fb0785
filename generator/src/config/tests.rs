//! Tests of configuration files.

use super::*;
use crate::diff::{Audience, Level};

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("conf"))
}

#[test]
fn every_key_is_read() {
    let config = parse(
        r#"
        spec = "api.yaml"
        overlays = ["a.yaml", "b.yaml"]
        out = "../out"
        name = "pets"
        module = true
        parts = ["types", "server"]
        runtime-path = "/runtime"
        serde = "derive"
        unknown-values = "reject"
        allow = "W0401, E0103"
        allow-outside = true
        allow-remote = false
        unimplemented-handlers = true
        response-rules = true
        examples-test = true
        types-test = true
        unknown-crates = "deny"
        workspace-member = true
        stable-from = "stable"
        [deprecation-days]
        beta = 31
        stable = 180
        [accepted-changes]
        5f0c7a91d2e4b386 = "agreed"
        [severities]
        D0711 = "attention"
        D0513 = { wire-clients = "safe" }
        [filter]
        include = ["tag:Pets", "getPet"]
        features = "tag"
        exclude = ["deprecated"]
        [names]
        "Pet.class" = "class_name"
        [formats]
        decimal = "rust_decimal::Decimal"
        [types]
        Money = "rust_decimal::Decimal"
        [crates]
        oxnet = "!"
        [imports]
        "common.yaml" = "common_api::types"
        "money.yaml" = { module = "money::types", config = "money.toml" }
        [derives]
        enums = ["strum::EnumIter"]
        [attributes]
        Pet = ["must_use"]
        [dependencies]
        rust_decimal = "1"
        "#,
    );
    let pair = |a: &str, b: &str| BTreeMap::from([(a.to_owned(), b.to_owned())]);
    let list = |a: &str, b: &str| BTreeMap::from([(a.to_owned(), vec![b.to_owned()])]);
    assert_eq!(
        config,
        Ok(Config {
            apis: Vec::new(),
            spec: Some("conf/api.yaml".into()),
            overlays: vec!["conf/a.yaml".into(), "conf/b.yaml".into()],
            out: Some("conf/../out".into()),
            name: Some("pets".to_owned()),
            module: Some(true),
            parts: Some(Parts {
                client: false,
                server: true,
                webhooks: false
            }),
            runtime_path: Some("/runtime".into()),
            serde: Some(Serde::Derive),
            unknown_values: Some(UnknownValues::Reject),
            allow: vec!["W0401".to_owned(), "E0103".to_owned()],
            allow_outside: Some(true),
            allow_remote: Some(false),
            unimplemented_handlers: Some(true),
            response_rules: Some(true),
            examples_test: Some(true),
            types_test: Some(true),
            unknown_crates: Some(UnknownCrates::Deny),
            workspace_member: Some(true),
            accepted_changes: pair("5f0c7a91d2e4b386", "agreed"),
            stable_from: Some(Stability::Stable),
            deprecation_days: BTreeMap::from([(Stability::Beta, 31), (Stability::Stable, 180)]),
            severities: {
                let mut severities = Severities::default();
                for audience in Audience::ALL {
                    severities.set("D0711", audience, Level::Attention);
                }
                severities.set("D0513", Audience::WireClients, Level::Safe);
                severities
            },
            tag_features: Some(true),
            include: vec!["tag:Pets".to_owned(), "getPet".to_owned()],
            exclude: vec!["deprecated".to_owned()],
            names: pair("Pet.class", "class_name"),
            formats: pair("decimal", "rust_decimal::Decimal"),
            types: pair("Money", "rust_decimal::Decimal"),
            crates: "oxnet = '!'".parse().unwrap_or_default(),
            imports: BTreeMap::from([
                ("common.yaml".to_owned(), Import::new("common_api::types")),
                (
                    "money.yaml".to_owned(),
                    Import::new("money::types").config("conf/money.toml")
                ),
            ]),
            derives: list("enums", "strum::EnumIter"),
            attributes: list("Pet", "must_use"),
            dependencies: "rust_decimal = '1'".parse().expect("TOML"),
        })
    );
}

#[test]
fn mistakes_are_reported() {
    let error_of = |text: &str| parse(text).expect_err("refused");
    assert_eq!(
        error_of("runtime_path = ''"),
        "unknown key `runtime_path`; did you mean `runtime-path`?"
    );
    assert_eq!(
        error_of("check = true"),
        "`check` is a flag only: `bothends generate --check`"
    );
    assert!(
        error_of("colour = 1")
            .starts_with("unknown key `colour`; keys are `spec`, `overlays`, `out`")
    );
    assert_eq!(
        error_of("module = 'yes'"),
        "expected `true` or `false` for `module`, found a string"
    );
    assert_eq!(
        error_of("spec = 1"),
        "expected a string for `spec`, found an integer"
    );
    assert_eq!(
        error_of("allow = [1]"),
        "expected a string for `allow`, found an integer"
    );
    assert_eq!(
        error_of("serde = 'both'"),
        "unknown value `both` of `serde`; expected `table` or `derive`"
    );
    assert!(error_of("parts = ['clients']").starts_with("unknown part `clients`"));
    assert_eq!(
        error_of("[names]\nPet.a = 'b'"),
        "put the key in quotes: \"Pet.…\", under `[names]`"
    );
    assert_eq!(
        error_of("[imports]\ncommon.yaml = 'a::b'"),
        "unknown key `yaml` in an entry of `[imports]`: the path of a file is in quotes, and keys are `module` and \
         `config`"
    );
    assert_eq!(
        error_of("[imports]\n'common.yaml' = { config = 'a' }"),
        "missing `module` of `common.yaml` in `[imports]`"
    );
    assert_eq!(
        error_of("[filter]\ninclud = []"),
        "unknown key `includ` in `[filter]`; keys are `include`, `exclude` and `features`"
    );
    assert_eq!(
        error_of("[filter]\ninclude = ['/a']"),
        "`/a` is not a selector; write `path:/a`, or a method before the path"
    );
    assert!(
        error_of("spec = ").contains("line 1"),
        "{}",
        error_of("spec = ")
    );
}

#[test]
fn entries_have_their_lines_and_errors() {
    let text = "spec = 'a.yaml'\nmodul = true\n\nserde = 'both'\n[names]\na = 'b'\n";
    let entries = file_entries(text).expect("TOML");
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry.line,
                &*entry.key,
                &*entry.value,
                entry.error.as_deref(),
            )
        })
        .collect();
    let unknown = "unknown key `modul`; did you mean `module`?";
    let serde = "unknown value `both` of `serde`; expected `table` or `derive`";
    assert_eq!(
        shown,
        [
            (1, "spec", "\"a.yaml\"", None),
            (2, "modul", "true", Some(unknown)),
            (4, "serde", "\"both\"", Some(serde)),
            (5, "names", "{ a = \"b\" }", None),
        ]
    );
    assert!(file_entries("a = ").is_err());
}

#[test]
fn documents_have_the_keys_of_the_file() {
    let config = parse(
        r#"
        module = true
        serde = "derive"
        [imports]
        "common.yaml" = "crate::common::types"
        [names]
        Pet = "Animal"
        [[api]]
        spec = "a/orders.yaml"
        out = "orders"
        imports = { "../common.yaml" = "crate::common::types" }
        [[api]]
        name = "shared"
        spec = "common.yaml"
        out = "common"
        serde = "table"
        [api.names]
        Money = "Amount"
        "#,
    );
    let [orders, common] = config
        .expect("a configuration")
        .apis
        .try_into()
        .expect("two");
    assert_eq!(
        [orders.document_name(), common.document_name()],
        ["orders", "shared"]
    );
    assert_eq!((orders.module, common.module), (Some(true), Some(true)));
    assert_eq!(
        [orders.serde, common.serde],
        [Some(Serde::Derive), Some(Serde::Table)]
    );
    assert_eq!(orders.names["Pet"], "Animal");
    assert_eq!(common.names.keys().collect::<Vec<_>>(), ["Money"]);
    // A document does not import itself, and its importers have its settings.
    assert!(common.imports.is_empty());
    let import = &orders.imports["../common.yaml"];
    assert_eq!(import.settings.as_deref(), Some(&common));
}

#[test]
fn mistakes_of_documents_are_reported() {
    let error_of = |text: &str| parse(text).expect_err("refused");
    let entry = |keys: &str| format!("[[api]]\n{keys}\n");
    for (text, message) in [
        (
            "api = 'a'".to_owned(),
            "expected a list of tables for `api`, found a string",
        ),
        (
            format!("out = 'a'\n{}", entry("spec = 'a'")),
            "with `[[api]]`, each of its entries has its own `out`",
        ),
        (
            entry("out = 'a'"),
            "missing `spec` in an entry of `[[api]]`",
        ),
        (
            entry("spec = 'a'\napi = []"),
            "an entry of `[[api]]` cannot contain `api`",
        ),
        (
            entry("spec = 'a.yaml'") + &entry("spec = 'b/a.yaml'"),
            "two entries of `[[api]]` are called `a`: give one a `name`",
        ),
        (
            entry("spec = 'a'\nout = 'c'") + &entry("spec = 'b'\nout = 'c'"),
            "two entries of `[[api]]` have the `out` `conf/c`",
        ),
        (
            entry("spec = 1"),
            "expected a string for `spec`, found an integer",
        ),
    ] {
        assert_eq!(error_of(&text), message);
    }
}
