//! Types of one's own in place of those of schemas.

use std::path::Path;

use bothends::{Builder, Plan, Serde};
use bothends_tests::{root, scratch};

fn builder(types: &[(&str, &str)]) -> Builder {
    let path = root().join("tests/tests/fit/own.yaml");
    let builder = Builder::new(path).module(true);
    let types = types.iter();
    types.fold(builder, |builder, (schema, ty)| {
        builder.replace(*schema, *ty)
    })
}

const TYPES: &[(&str, &str)] = &[
    ("Code", "crate::own::Code"),
    ("Point", "crate::own::Point"),
    ("Mark", "crate::own::Mark"),
    ("Tree", "crate::own::Tree"),
    (
        "/components/schemas/Order/properties/place",
        "crate::own::Place",
    ),
    (
        "own.yaml#/components/schemas/Order/properties/id",
        "crate::own::Id",
    ),
];

fn code(plan: &Plan) -> String {
    assert!(!plan.has_errors(), "{}", plan.report());
    plan.files.first().expect("a file").text.clone()
}

/// Writes a package that contains the generated module and the types.
fn project(folder: &Path, code: &str, features: &[&str], main: &str, own: &str) {
    let source = folder.join("src");
    std::fs::create_dir_all(&source).expect("a folder");
    std::fs::write(source.join("api.rs"), code).expect("written");
    std::fs::write(source.join("main.rs"), main).expect("written");
    std::fs::write(source.join("own.rs"), own).expect("written");
    let manifest = scratch::manifest_with("own", features);
    let manifest = manifest.replace(
        "[lib]\ndoctest = false\n",
        "tokio = { version = \"1\", features = [\"rt\"] }\ntower-service = \"0.3\"\nhttp = \"1\"\n\
         serde_json = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\n",
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("written");
}

fn features(serde: Serde) -> &'static [&'static str] {
    match serde {
        Serde::Table => &["client", "server"],
        Serde::Derive => &["client", "server", "derive"],
    }
}

#[test]
fn a_server_reads_types_of_ones_own_after_their_schemas() {
    for serde in [Serde::Table, Serde::Derive] {
        let folder = tempfile::tempdir().expect("a folder");
        let code = code(&builder(TYPES).serde(serde).plan().expect("a plan"));
        let (main, own) = (include_str!("service.rs"), include_str!("types.rs"));
        project(folder.path(), &code, features(serde), main, own);
        let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
        assert!(run.clean, "{serde:?}\n{}", run.output);
    }
}

#[test]
fn the_generated_code_names_the_types() {
    let code = code(&builder(TYPES).plan().expect("a plan"));
    for line in [
        "bothends_runtime::replaces_schema! { crate::own::Code }",
        "pub type Code = crate::own::Code;",
        "pub id: crate::own::Id,",
        "pub place: Option<crate::own::Place>,",
        "\"id\" => id unchecked as (i64 where [minimum(1)]),",
        "Point => \"point\" unchecked as (PointSchema),",
    ] {
        assert!(code.contains(line), "{line}");
    }
}

#[test]
fn a_key_that_matches_no_schema_is_an_error_with_the_nearest() {
    for (key, near) in [
        ("Coed", "Code"),
        (
            "/components/schemas/Order/properties/plac",
            "/components/schemas/Order/properties/place",
        ),
        (
            "own.yaml#/components/schemas/Cod",
            "own.yaml#/components/schemas/Code",
        ),
    ] {
        let plan = builder(&[(key, "a::B")]).plan().expect("a plan");
        let found = plan.diagnostics.iter();
        let found: Vec<_> = found
            .filter(|diagnostic| diagnostic.code.id.starts_with('E'))
            .collect();
        let [found] = found.as_slice() else {
            panic!("{key}: {}", plan.report());
        };
        assert_eq!(found.code.id, "E0412");
        assert_eq!(
            found.message,
            format!("`{key}` of `[types]` matches no schema")
        );
        assert_eq!(
            found.help.as_deref(),
            Some(format!("did you mean `{near}`?").as_str())
        );
    }
}

#[test]
fn texts_that_are_no_paths_are_refused() {
    for text in [
        "",
        "a::B; struct Evil",
        "(A, B)",
        "&str",
        "a::B)",
        "<A as B>::C",
        "fn()",
        "{}",
        "\"A\"",
    ] {
        let refused = builder(&[("Code", text)]).plan();
        let message = refused.expect_err(text).to_string();
        assert!(
            message.starts_with("expected the path of a type for `Code` of `[types]`, found `"),
            "{message}"
        );
    }
}

#[test]
fn a_type_that_cannot_replace_a_schema_is_an_error_of_the_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = code(
        &builder(&[("Code", "crate::own::Code")])
            .plan()
            .expect("a plan"),
    );
    let own = "#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]\npub struct Code(String);\n";
    project(
        folder.path(),
        &code,
        &["client", "server"],
        "mod api;\nmod own;\nfn main() {}\n",
        own,
    );
    let run = scratch::run(folder.path(), &["check", "--quiet"]).expect("cargo");
    assert!(!run.clean);
    for text in [
        "the trait bound `own::Code: Clone` is not satisfied",
        "ReplacesSchema",
    ] {
        assert!(run.output.contains(text), "{text}\n{}", run.output);
    }
}

