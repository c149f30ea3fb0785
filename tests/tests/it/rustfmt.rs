//! The layout of generated code, against rustfmt with its default settings.

use bothends::Builder;
use bothends_tests::{features, stem};
use std::fs;
use std::process::Command;

/// Documents with names that are longer than a line, and with tuples of tuples.
const OTHERS: [&str; 2] = ["long-names", "tuple-lengths"];

#[test]
fn rustfmt_leaves_generated_code_as_it_is() {
    for path in features().expect("the folder of features") {
        if OTHERS.contains(&stem(&path).as_str()) {
            continue;
        }
        let plan = Builder::new(&path).plan().expect("a plan");
        let dir = tempfile::tempdir().expect("a folder");
        for file in &plan.files {
            let place = dir.path().join(&file.path);
            fs::create_dir_all(place.parent().expect("a folder")).expect("made");
            fs::write(place, &file.text).expect("written");
        }
        let checked = Command::new("rustfmt")
            .args(["--check", "--edition", "2024", "src/lib.rs"])
            .current_dir(&dir)
            .output()
            .expect("rustfmt");
        let differences = String::from_utf8_lossy(&checked.stdout);
        assert!(
            checked.status.success(),
            "{}:\n{differences}",
            path.display()
        );
    }
}
