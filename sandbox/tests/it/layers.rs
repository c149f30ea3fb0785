//! The modules of the sandbox import each other in one direction.

use bothends_test_environment::layers::{self, Graph, Imports};
use std::path::Path;

#[test]
fn modules_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = layers::of_crate(&src);
    assert!(root["webhooks"].contains("app"), "{root:?}");
    assert!(root["console"].contains("webhooks"), "{root:?}");
    assert_eq!(layers::circles(root), Graph::new());
    for folder in [
        "api",
        "conformance",
        "console",
        "model",
        "store",
        "tasks",
        "webhooks",
    ] {
        let graph = layers::of_folder(&src.join(folder), Imports::Paths);
        assert!(!graph.is_empty(), "{folder}");
        assert_eq!(layers::circles(graph), Graph::new(), "{folder}");
    }
}
