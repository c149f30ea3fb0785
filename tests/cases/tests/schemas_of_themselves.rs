//! Schemas that consist of themselves: a warning, and a type without the circular part.

use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "schemas-of-themselves");

echo! { Echo of api: put_loops PutLoopsRequest PutLoopsResponse PutLoopsError }

#[test]
fn a_circular_part_is_left_out_and_a_schema_of_itself_is_any_value() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/loops",
        &[
            r#"{"part":{"a":1},"two":{"two":2,"one":1}}"#,
            r#"{"alone":{"x":[1]},"choice":"text","round":1}"#,
        ],
    );
    rejects(to, "/loops", &[r#"{"part":{}}"#, r#"{"two":{"one":"a"}}"#]);
}

#[test]
fn each_circle_is_a_warning_with_a_place() {
    let document = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/documents/schemas-of-themselves.yaml"
    );
    let plan = bothends::Builder::new(document)
        .module(true)
        .plan()
        .expect("a plan");
    assert!(!plan.has_errors());
    let report = plan.report();
    for (code, place) in [
        ("W0320", "#/components/schemas/Part"),
        ("W0320", "#/components/schemas/First"),
        ("W0321", "#/components/schemas/Alone"),
        ("W0321", "#/components/schemas/Choice"),
        ("W0321", "#/components/schemas/"),
    ] {
        assert!(
            report.contains(code) && report.contains(place),
            "{code} {place}: {report}"
        );
    }
}
