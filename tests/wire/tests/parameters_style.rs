//! `parameters-style.yaml` of the examples, which has every style of OpenAPI 3.0: the bytes, by
//! hand from its table of styles (3.0.3, 4.7.12.4) and from RFC 6570.
use bothends_wire_tests::wire::sends;
use serde_json::json;

const SPEC: &str = "corpus_3_0_yaml_parameters_style";

fn case(operation: &str, expected: &str) {
    let parts = json!(["blue", ["blue", "black"], {"name": "R", "description": "1 0/0"}, 0]);
    sends(SPEC, operation, parts, expected);
}

#[test]
fn paths() {
    case(
        "paths_standard",
        "/anything/path/blue/blue,black/name,R,description,1%200%2F0",
    );
    case(
        "paths_simple_exploded",
        "/anything/path/simple/blue/blue,black/name=R,description=1%200%2F0",
    );
    case(
        "paths_label_nonExploded",
        "/anything/path/label/.blue/.blue,black/.name,R,description,1%200%2F0",
    );
    case(
        "paths_label_exploded",
        "/anything/path/label/.blue/.blue.black/.name=R.description=1%200%2F0",
    );
    case(
        "paths_matrix_nonExploded",
        "/anything/path/matrix/;primitive=blue/;array=blue,black/;object=name,R,description,1%200%2F0",
    );
    case(
        "paths_matrix_exploded",
        "/anything/path/matrix/;primitive=blue/;array=blue;array=black/;name=R;description=1%200%2F0",
    );
}

#[test]
fn queries() {
    case(
        "query_standard",
        "/anything/query?primitive=blue&array=blue&array=black&name=R&description=1%200%2F0",
    );
    case(
        "query_form_nonExploded",
        "/anything/query/form?primitive=blue&array=blue,black&object=name,R,description,1%200%2F0",
    );
    case(
        "query_form_exploded",
        "/anything/query/form?primitive=blue&array=blue&array=black&name=R&description=1%200%2F0",
    );
    sends(
        SPEC,
        "query_spaceDelimited_nonExploded",
        json!([["blue", "black"], {"name": "R", "description": "100"}, 0]),
        "/anything/query/spaceDelimited?array=blue%20black&object=name%20R%20description%20100",
    );
    sends(
        SPEC,
        "query_pipeDelimited_nonExploded",
        json!([["blue", "black"], {"name": "R", "description": "100"}, 0]),
        "/anything/query/pipeDelimited?array=blue%7Cblack&object=name%7CR%7Cdescription%7C100",
    );
    sends(
        SPEC,
        "query_deepObject_nonExploded",
        json!([{"name": "R", "description": "1&0"}, 0]),
        "/anything/query/deepObject?object%5Bname%5D=R&object%5Bdescription%5D=1%260",
    );
}

#[test]
fn an_empty_string_is_there_and_what_is_absent_is_not() {
    sends(
        SPEC,
        "query_standard",
        json!(["", null, null, 0]),
        "/anything/query?primitive=",
    );
    sends(
        SPEC,
        "query_form_nonExploded",
        json!([null, [""], null, 0]),
        "/anything/query/form?array=",
    );
    sends(
        SPEC,
        "query_standard",
        json!([null, null, null, 0]),
        "/anything/query",
    );
}

#[test]
fn headers() {
    let parts = || json!(["blue", ["blue", "black"], {"name": "R", "description": "1 0/0"}, 0]);
    sends(
        SPEC,
        "headers_standard",
        parts(),
        "/anything/headers\nprimitive: blue\narray: blue,black\nobject: name,R,description,1 0/0",
    );
    sends(
        SPEC,
        "headers_simple_exploded",
        parts(),
        "/anything/headers/simple\nprimitive: blue\narray: blue,black\nobject: name=R,description=1 0/0",
    );
}

#[test]
fn cookies_and_a_fragment_that_is_never_sent() {
    let parts = || json!(["blue", ["blue", "black"], {"name": "R", "description": "100"}, 0]);
    sends(
        SPEC,
        "cookies_standard",
        parts(),
        "/cookies\nCookie: primitive=blue; array=blue; array=black; name=R; description=100",
    );
    let begun = bothends_wire_tests::wire::begin(SPEC, "cookies_form_nonExploded", &parts());
    assert_eq!(
        begun.request().as_deref(),
        Ok("/cookies\nCookie: primitive=blue; array=blue,black; object=name,R,description,100")
    );
}
