//! Tests of the files around generated modules.

use std::path::Path;

use toml::Table;

use super::template::{fill, markdown_line, rust_string};
use super::*;
use crate::emit::Parts;

const ALL: Parts = Parts {
    client: true,
    server: true,
    webhooks: true,
};

fn files(package_: &Package<'_>) -> (String, String) {
    let files = package(package_);
    let text = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| file.text.clone())
            .unwrap_or_default()
    };
    (text("Cargo.toml"), text("README.md"))
}

#[test]
fn a_crate_has_a_manifest_and_a_readme() {
    let dependencies: Table =
        "rust_decimal = { version = '1', features = ['serde'] }\nahash = '0.8'"
            .parse()
            .expect("TOML");
    let mut package = Package {
        name: "pets-api",
        title: "Pets",
        spec: "pets.yaml",
        parts: ALL,
        runtime: Dependency::Path("../runtime".to_owned()),
        runtime_features: &[],
        client_features: vec!["client"],
        test_features: &[],
        tags: &[],
        dependencies: &dependencies,
        workspace_member: false,
    };
    let (manifest, readme) = files(&package);
    insta::assert_snapshot!("manifest", manifest);
    insta::assert_snapshot!("readme", readme);
    package.parts = Parts {
        client: false,
        server: false,
        webhooks: false,
    };
    package.workspace_member = true;
    package.runtime_features = &["jiff", "uuid"];
    package.runtime = Dependency::Registry;
    let (manifest, _) = files(&package);
    insta::assert_snapshot!("manifest_of_types", manifest);
}

#[test]
fn titles_and_file_names_stay_text() {
    let hostile = "x\"\n[dependencies]\nevil = \"1\"\n# `` --> <script> {{name}} \u{202e}";
    let none = Table::new();
    let package = Package {
        name: "pets",
        title: hostile,
        spec: hostile,
        parts: ALL,
        runtime: Dependency::Path(hostile.to_owned()),
        runtime_features: &[],
        client_features: vec!["client"],
        test_features: &[],
        tags: &[],
        dependencies: &none,
        workspace_member: false,
    };
    let (manifest, readme) = files(&package);
    let parsed: Table = manifest.parse().expect("TOML");
    let keys: Vec<&str> = parsed.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["dependencies", "features", "lib", "package", "workspace"]
    );
    assert_eq!(parsed["dependencies"].as_table().map(Table::len), Some(1));
    assert_eq!(
        parsed["dependencies"]["bothends-runtime"]["path"].as_str(),
        Some(hostile)
    );
    assert_eq!(readme.matches("-->").count(), 1, "{readme}");
    assert!(
        !readme.contains("<script>") && !readme.contains('\u{202e}'),
        "{readme}"
    );
    assert!(readme.contains("\\{\\{name\\}\\}"), "{readme}");
}

#[test]
fn no_place_is_left_open() {
    let none = Table::new();
    let package = Package {
        name: "pets",
        title: "",
        spec: "pets.yaml",
        parts: ALL,
        runtime: Dependency::Registry,
        runtime_features: &[],
        client_features: vec!["client"],
        test_features: &[],
        tags: &[],
        dependencies: &none,
        workspace_member: false,
    };
    let (manifest, readme) = files(&package);
    assert!(
        !manifest.contains("{{") && !readme.contains("{{"),
        "{manifest}\n{readme}"
    );
}

#[test]
fn values_are_not_looked_at_for_places() {
    assert_eq!(
        fill("{{a}}-{{b}} {{c}} {{", &[("a", "{{b}}"), ("b", "B")]),
        "{{b}}-B {{c}} {{"
    );
    assert_eq!(rust_string("a\"\\\n\u{202e}"), "\"a\\\"\\\\\\n\\u{202e}\"");
    assert_eq!(
        markdown_line("a *b*\n# <c> [d](e)"),
        "a \\*b\\* \\# \\<c\\> \\[d\\](e)"
    );
}

#[test]
fn names_of_crates_are_validated() {
    for good in ["a", "pets-api", "x2", "financial_data"] {
        assert_eq!(check_crate_name(good), Ok(()));
    }
    for bad in [
        "",
        "2x",
        "-x",
        "a b",
        "größe",
        "Pets",
        "fn",
        "test",
        "a.b",
        "../a",
        "bothends-runtime",
        "a\n",
    ] {
        assert!(check_crate_name(bad).is_err(), "{bad}");
    }
    let named = [
        "Pet Store (v2)",
        "",
        "404",
        "日本",
        "Fn",
        "Test",
        &"long ".repeat(30),
    ]
    .map(crate_name_of);
    assert_eq!(
        named,
        [
            "pet-store-v2",
            "api",
            "api-404",
            "api",
            "api-fn",
            "api-test",
            "long-long-long-long-long-long-long-long-long-long"
        ]
    );
}

#[test]
fn paths_are_seen_from_the_folder() {
    let between =
        |folder: &str, to: &str| path_between(Path::new(folder), Path::new(to)).expect("a path");
    assert_eq!(between("generated", "runtime"), "../runtime");
    assert_eq!(between("a/b/../c", "a/c/d"), "d");
    assert_eq!(between("a", "a"), ".");
    assert_eq!(between("out/deep", "../runtime").matches("../").count(), 3);
    assert_eq!(between("a", "/x/y"), "/x/y");
}

#[test]
fn no_tag_has_the_feature_of_every_crate() {
    let features = package::features(ALL, &[]);
    for (name, ..) in features {
        assert!(crate::filter::OWN_FEATURES.contains(&name), "{name}");
    }
}
