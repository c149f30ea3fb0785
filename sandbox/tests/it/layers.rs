//! The modules of the sandbox import each other in one direction.

use bothends_test_environment::layers;
use std::path::Path;

#[test]
fn modules_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = layers::of_crate(&src);
    assert!(root["webhooks"].contains("app"), "{root:?}");
    assert!(root["console"].contains("webhooks"), "{root:?}");
    let cycles = layers::all_cycles(&src, &[]);
    assert!(cycles.is_empty(), "{cycles:?}");
}
