//! A generated crate inside a workspace.

use std::process::Command;

use super::Folder;

const GENERATE: &[&str] = &["generate", "pets.yaml", "--out", "pets"];

/// What cargo says of the workspace around the generated crate.
fn cargo(folder: &Folder) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(folder.path().join("app"))
        .output()
        .expect("cargo runs");
    if run.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&run.stderr).into_owned())
}

/// A workspace whose member depends on the crate that is generated into `pets`.
fn workspace() -> Folder {
    let folder = Folder::new();
    folder.put(
        "Cargo.toml",
        "[workspace]\nresolver = '3'\nmembers = ['app']\n",
    );
    folder.put(
        "app/Cargo.toml",
        "[package]\nname = 'app'\nversion = '0.0.0'\nedition = '2024'\n\n[dependencies]\n\
         pets = { path = '../pets' }\n",
    );
    folder.put("app/src/lib.rs", "");
    folder
}

#[test]
fn a_workspace_around_the_crate_is_noted_before_cargo_fails() {
    let folder = workspace();
    let run = folder.run(GENERATE);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = ["`multiple workspace roots`", "= help: `--workspace-member`"];
    for line in lines {
        assert!(run.err.contains(line), "{}", run.err);
    }
    let error = cargo(&folder).expect_err("two roots");
    assert!(error.contains("multiple workspace roots"), "{error}");

    // The help is right, by flag and by key.
    let member = [GENERATE, &["--workspace-member"]].concat();
    let run = folder.run(&member);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(cargo(&folder), Ok(()));
    folder.put("bothends.toml", "workspace-member = true\n");
    let run = folder.run(&[GENERATE, &["--check"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
}

#[test]
fn a_crate_that_is_kept_apart_is_not_noted() {
    let folder = workspace();
    folder.put("bothends.toml", "workspace-member = false\n");
    assert_eq!(folder.run(GENERATE).err, "");
    folder.put("bothends.toml", "");
    assert_ne!(folder.run(GENERATE).err, "");
    folder.put(
        "Cargo.toml",
        "[workspace]\nresolver = '3'\nmembers = ['app']\nexclude = ['pets']\n",
    );
    assert_eq!(folder.run(GENERATE).err, "");
    assert_eq!(cargo(&folder), Ok(()));
    // A module becomes part of the crate that it lies in.
    let module = ["generate", "pets.yaml", "--out", "app/src/pets", "--module"];
    assert_eq!(folder.run(&module).err, "");
}

#[test]
fn the_note_for_programs_is_an_object() {
    let folder = workspace();
    let run = folder.run(&[GENERATE, &["--message-format", "json"]].concat());
    let note: serde_json::Value = serde_json::from_str(&run.err).expect("JSON");
    assert_eq!(
        (&note["severity"], &note["code"]),
        (&"note".into(), &().into())
    );
    assert!(note["help"].is_string(), "{note}");
}
