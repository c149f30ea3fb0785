//! Detection of the dialect of a document.

use super::read_files;

fn reported(text: &str) -> String {
    let (model, reported) = read_files(&[("api.yaml", text)]);
    format!("{}{reported}", if model.is_some() { "read" } else { "" })
}

#[test]
fn all_versions_are_known() {
    for text in [
        "openapi: 3.0.3",
        "openapi: 3.0",
        "openapi: '3.1.1'",
        "openapi: 3.2.0",
        "swagger: '2.0'",
        "swagger: 2.0",
        "{\"openapi\": \"3.0.0-rc2\", \"swagger\": \"2.0\"}",
    ] {
        assert_eq!(reported(text), "read", "{text}");
    }
}

#[test]
fn other_documents_are_refused() {
    assert_eq!(
        reported("openapi: 4.0.0"),
        "E0102 #/openapi: unsupported version `openapi: 4.0.0`"
    );
    assert_eq!(
        reported("swagger: '1.2'"),
        "E0102 #/swagger: unsupported version `swagger: 1.2`"
    );
    assert_eq!(
        reported("openapi: {}"),
        "E0102 #/openapi: unsupported version `openapi: an object`"
    );
    assert_eq!(
        reported("info: {}"),
        "E0101 #: missing version: neither `openapi` nor `swagger`"
    );
    assert_eq!(
        reported("[1]"),
        "E0101 #: expected an object as API description, found an array"
    );
    assert_eq!(
        reported(""),
        "E0101 #: expected an object as API description, found null"
    );
}
