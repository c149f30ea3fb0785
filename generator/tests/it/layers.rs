//! The modules of the generator import each other in one direction: there are no circles among the
//! modules of the crate, nor among those of the stages that read documents, lower them, name items,
//! emit and print them.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_test_environment::layers::{self, Graph, Imports};
use std::path::Path;

#[test]
fn modules_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = layers::of_crate(&src);
    assert!(root["lower"].contains("ir"), "{root:?}");
    assert!(!root["emit"].contains("lower"), "emit makes no decisions");
    assert_eq!(layers::circles(root), Graph::new());
    for stage in ["dialect", "lower", "names", "emit", "print"] {
        // Emitted code has paths too.
        let imports = match stage {
            "emit" => Imports::UseItems,
            _ => Imports::Paths,
        };
        let graph = layers::of_folder(&src.join(stage), imports);
        assert!(graph.values().any(|of| of.len() > 2), "{stage}: {graph:?}");
        assert_eq!(layers::circles(graph), Graph::new(), "{stage}");
    }
}
