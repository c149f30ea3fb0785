//! The sets of the Overlay Specification's repository, each a document, an overlay and the result.

use std::path::PathBuf;

use super::{Overlaid, yaml};
use crate::source::Value;

#[test]
fn the_compliant_sets_are_applied() {
    let beside = || bothends_test_environment::corpus_folder().join("overlay-specification");
    let folder = std::env::var_os("BOTHENDS_OVERLAY_SUITE").map_or_else(beside, PathBuf::from);
    let sets = folder.join("compliant-sets");
    let Ok(entries) = std::fs::read_dir(&sets) else {
        bothends_test_environment::skipped(
            "the_compliant_sets_are_applied",
            &format!("no {}", sets.display()),
            "set BOTHENDS_OVERLAY_SUITE to a checkout of OAI/Overlay-Specification",
        );
        return;
    };
    let mut count = 0;
    for set in entries {
        let set = set.expect("an entry").path();
        let text = |name: &str| std::fs::read_to_string(set.join(name));
        let Ok(overlay) = text("overlay.yaml") else {
            continue;
        };
        let document = ["openapi.yaml", "arazzo.yaml", "asyncapi.yaml"];
        let document = document.iter().find_map(|name| text(name).ok());
        let document = document.expect("a document");
        // An overlay may extend a document by another name than it has in the set.
        let value = yaml(&overlay);
        let name = value.get("extends").and_then(Value::as_str);
        let name = name.unwrap_or("openapi.yaml").trim_start_matches("./");
        let overlaid = Overlaid::new(&[(name, &document), ("overlay.yaml", &overlay)]);
        let shown = set.display();
        assert!(
            overlaid.diagnostics.is_empty(),
            "{shown}: {}",
            overlaid.report()
        );
        let expected = yaml(&text("output.yaml").expect("a result"));
        assert_eq!(overlaid.values[0], expected, "{shown}");
        count += 1;
    }
    assert!(count > 5, "{count} sets");
}
