//! Detection of the dialect of a document.

use super::read_files;

fn told(text: &str) -> String {
    let (model, told) = read_files(&[("api.yaml", text)]);
    format!("{}{told}", if model.is_some() { "read" } else { "" })
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
        assert_eq!(told(text), "read", "{text}");
    }
}

#[test]
fn other_documents_are_refused() {
    assert_eq!(
        told("openapi: 4.0.0"),
        "E0102 #/openapi: unsupported version `openapi: 4.0.0`"
    );
    assert_eq!(
        told("swagger: '1.2'"),
        "E0102 #/swagger: unsupported version `swagger: 1.2`"
    );
    assert_eq!(
        told("openapi: {}"),
        "E0102 #/openapi: unsupported version `openapi: an object`"
    );
    assert_eq!(
        told("info: {}"),
        "E0101 #: missing version: neither `openapi` nor `swagger`"
    );
    assert_eq!(
        told("[1]"),
        "E0101 #: expected an object as API description, found an array"
    );
    assert_eq!(
        told(""),
        "E0101 #: expected an object as API description, found null"
    );
}
