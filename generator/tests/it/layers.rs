//! The modules of the generator import each other in one direction.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_test_environment::layers;
use std::path::Path;

#[test]
fn modules_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = layers::of_crate(&src);
    assert!(root["lower"].contains("ir"), "{root:?}");
    assert!(!root["emit"].contains("lower"), "emit makes no decisions");
    let mut cycles = layers::all_cycles(&src, &["emit"]);
    // The comparison of two types descends into their parts, which may be types again.
    assert!(cycles.remove(Path::new("diff/find")).is_some());
    assert!(cycles.is_empty(), "{cycles:?}");
}
