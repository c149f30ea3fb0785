//! Documents of the corpus with errors, repaired by overlays.

use super::overlay;
use crate::{Builder, Plan};

/// Makes a plan for a document of the corpus, with an overlay.
fn planned(document: &str, actions: Option<&str>) -> Option<Plan> {
    let corpus = bothends_test_environment::corpus("documents_are_repaired")?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("repair.overlay.yaml");
    let mut builder = Builder::new(corpus.join(document));
    if let Some(actions) = actions {
        std::fs::write(&path, overlay(actions)).expect("written");
        builder = builder.overlay(&path);
    }
    Some(builder.plan().expect("a plan"))
}

#[test]
fn documents_are_repaired() {
    for (document, code, actions, operations) in [
        (
            "drf-spectacular/tests.test_extend_schema.yml",
            "E0201",
            "
- target: $.paths.*.*.responses.*.content.*.schema[?@ == '#/components/schemas/Gamma']
  x-bothends-expects: '#/components/schemas/Gamma'
  update: '#/components/schemas/GammaEpsilon'
",
            9,
        ),
        (
            "ogen/_testdata.positive.file_reference.yml",
            "E0201",
            "
- target: $.paths[?search(@['$ref'], 'external[.]yml$')]
  remove: true
",
            1,
        ),
    ] {
        let Some(broken) = planned(document, None) else {
            return;
        };
        let codes: Vec<&str> = broken
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect();
        assert!(broken.has_errors() && codes.contains(&code), "{codes:?}");
        let Some(repaired) = planned(document, Some(actions)) else {
            return;
        };
        assert!(!repaired.has_errors(), "{}", repaired.report());
        assert_eq!(repaired.api.operations.len(), operations, "{document}");
    }
}
