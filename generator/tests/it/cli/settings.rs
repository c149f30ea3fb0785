//! `bothends config` and `bothends list`: the settings, and the selectors of a document.

use super::{Folder, broken};

#[test]
fn each_setting_has_its_origin() {
    let folder = Folder::new();
    folder.put(
        "bothends.toml",
        "spec = 'pets.yaml'\n[filter]\ninclude = ['tag:pets']\nexclude = ['deprecated']\n",
    );
    let text = folder.ok(&[
        "config",
        "--check",
        "--exclude",
        "listPets",
        "--serde",
        "derive",
    ]);
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "spec = \"pets.yaml\" # bothends.toml:1",
        "serde = \"derive\" # --serde",
        "filter.exclude = [\"listPets\"] # --exclude",
        "dependencies # default: empty",
    ];
    for line in expected {
        assert!(lines.iter().any(|found| found == line), "{line}\n{text}");
    }
    // The list that no flag replaces is that of the file.
    let of_file = lines.iter().find(|line| line.starts_with("filter = "));
    assert!(
        of_file.is_some_and(|line| line.ends_with("# bothends.toml:2")),
        "{text}"
    );
}

#[test]
fn a_list_reads_the_allowances_and_the_overlays() {
    let folder = Folder::new();
    folder.put("pets.yaml", &broken());
    folder.put("bothends.toml", "spec = 'pets.yaml'\nallow = ['E0201']\n");
    folder.put(
        "names.overlay.yaml",
        "overlay: 1.0.0\ninfo: { title: Names, version: '1' }\nactions:\n  \
         - { target: '$.paths.*.get.tags', update: cats }\n",
    );
    let text = folder.ok(&["list", "tags", "--overlay", "names.overlay.yaml"]);
    assert_eq!(text, "tag:pets  1 operation\ntag:cats  1 operation\n");
}
