//! Types that documents share: two documents that refer to a third, whose types another crate has.

use std::path::Path;

use bothends::{Builder, Import, Plan, Serde, UnknownValues};
use bothends_tests::{root, scratch};

const MODULE: &str = "common_api::types";

fn document(name: &str) -> Builder {
    let folder = root().join("tests/tests/fit/imports");
    Builder::new(folder.join(name)).module(true)
}

/// The module of the shared file, by its own configuration.
fn common() -> Builder {
    let path = root().join("tests/tests/fit/imports/common.toml");
    let config = bothends::Config::load(&path).expect("a configuration");
    document("common.yaml").config(config).module(true)
}

fn importing(name: &str) -> Builder {
    let config = root().join("tests/tests/fit/imports/common.toml");
    document(name).import("common.yaml", Import::new(MODULE).config(config))
}

fn code(builder: &Builder) -> String {
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan.files.first().expect("a file").text.clone()
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

/// Writes a package with modules, which depends on the package of the shared file.
fn project(folder: &Path, common: &str, features: &[&str], modules: &[(&str, &str)]) {
    let own = scratch::member_manifest("common-api", features);
    write(&folder.join("common-api/Cargo.toml"), &own);
    write(&folder.join("common-api/src/lib.rs"), common);
    for (path, text) in modules {
        write(&folder.join("src").join(path), text);
    }
    let manifest = scratch::manifest_with("shop", features).replace(
        "[lib]\ndoctest = false\n",
        "common-api = { path = \"common-api\" }\ntokio = { version = \"1\", features = [\"rt\"] }\n\
         tower-service = \"0.3\"\nhttp = \"1\"\nserde_json = \"1\"\n",
    );
    write(&folder.join("Cargo.toml"), &manifest);
}

const DERIVED: &[&str] = &["client", "server", "derive"];

#[test]
fn two_documents_share_the_types_of_a_third() {
    for serde in [Serde::Table, Serde::Derive] {
        let folder = tempfile::tempdir().expect("a folder");
        let orders = code(&importing("orders.yaml").serde(serde));
        let parcels = code(&importing("parcels.yaml").serde(serde));
        project(
            folder.path(),
            &code(&common().serde(serde)),
            DERIVED,
            &[
                ("orders.rs", &orders),
                ("parcels.rs", &parcels),
                ("main.rs", include_str!("service.rs")),
            ],
        );
        let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
        assert!(run.clean, "{serde:?}\n{}", run.output);
    }
}

#[test]
fn the_module_names_the_types_and_defines_none_of_them() {
    let code = code(&importing("parcels.yaml"));
    for line in [
        "pub use common_api::types::Amount as CommonMoney;",
        "bothends_runtime::imported! { CommonMoney: table }",
        "pub use common_api::types::Currency;",
        "bothends_runtime::imported! { Currency: open }",
        "bothends_runtime::imported! { Weight: closed }",
        "pub type Money = String;",
        "// - `common_api`",
    ] {
        assert!(code.contains(line), "{line}\n{code}");
    }
    for line in ["pub enum Currency", "pub struct CommonMoney", "Tree"] {
        assert!(!code.contains(line), "{line}");
    }
}

#[test]
fn other_settings_of_the_other_module_are_errors_of_the_compiler() {
    let modules = |builder: &Builder| {
        [
            ("main.rs", "mod parcels;\nfn main() {}\n".to_owned()),
            ("parcels.rs", code(builder)),
        ]
    };
    let parcels = document("parcels.yaml").import("common.yaml", MODULE);
    let common = document("common.yaml");
    for (common, text) in [
        (
            common.clone().unknown_values(UnknownValues::Reject),
            "the imported type rejects unknown values, and this module keeps them: generate both modules \
             with the same `unknown-values`",
        ),
        (
            common.clone().serde(Serde::Derive),
            "the imported type has serde derives, and this module has none: generate both modules with the \
             same `serde`",
        ),
        (common.rename("Money", "Amount"), "no `Money` in `types`"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let modules = modules(&parcels);
        let modules: Vec<_> = modules
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        project(folder.path(), &code(&common), DERIVED, &modules);
        let run = scratch::run(folder.path(), &["check", "--quiet"]).expect("cargo");
        assert!(
            !run.clean && run.output.contains(text),
            "{text}\n{}",
            run.output
        );
    }
}

/// The errors and warnings of a plan: code, pointer and message.
fn found(plan: &Plan) -> Vec<(&str, &str, &str)> {
    let found = plan.diagnostics.iter();
    let found = found.filter(|diagnostic| !diagnostic.code.id.starts_with('N'));
    found
        .map(|diagnostic| {
            let pointer = diagnostic
                .origin
                .as_ref()
                .map_or("", |origin| origin.pointer());
            (diagnostic.code.id, pointer, diagnostic.message.as_str())
        })
        .collect()
}

#[test]
fn a_file_that_cannot_be_imported_is_an_error() {
    let parcels = document("parcels.yaml");
    for (file, help) in [
        ("comon.yaml", "did you mean `common.yaml`?"),
        (
            "parcels.yaml",
            "name a file to which a reference of the document leads, by its path from the folder of the \
             root document",
        ),
    ] {
        let plan = parcels.clone().import(file, MODULE).plan().expect("a plan");
        let message = format!("`{file}` of `[imports]` is not another file of the document");
        assert_eq!(found(&plan), [("E0412", "", message.as_str())]);
        let first = plan.diagnostics.iter().next().expect("one");
        assert_eq!(first.help.as_deref(), Some(help));
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(
        &folder.path().join("fragment.yaml"),
        "Money: {type: string}\n",
    );
    let api = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\ncomponents: {schemas: {A: {type: object, properties: {m: {$ref: 'fragment.yaml#/Money'}}}}}\n";
    write(&folder.path().join("api.yaml"), api);
    let fragment = Builder::new(folder.path().join("api.yaml")).module(true);
    let plan = fragment
        .import("fragment.yaml", MODULE)
        .plan()
        .expect("a plan");
    let [("E0415", "#", message)] = found(&plan)[..] else {
        panic!("{}", plan.report());
    };
    assert!(
        message.starts_with("`fragment.yaml` cannot be generated by itself: "),
        "{message}"
    );
    for path in ["", "super::common", "a::b; struct Evil", "a::<B>::c", "(a)"] {
        let refused = parcels.clone().import("common.yaml", path).plan();
        let message = refused.expect_err(path).to_string();
        assert!(
            message.starts_with(
                "expected the path of a module for `common.yaml` of `[imports]`, found `"
            ),
            "{message}"
        );
    }
}

#[test]
fn a_type_of_another_form_is_an_error_before_code_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("common.toml");
    let parcels = document("parcels.yaml");
    let plan_with = |settings: &str| {
        write(&config, settings);
        let import = Import::new(MODULE).config(&config);
        parcels
            .clone()
            .import("common.yaml", import)
            .plan()
            .expect("a plan")
    };
    let plan = plan_with("unknown-values = 'reject'");
    let message = "`Currency` is another type in `common_api::types`: it keeps unknown values here, and \
                   rejects them there";
    assert_eq!(
        found(&plan),
        [("E0416", "#/components/schemas/Currency", message)]
    );
    let plan = plan_with("[filter]\ninclude = ['schema:Currency']");
    let places: Vec<_> = found(&plan)
        .iter()
        .map(|(code, at, _)| (*code, at.to_string()))
        .collect();
    assert_eq!(
        places,
        [
            ("E0416", "#/components/schemas/Money".to_owned()),
            ("E0416", "#/components/schemas/Weight".to_owned())
        ]
    );
    let plan = plan_with("[types]\nMoney = 'a::B'");
    let message =
        "`CommonMoney` is another type in `common_api::types`: it is of another kind there";
    assert_eq!(
        found(&plan),
        [("E0416", "#/components/schemas/Money", message)]
    );
    // A type of the importing configuration has precedence.
    let own = document("parcels.yaml").import("common.yaml", MODULE);
    let own = own.replace("common.yaml#/components/schemas/Weight", "crate::Weight");
    let own = code(&own);
    assert!(own.contains("pub type Weight = crate::Weight;"), "{own}");
}

#[test]
fn a_type_that_its_own_module_has_in_responses_only_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = "\
openapi: 3.1.0
info: {title: c, version: '1'}
paths:
  /a: {get: {operationId: getA, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}
components:
  schemas:
    A: {type: object, required: [id], properties: {id: {type: string, readOnly: true}, n: {type: integer, minimum: 1}}}
";
    let api = "\
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: {put: {operationId: putA, requestBody: {required: true, content: {application/json: {schema: {$ref: 'common.yaml#/components/schemas/A'}}}}, responses: {'204': {description: d}}}}
";
    write(&folder.path().join("common.yaml"), common);
    write(&folder.path().join("api.yaml"), api);
    let builder = Builder::new(folder.path().join("api.yaml")).module(true);
    let plan = builder
        .import("common.yaml", "crate::common::types")
        .plan()
        .expect("a plan");
    assert_eq!(
        found(&plan),
        [
            (
                "W0402",
                "#/components/schemas/A",
                "requests have `A`, whose values `crate::common::types` does not check: `common.yaml` has it \
                 in responses only"
            ),
            (
                "W0402",
                "#/components/schemas/A",
                "`id` of `A` is optional in this document, and required in `crate::common::types`"
            ),
        ]
    );
}

#[test]
fn a_derive_of_an_imported_type_is_an_error() {
    let parcels = importing("parcels.yaml");
    let plan = parcels
        .clone()
        .derive("Parcel", "Hash")
        .plan()
        .expect("a plan");
    let message =
        "`Hash` cannot be derived for `Parcel`: `CommonMoney` is imported, and does not have it";
    assert_eq!(
        found(&plan),
        [("E0413", "#/components/schemas/Money", message)]
    );
    let plan = parcels.derive("Currency", "Hash").plan().expect("a plan");
    let message = "`Currency` of `[derives]` is an imported type, whose derives and attributes are those of \
                   its own module";
    assert_eq!(found(&plan), [("E0412", "", message)]);
}

#[test]
fn a_comparison_names_the_module_of_changed_types() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["parcels.yaml", "common.yaml"] {
        let text = std::fs::read_to_string(root().join("tests/tests/fit/imports").join(name))
            .expect("text");
        write(&folder.path().join("new").join(name), &text);
        write(
            &folder.path().join("old").join(name),
            &text.replace("minimum: 0", "minimum: 1"),
        );
    }
    let plain = Builder::new(folder.path().join("new/parcels.yaml")).module(true);
    let report = |builder: &Builder| {
        let old = folder.path().join("old/parcels.yaml");
        builder.compare(&old).expect("a comparison").report()
    };
    let own = report(&plain.clone().import("common.yaml", MODULE));
    let mark = " (imported from `common_api::types`)";
    assert!(own.contains(mark), "{own}");
    assert_eq!(own.replace(mark, ""), report(&plain));
}
