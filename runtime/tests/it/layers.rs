//! The layers of the runtime: each imports only the layers below it.
#![allow(missing_docs)]

use bothends_test_environment::layers::{all_cycles, names_of_root};
use std::path::PathBuf;

/// From the lowest to the highest.
const LAYERS: [&str; 3] = ["values", "message", "ends"];

fn src() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn imports_point_to_lower_layers() {
    let named = names_of_root(&src());
    for (level, layer) in LAYERS.iter().enumerate() {
        // The items that the root exports may be of any layer, so they count as well.
        let is_below = |name: &&String| LAYERS[..=level].contains(&name.as_str());
        let others: Vec<&String> = named[*layer]
            .iter()
            .filter(|name| !is_below(name))
            .collect();
        assert!(others.is_empty(), "{layer} imports {others:?}");
    }
}

#[test]
fn modules_import_each_other_in_one_direction() {
    let cycles = all_cycles(&src(), &[]);
    assert!(cycles.is_empty(), "{cycles:?}");
}
