//! `x-rust-type` by the rules of typify: crates that are not listed, versions and other names.

use std::path::{Path, PathBuf};

use bothends::{Builder, Plan, UnknownCrates};
use bothends_tests::{root, scratch};

/// A document as dropshot writes it.
fn document() -> PathBuf {
    root().join("tests/tests/fit/stated.yaml")
}

fn builder() -> Builder {
    Builder::new(document()).module(true)
}

fn errors(plan: &Plan) -> Vec<(&str, &str, Option<&str>)> {
    let errors = plan.diagnostics.iter();
    let errors = errors.filter(|diagnostic| diagnostic.code.id.starts_with('E'));
    let place = |diagnostic: &'_ bothends::Diagnostic| diagnostic.origin.clone();
    errors
        .inspect(|diagnostic| assert!(place(diagnostic).is_some()))
        .map(|diagnostic| {
            (
                diagnostic.code.id,
                diagnostic.message.as_str(),
                diagnostic.help.as_deref(),
            )
        })
        .collect()
}

/// The aliases of the generated code that lead to types of other crates.
fn used(builder: &Builder) -> Vec<String> {
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let lines = plan.files[0].text.lines().map(str::trim);
    let lines = lines.filter(|line| line.starts_with("pub type ") && line.contains("::"));
    let crates = ["switch_net::", "mac::", "uuid_kinds::", "typed_uuid::"];
    let is_foreign = |line: &&str| crates.iter().any(|name| line.contains(name));
    lines.filter(is_foreign).map(str::to_owned).collect()
}

const NET: [&str; 3] = [
    "pub type Net = switch_net::Net;",
    "pub type Net4 = switch_net::v4::Net;",
    "pub type Net6 = switch_net::v6::Net;",
];

#[test]
fn types_of_other_crates_are_generated_used_or_refused() {
    let id = "pub type LinkId = typed_uuid::Typed<uuid_kinds::LinkKind>;";
    assert_eq!(used(&builder()), Vec::<String>::new());
    let generate = builder().unknown_crates(UnknownCrates::Generate);
    assert_eq!(used(&generate), Vec::<String>::new());
    // A crate that is allowed is used whatever version the document requires.
    let allow = builder().unknown_crates(UnknownCrates::Allow);
    assert_eq!(used(&allow), [id, NET[0], NET[1], NET[2]]);
    // A listed crate has a version, is excluded by `!`, or has another name.
    let crates = |version: &str| allow.clone().type_crate("switch-net", version);
    assert_eq!(used(&crates("0.1.3")), [id, NET[0], NET[1], NET[2]]);
    assert_eq!(used(&crates("0.2.0")), [id, NET[1]]);
    assert_eq!(used(&crates("!")), [id]);
    let renamed: toml::Table = "package = \"typed-uuid\"\nversion = \"*\""
        .parse()
        .expect("a table");
    let renamed = builder()
        .type_crate("mac", renamed)
        .type_crate("uuid-kinds", "*");
    assert_eq!(
        used(&renamed),
        ["pub type LinkId = mac::Typed<uuid_kinds::LinkKind>;"]
    );
    // `[crates]` has precedence over `[dependencies]`.
    let both = builder()
        .dependency("switch-net", "0.1")
        .type_crate("switch-net", "!");
    assert_eq!(used(&both), Vec::<String>::new());
}

#[test]
fn an_unlisted_crate_is_an_error_if_it_is_denied() {
    let deny = builder().unknown_crates(UnknownCrates::Deny);
    let listed = deny
        .clone()
        .type_crate("switch-net", "!")
        .type_crate("uuid-kinds", "*");
    let plan = listed.plan().expect("a plan");
    let help = "list `typed-uuid = \"1\"` under `[dependencies]` to use the type, or `typed-uuid = \"!\"` \
                under `[crates]` to generate it";
    let expected = (
        "E0417",
        "the crate of `typed_uuid::Typed` is not listed",
        Some(help),
    );
    assert_eq!(errors(&plan), [expected]);
    let plan = deny.plan().expect("a plan");
    assert_eq!(errors(&plan).len(), 4, "{}", plan.report());
    // A type of the configuration needs no crate of the document.
    let own = listed
        .replace("LinkId", "crate::LinkId")
        .plan()
        .expect("a plan");
    assert_eq!(errors(&own), []);
}

#[test]
fn a_crate_lists_the_dependencies_of_stated_types() {
    let allow = Builder::new(document())
        .name("links")
        .unknown_crates(UnknownCrates::Allow);
    let refused = allow.plan().expect_err("no dependency").to_string();
    assert!(
        refused.starts_with(
            "`x-rust-type` states `switch_net::Net`, but `[dependencies]` does not list"
        ),
        "{refused}"
    );
}

const CRATES: [(&str, &str); 3] = [
    (
        "switch-net",
        "use serde::{Deserialize, Serialize};\n\
         #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\n#[serde(untagged)]\n\
         pub enum Net { V4(v4::Net), V6(v6::Net) }\n\
         pub mod v4 {\n    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n    pub struct Net(pub String);\n}\n\
         pub mod v6 {\n    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n    pub struct Net(pub String);\n}\n",
    ),
    (
        "uuid-kinds",
        "#[derive(Debug, Clone, PartialEq)]\npub struct LinkKind;\n",
    ),
    (
        "typed-uuid",
        "use serde::{Deserialize, Serialize};\nuse std::marker::PhantomData;\n\
         #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\n#[serde(transparent, bound = \"\")]\n\
         pub struct Typed<K> { pub id: String, #[serde(skip)] kind: PhantomData<K> }\n",
    ),
];

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::write(folder.join(name), text).expect("written");
}

#[test]
fn a_program_uses_the_types_that_a_document_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let serde = "serde = { version = \"1\", features = [\"derive\"] }\n";
    let mut lines = String::new();
    for (name, code) in CRATES {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{serde}"
        );
        write(&folder.path().join(name), "Cargo.toml", &manifest);
        write(&folder.path().join(name), "src/lib.rs", code);
        lines += &format!("{name} = {{ path = \"{name}\" }}\n");
    }
    let builder = builder()
        .unknown_crates(UnknownCrates::Allow)
        .types_test(true);
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    write(folder.path(), "src/api.rs", &plan.files[0].text);
    let main = r##"
pub mod api;

#[test]
fn links_are_read() {
    let text = r#"{"id": "5a6c7fbf-1f2c-4d3c-9b6a-1b3f5d7e9f01", "nets": ["10.0.0.0/8"]}"#;
    let link: api::types::Link = serde_json::from_str(text).expect("a link");
    let net = switch_net::Net::V4(switch_net::v4::Net("10.0.0.0/8".to_owned()));
    assert_eq!(link.nets, [net]);
    let id: &typed_uuid::Typed<uuid_kinds::LinkKind> = &link.id;
    assert_eq!(id.id, "5a6c7fbf-1f2c-4d3c-9b6a-1b3f5d7e9f01");
}
"##;
    write(folder.path(), "src/lib.rs", main);
    let manifest = scratch::manifest_with("links", &["client", "server"]);
    let manifest = manifest.replace("[lib]\n", &format!("serde_json = \"1\"\n{lines}\n[lib]\n"));
    write(folder.path(), "Cargo.toml", &manifest);
    let run = scratch::run(
        folder.path(),
        &["test", "--quiet", "--lib", "--", "--nocapture"],
    );
    let run = run.expect("cargo");
    assert!(run.clean, "{}", run.output);
}
