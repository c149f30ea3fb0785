//! `new`

use super::{Folder, broken};

#[test]
fn a_project_starts_in_a_folder_of_its_own() {
    for template in ["client", "server", "build-rs"] {
        let folder = Folder::new();
        let args = ["new", "shop", "--spec", "pets.yaml", "--template", template];
        let text = folder.ok(&args);
        assert!(text.contains("written   src/main.rs"), "{text}");
        let manifest: toml::Table = folder.read("shop/Cargo.toml").parse().expect("TOML");
        assert_eq!(manifest["package"]["name"].as_str(), Some("shop"));
        for (path, text) in folder.files() {
            let rust = path.ends_with(".rs");
            assert!(!text.contains("{{"), "{path}: {text}");
            assert!(!rust || syn::parse_file(&text).is_ok(), "{path}: {text}");
        }
        let before = folder.files();
        let run = folder.run(&args);
        assert_eq!(
            (run.code, run.err.contains("not empty")),
            (Some(2), true),
            "{}",
            run.err
        );
        assert_eq!(folder.files(), before);
    }
}

#[test]
fn a_project_regenerates_its_crate_by_its_configuration() {
    let folder = Folder::new();
    folder.ok(&["new", "shop", "--spec", "pets.yaml", "--template", "client"]);
    let text = folder.ok(&["generate", "--check", "--config", "shop/bothends.toml"]);
    assert_eq!(text, "up to date\n");
}

#[test]
fn a_broken_document_starts_nothing() {
    let folder = Folder::new();
    folder.put("pets.yaml", &broken());
    let run = folder.run(&["new", "shop", "--spec", "pets.yaml", "--template", "client"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(!folder.has("shop"));
}

#[test]
fn without_operations_there_is_nothing_to_start() {
    let folder = Folder::new();
    folder.put(
        "hooks.yaml",
        "openapi: 3.1.0\ninfo: { title: Hooks, version: 1.0.0 }\nwebhooks: {}\n",
    );
    let run = folder.run(&[
        "new",
        "shop",
        "--spec",
        "hooks.yaml",
        "--template",
        "server",
    ]);
    assert_eq!(
        (run.code, run.err.contains("nothing to call")),
        (Some(2), true),
        "{}",
        run.err
    );
    assert!(!folder.has("shop"));
}
