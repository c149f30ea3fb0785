//! What kept operations contain is kept, with its errors.

use super::filter::{names, planned};

/// Returns the report of a document in JSON under a filter.
fn report(paths: &str, components: &str, include: &str) -> String {
    let text = format!(
        r#"{{"openapi":"3.1.0","info":{{"title":"T","version":"1"}},"paths":{paths},"components":{components}}}"#
    );
    planned(&text, &[include], &[]).report()
}

#[test]
fn errors_of_kept_parts_count_wherever_they_are() {
    let response = |schema: &str| {
        format!(
            r#""responses":{{"200":{{"description":"d","content":{{"application/json":{{"schema":{schema}}}}}}}}}"#
        )
    };
    let wrong = r##"{"type":"object","properties":{"q":{"$ref":"#/components/schemas/No"}}}"##;
    // A path item of two paths.
    let paths =
        r##"{"/a":{"$ref":"#/components/pathItems/P"},"/b":{"$ref":"#/components/pathItems/P"}}"##;
    let item = format!(
        r#"{{"pathItems":{{"P":{{"get":{{{}}}}}}}}}"#,
        response(wrong)
    );
    for include in ["GET /a", "GET /b"] {
        let report = report(paths, &item, include);
        assert!(report.contains("E0201"), "{include}: {report}");
    }
    // A part of a schema that is left out.
    let inner = r##"{"$ref":"#/components/schemas/A/properties/inner"}"##;
    let paths = format!(
        r#"{{"/b":{{"get":{{"operationId":"getB",{}}}}}}}"#,
        response(inner)
    );
    let schemas =
        format!(r#"{{"schemas":{{"A":{{"type":"object","properties":{{"inner":{wrong}}}}}}}}}"#);
    let report_of_part = report(&paths, &schemas, "getB");
    assert!(report_of_part.contains("E0201"), "{report_of_part}");
    // A callback of an operation that is left out.
    let callback = format!(
        r##""callbacks":{{"onX":{{"{{$request.query.u}}":{{"post":{{"tags":["Hooks"],{}}}}}}}}}"##,
        response(wrong)
    );
    let paths = format!(
        r#"{{"/s":{{"post":{{"operationId":"subscribe",{callback},"responses":{{"204":{{"description":"d"}}}}}}}}}}"#
    );
    let report = report(&paths, "{}", "webhook:subscribe.onX");
    assert!(report.contains("E0201"), "{report}");
}

#[test]
fn errors_of_reusable_parts_count_where_something_kept_refers_to_them() {
    let missing = r##"{"schema":{"$ref":"#/components/schemas/No"}}"##;
    let components = format!(
        r##"{{"parameters":{{"Bad":{{"name":"bad","in":"query","schema":{{"$ref":"#/components/schemas/No"}}}}}},
        "responses":{{"Bad":{{"description":"d","content":{{"application/json":{missing}}}}},
        "Unused":{{"description":"d","content":{{"application/json":{missing}}}}}}}}}"##
    );
    let bad = r##""parameters":[{"$ref":"#/components/parameters/Bad"}],"responses":{"200":{"$ref":"#/components/responses/Bad"}}"##;
    let none = r#""responses":{"204":{"description":"d"}}"#;
    let callbacks =
        format!(r#""callbacks":{{"onX":{{"{{$request.query.u}}":{{"post":{{{bad}}}}}}}}}"#);
    let paths = format!(
        r#"{{"/a":{{"get":{{"operationId":"getA",{none}}}}},"/b":{{"get":{{"operationId":"getB",{bad}}}}},
        "/c":{{"post":{{"operationId":"subscribe",{callbacks},{none}}}}}}}"#
    );
    let kept = report(&paths, &components, "getA");
    assert!(!kept.contains("E0201"), "{kept}");
    for include in ["getB", "webhook:subscribe.onX"] {
        let kept = report(&paths, &components, include);
        assert!(
            kept.contains("#/components/responses/Bad"),
            "{include}: {kept}"
        );
        assert!(!kept.contains("Unused"), "{include}: {kept}");
    }
}

#[test]
fn aliases_in_types_of_kept_operations_are_kept() {
    let operation = |id: &str| {
        format!(
            r#"{{"post":{{"operationId":"{id}","requestBody":{{"content":{{"application/json":{{"schema":
            {{"type":"object","properties":{{"k":{{"type":"string","enum":["a","b"]}}}}}}}}}}}},
            "responses":{{"204":{{"description":"d"}}}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"openapi":"3.1.0","info":{{"title":"T","version":"1"}},"paths":{{"/a":{},"/b":{},"/c":{}}}}}"#,
        operation("a"),
        operation("b"),
        r#"{"get":{"operationId":"c","responses":{"204":{"description":"d"}}}}"#
    );
    let whole = names(&planned(&text, &[], &[]));
    let part = names(&planned(&text, &[], &["c"]));
    let lost: Vec<_> = whole.difference(&part).collect();
    assert_eq!(lost, ["c"]);
    assert!(part.contains("ABodyK"), "{part:?}");
}
