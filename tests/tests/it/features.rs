//! What becomes of our own small specs, one keyword or rule each: the ir as an outline, and the
//! types and operations as code. `compile.rs` compiles the same code.

use bothends::ir::Outline;
use bothends::{Builder, Parts};
use bothends_tests::{features, root, stem};

const TYPES_ONLY: Parts = Parts {
    client: false,
    server: false,
    webhooks: false,
};

#[test]
fn every_feature_has_the_ir_and_the_code_of_its_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(root().join("tests/snapshots"));
    for path in features().expect("the folder of features") {
        let name = stem(&path);
        let plan = Builder::new(&path)
            .module(true)
            .parts(TYPES_ONLY)
            .plan()
            .expect("a plan");
        assert!(!plan.has_errors(), "{name}:\n{}", plan.report());
        // What is told of a document shows its place, and that is of this machine.
        let reported: Vec<&str> = plan.diagnostics.iter().map(|found| found.code.id).collect();
        let outline = format!("reported: {reported:?}\n\n{}", Outline(&plan.api));
        settings.bind(|| {
            insta::assert_snapshot!(format!("{name}.ir"), outline);
            insta::assert_snapshot!(format!("{name}.code"), plan.files[0].text);
        });
    }
}

/// Documents whose client, server and webhooks stand in snapshots too.
const ENDS: [&str; 8] = [
    "callbacks",
    "retries",
    "security-schemes",
    "shared-error",
    "streams",
    "task-calls",
    "task-links",
    "webhooks",
];

#[test]
fn both_ends_and_the_webhooks_are_those_of_their_snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(root().join("tests/snapshots"));
    for path in features().expect("the folder of features") {
        let name = stem(&path);
        if !ENDS.contains(&name.as_str()) {
            continue;
        }
        let plan = Builder::new(&path).plan().expect("a plan");
        let ends = plan.files.iter().filter(|file| {
            let module = file.path.strip_prefix("src/").unwrap_or_default();
            ["client", "server", "webhooks"]
                .iter()
                .any(|end| module.starts_with(end))
        });
        let text: String = ends
            .map(|file| format!("==> {}\n{}\n", file.path, file.text))
            .collect();
        assert!(text.contains("==> src/"), "{name} has no ends");
        settings.bind(|| insta::assert_snapshot!(format!("{name}.ends"), text));
    }
}

#[test]
fn no_feature_is_left_without_an_operation_or_a_webhook_or_a_type() {
    for path in features().expect("the folder of features") {
        let plan = Builder::new(&path).plan().expect("a plan");
        let api = &plan.api;
        let all = api.operations.len() + api.webhooks.len() + api.types.len();
        assert!(all > 0, "{} became nothing", path.display());
    }
}
