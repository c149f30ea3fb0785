//! The versions of documents in the corpus, or in another folder.

use std::path::Path;

use crate::pairs::{Pair, both, read};

/// Returns the pairs of a folder: each subfolder contains the files `old` and `new`, as JSON or YAML with any
/// extension. A pair with a file that is neither is left out, and with `BOTHENDS_DOCUMENTS` one whose name does not
/// contain its value.
pub(crate) fn of_folder(folder: &Path) -> Vec<Pair> {
    let wanted = std::env::var("BOTHENDS_DOCUMENTS").unwrap_or_default();
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        paths
    };
    let mut all = Vec::new();
    for pair in list(folder).iter().filter(|path| path.is_dir()) {
        let name = pair.file_name().unwrap_or_default().to_string_lossy();
        if !name.contains(&wanted) {
            continue;
        }
        let files = list(pair);
        let document = |name: &str| {
            let file = files
                .iter()
                .find(|path| path.file_stem().is_some_and(|stem| stem == name));
            read(file.expect("the files `old` and `new`"))
        };
        if let (Some(old), Some(new)) = (document("old"), document("new")) {
            all.extend(both(&name, &old, &new));
        }
    }
    all
}

/// Pairs of documents of the corpus that are versions of one API, or of one example.
pub(crate) const VERSIONS: &[(&str, &str)] = &[
    (
        "OpenAPI-Specification/_archive_.schemas.v3.0.pass.petstore.yaml",
        "OpenAPI-Specification/_archive_.schemas.v3.0.pass.petstore-expanded.yaml",
    ),
    (
        "drf-spectacular/tests.test_basic.yml",
        "drf-spectacular/tests.test_basic_oas_3_1.yml",
    ),
    (
        "drf-spectacular/tests.test_callbacks.yml",
        "drf-spectacular/tests.test_callbacks_split_request.yml",
    ),
    (
        "drf-spectacular/tests.test_extend_schema.yml",
        "drf-spectacular/tests.test_extend_schema_view.yml",
    ),
    (
        "drf-spectacular/tests.test_fields.yml",
        "drf-spectacular/tests.test_fields_oas_3_1.yml",
    ),
    (
        "drf-spectacular/tests.contrib.test_rest_auth.yml",
        "drf-spectacular/tests.contrib.test_rest_auth_token.yml",
    ),
    (
        "drf-spectacular/tests.test_split_request_false.yml",
        "drf-spectacular/tests.test_split_request_true.yml",
    ),
    (
        "drf-spectacular/tests.test_versioning_accept_v1.yml",
        "drf-spectacular/tests.test_versioning_accept_v2.yml",
    ),
    (
        "drf-spectacular/tests.test_versioning_v1.yml",
        "drf-spectacular/tests.test_versioning_v2.yml",
    ),
    (
        "oas-examples/3.0.yaml.parameters-style.yaml",
        "oas-examples/3.1.yaml.parameters-style.yaml",
    ),
    (
        "oas-examples/3.0.yaml.petstore.yaml",
        "oas-examples/3.1.yaml.petstore.yaml",
    ),
    (
        "oas-examples/3.0.yaml.schema-types.yaml",
        "oas-examples/3.1.yaml.schema-types.yaml",
    ),
    (
        "oas-examples/3.0.yaml.security.yaml",
        "oas-examples/3.1.yaml.security.yaml",
    ),
    (
        "ogen/_testdata.examples.petstore.yml",
        "ogen/_testdata.examples.petstore-expanded.yml",
    ),
    (
        "ogen/_testdata.examples.swagger-petstore.yml",
        "ogen/_testdata.examples.swagger-petstore-1.0.27.yaml",
    ),
];