#[test]
fn a_comparison_reports_changes_of_replaced_schemas_and_names_the_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = include_str!("../own.yaml");
    let old = new.replace("maxLength: 4", "maxLength: 5").replace(
        "x: {type: integer, maximum: 9}}}\n        shape",
        "x: {type: integer}}}\n        shape",
    );
    let (before, after) = (
        folder.path().join("old.yaml"),
        folder.path().join("new.yaml"),
    );
    std::fs::write(&before, old).expect("written");
    std::fs::write(&after, new).expect("written");
    let plain = Builder::new(&after).module(true);
    let report = |builder: &Builder| builder.compare(&before).expect("a comparison").report();
    let own = plain.clone().replace("Code", "crate::own::Code").replace(
        "/components/schemas/Order/properties/place",
        "crate::own::Place",
    );
    let (plain, own) = (report(&plain), report(&own));
    assert!(own.contains("(read as `crate::own::Code`)"), "{own}");
    assert!(own.contains("(read as `crate::own::Place`)"), "{own}");
    let without = own
        .replace(" (read as `crate::own::Code`)", "")
        .replace(" (read as `crate::own::Place`)", "");
    assert_eq!(without, plain);
}

const STATED: &str = "\
openapi: 3.0.3
info: {title: Networks, version: '1'}
paths: {}
components:
  schemas:
    Net: {type: string, x-rust-type: {crate: ox-net, version: 0.1.0, path: 'ox_net::Net'}}
    Stable: {type: string, x-rust-type: {crate: ox-net, version: '>=0.1.0, <1.0.0', path: '::ox_net::v1::Stable'}}
    Pair:
      type: object
      x-rust-type:
        crate: ox-net
        version: '*'
        path: ox_net::Pair
        parameters: [{$ref: '#/components/schemas/Net'}, {type: string, x-rust-type: {crate: ox-net, version: '*', path: 'ox_net::Mac'}}]
    Text: {type: object, x-rust-type: {crate: ox-net, version: '*', path: 'ox_net::Set', parameters: [{type: string}]}}
    Other: {type: string, x-rust-type: {crate: other, version: '*', path: 'other::Type'}}
    Astray: {type: string, x-rust-type: {crate: ox-net, version: '*', path: 'other::Type'}}
    Evil: {type: string, x-rust-type: {crate: ox-net, version: '*', path: 'ox_net::A; struct B'}}
";

/// The aliases of the generated code that lead to types of other crates.
fn stated(builder: &Builder) -> Vec<String> {
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let texts = plan.files.iter().flat_map(|file| file.text.lines());
    let lines = texts
        .map(str::trim)
        .filter(|line| line.starts_with("pub type "));
    lines
        .filter(|line| line.contains("net::"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_type_that_the_document_states_is_used_if_its_crate_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, STATED).expect("written");
    let builder = Builder::new(&path).name("networks");
    assert_eq!(stated(&builder), Vec::<String>::new());
    let net = "pub type Net = ox_net::Net;";
    let stable = "pub type Stable = ox_net::v1::Stable;";
    let pair = "pub type Pair = ox_net::Pair<ox_net::Net, ox_net::Mac>;";
    for (version, expected) in [
        ("0.1.1", vec![net, stable, pair]),
        ("*", vec![net, stable, pair]),
        // Without the type of its parameter, `Pair` is generated.
        ("0.2", vec![stable]),
        ("1", vec![]),
    ] {
        let builder = builder.clone().dependency("ox-net", version);
        assert_eq!(stated(&builder), expected, "{version}");
        let plan = builder.plan().expect("a plan");
        let manifest = plan.files.iter().find(|file| file.path == "Cargo.toml");
        let line = format!("ox-net = \"{version}\"");
        assert!(
            manifest.is_some_and(|file| file.text.contains(&line)),
            "{line}"
        );
        let deps = builder.dependencies(&plan, None).expect("lines");
        assert!(deps.contains(&line), "{deps}");
    }
    let renamed: toml::Table = "package = \"ox-net\"\nversion = \"0.1\""
        .parse()
        .expect("a table");
    let renamed = builder.clone().dependency("my-net", renamed);
    assert!(stated(&renamed).contains(&"pub type Net = my_net::Net;".to_owned()));
    // The configuration has precedence.
    let own = builder
        .dependency("ox-net", "0.1")
        .replace("Net", "ox_net::Other");
    assert!(stated(&own).contains(&"pub type Net = ox_net::Other;".to_owned()));
}

#[test]
fn items_of_streams_events_and_tuples_are_types_of_ones_own() {
    for serde in [Serde::Table, Serde::Derive] {
        let folder = tempfile::tempdir().expect("a folder");
        let builder = Builder::new(root().join("tests/tests/fit/own/streams.yaml")).module(true);
        let builder = builder.replace("Code", "crate::own::Code").serde(serde);
        let plan = builder.replace("Point", "crate::own::Point").plan();
        let code = code(&plan.expect("a plan"));
        let (main, own) = (include_str!("streams.rs"), include_str!("types.rs"));
        project(folder.path(), &code, features(serde), main, own);
        let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
        assert!(run.clean, "{serde:?}\n{}", run.output);
    }
}
