//! Several patterns of properties with types of their own: every value is kept, and a warning reports
//! that they are not checked (`W0352`).

use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "12-pattern-properties");

echo! { Echo of api: put_labels PutLabelsRequest PutLabelsResponse PutLabelsError }

#[test]
fn properties_of_every_pattern_come_back() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/labels",
        &[r#"{"name":"x","n_a":1,"s_a":"t","other":true}"#],
    );
    rejects(to, "/labels", &[r#"{"n_a":1}"#]);
}

#[test]
fn a_warning_stands_at_the_patterns() {
    let document = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/documents/12-pattern-properties.yaml"
    );
    let plan = bothends::Builder::new(document).module(true).plan();
    let report = plan.expect("a plan").report();
    assert!(report.contains("warning[W0352]"), "{report}");
    assert!(
        report.contains("#/components/schemas/Labels/patternProperties"),
        "{report}"
    );
}
