//! `generate`, `lint` and `bundle`.

use super::{Folder, PETS, broken};
use std::process::Command;

const GENERATE: &[&str] = &["generate", "pets.yaml", "--out", "out"];

#[test]
fn a_run_lists_what_it_wrote_and_leaves_unchanged_files() {
    let folder = Folder::new();
    let first = folder.ok(GENERATE);
    assert!(
        first.starts_with("out: ") && first.contains("written   Cargo.toml"),
        "{first}"
    );
    assert!(folder.has("out/src/lib.rs") && folder.has("out/.bothends-files"));
    let before = folder.files();
    let second = folder.ok(GENERATE);
    assert!(second.starts_with("out: 0 written, "), "{second}");
    assert_eq!(folder.files(), before);
}

#[test]
fn only_stale_generated_files_are_removed() {
    let folder = Folder::new();
    folder.ok(GENERATE);
    folder.put("out/src/mine.rs", "// mine");
    let had: Vec<String> = folder.files().into_iter().map(|(path, _)| path).collect();
    let text = folder.ok(&["generate", "pets.yaml", "--out", "out", "--parts", "types"]);
    let has: Vec<String> = folder.files().into_iter().map(|(path, _)| path).collect();
    let gone: Vec<&String> = had.iter().filter(|path| !has.contains(path)).collect();
    assert!(!gone.is_empty(), "{text}");
    for path in gone {
        let path = path.strip_prefix("out/").expect("inside");
        assert!(
            text.contains(&format!("removed   {path}")),
            "{path}: {text}"
        );
    }
    assert_eq!(folder.read("out/src/mine.rs"), "// mine");
}

#[test]
fn check_compares_and_names_the_command_that_mends() {
    let folder = Folder::new();
    let check = [GENERATE, &["--check"]].concat();
    let run = folder.run(&check);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("missing  Cargo.toml") && !folder.has("out"),
        "{}",
        run.out
    );
    folder.ok(GENERATE);
    assert_eq!(folder.ok(&check), "up to date\n");

    folder.put(
        "pets.yaml",
        &PETS.replace("name: { type", "nickname: { type"),
    );
    let before = folder.files();
    let run = folder.run(&check);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("nickname"), "{}", run.out);
    assert!(
        run.out
            .ends_with("run:\n  bothends generate pets.yaml --out out\n"),
        "{}",
        run.out
    );
    assert_eq!(folder.files(), before);
    folder.ok(GENERATE);
    assert_eq!(folder.ok(&check), "up to date\n");
}

/// Settings of rustfmt, and editions of its style, that are not the default.
#[test]
fn check_accepts_what_rustfmt_has_formatted_by_other_settings() {
    let folder = Folder::new();
    folder.ok(GENERATE);
    let check = [GENERATE, &["--check"]].concat();
    let before = folder.read("out/src/client.rs");
    let settings = "max_width = 60\nhard_tabs = true\nuse_small_heuristics = \"Max\"\n";
    for style in ["2015", "2024"] {
        folder.put(
            "out/rustfmt.toml",
            &format!("style_edition = \"{style}\"\n{settings}"),
        );
        let formatted = Command::new("rustfmt")
            .args(["--edition", "2024", "out/src/lib.rs"])
            .current_dir(folder.path())
            .status();
        assert!(formatted.expect("rustfmt").success());
        assert_ne!(folder.read("out/src/client.rs"), before);
        folder.ok(&check);
    }
    let changed = folder
        .read("out/src/client.rs")
        .replacen("pub fn ", "fn ", 1);
    folder.put("out/src/client.rs", &changed);
    assert_eq!(folder.run(&check).code, Some(1));
    folder.ok(GENERATE);
    assert_eq!(folder.read("out/src/client.rs"), before);
}

#[test]
fn a_failed_run_leaves_files_unchanged() {
    let folder = Folder::new();
    folder.ok(GENERATE);
    folder.put("pets.yaml", &broken());
    let before = folder.files();
    for args in [GENERATE, &["lint", "pets.yaml"]] {
        let run = folder.run(args);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        assert!(
            run.err.contains("E0201") && run.err.contains("pets.yaml:"),
            "{}",
            run.err
        );
        assert_eq!(folder.files(), before);
    }
    // What is allowed is a warning, and what is allowed in vain an error.
    let allowed = [GENERATE, &["--allow", "E0201"]].concat();
    let run = folder.run(&allowed);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.err.contains("warning[E0201]"), "{}", run.err);
    folder.put("pets.yaml", PETS);
    let run = folder.run(&allowed);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("was not reported"), "{}", run.err);
}

#[test]
fn diagnostics_for_programs_are_one_object_a_line() {
    let folder = Folder::new();
    folder.put("pets.yaml", &broken());
    let run = folder.run(&["lint", "pets.yaml", "--message-format", "json"]);
    assert_eq!(run.code, Some(1));
    let lines: Vec<serde_json::Value> = run
        .err
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let keys: Vec<&String> = lines[0].as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "code", "severity", "message", "file", "line", "column", "pointer", "help"
        ]
    );
    assert_eq!(
        (&lines[0]["code"], &lines[0]["file"]),
        (&"E0201".into(), &"pets.yaml".into())
    );
    let run = folder.run(&["lint", "none.yaml", "--message-format", "json"]);
    assert_eq!(run.code, Some(2));
    assert!(
        serde_json::from_str::<serde_json::Value>(&run.err).is_ok(),
        "{}",
        run.err
    );
}

#[test]
fn a_configuration_has_the_settings_of_flags_and_flags_win() {
    let folder = Folder::new();
    folder.put(
        "conf/bothends.toml",
        "spec = '../pets.yaml'\nout = 'there'\nname = 'by-config'\nparts = ['types']\n\
         workspace-member = true\n[names]\nPet = 'Animal'\n",
    );
    folder.ok(&["generate", "--config", "conf/bothends.toml"]);
    let manifest = folder.read("conf/there/Cargo.toml");
    assert!(manifest.contains("name = \"by-config\""), "{manifest}");
    assert!(!manifest.contains("[workspace]"), "{manifest}");
    assert!(
        folder
            .read("conf/there/src/types.rs")
            .contains("pub struct Animal")
    );

    folder.ok(&[
        "generate",
        "--config",
        "conf/bothends.toml",
        "--name",
        "by-flag",
        "--out",
        "here",
    ]);
    assert!(
        folder
            .read("here/Cargo.toml")
            .contains("name = \"by-flag\"")
    );

    // The one of the current folder counts without being named.
    folder.put(
        "bothends.toml",
        "spec = 'pets.yaml'\nout = 'default'\nname = 'by-default'",
    );
    folder.ok(&["generate"]);
    let manifest = folder.read("default/Cargo.toml");
    assert!(
        manifest.contains("name = \"by-default\"") && manifest.contains("[workspace]"),
        "{manifest}"
    );
    folder.put("bothends.toml", "specs = 'pets.yaml'");
    let run = folder.run(&["generate"]);
    assert_eq!(
        (run.code, run.err.contains("did you mean `spec`?")),
        (Some(2), true),
        "{}",
        run.err
    );
}

#[test]
fn a_runtime_folder_is_seen_from_the_crate() {
    let folder = Folder::new();
    folder.put("rt/Cargo.toml", "");
    folder.ok(&[
        "generate",
        "pets.yaml",
        "--out",
        "a/b",
        "--runtime-path",
        "rt",
    ]);
    let manifest = folder.read("a/b/Cargo.toml");
    assert!(
        manifest.contains("bothends-runtime = { path = \"../../rt\" }"),
        "{manifest}"
    );
}

#[test]
fn a_module_is_one_file_beside_others() {
    let folder = Folder::new();
    folder.put("src/pets/mine.rs", "// mine");
    let generate = ["generate", "pets.yaml", "--out", "src/pets", "--module"];
    let text = folder.ok(&generate);
    assert!(text.starts_with("src/pets: 1 written"), "{text}");
    let paths: Vec<String> = folder.files().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["pets.yaml", "src/pets/mine.rs", "src/pets/mod.rs"]);
    assert_eq!(
        folder.ok(&[&generate[..], &["--check"]].concat()),
        "up to date\n"
    );
    // It is written over although there is no list: it says that it was generated.
    folder.put(
        "pets.yaml",
        &PETS.replace("Pet:", "Animal:").replace("/Pet", "/Animal"),
    );
    assert!(folder.ok(&generate).starts_with("src/pets: 1 written"));
}

#[test]
fn files_of_others_are_not_overwritten() {
    let folder = Folder::new();
    folder.put("out/Cargo.toml", "[package]\nname = \"mine\"\n");
    let run = folder.run(GENERATE);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert!(run.err.contains("Cargo.toml"), "{}", run.err);
    assert!(!folder.has("out/src"));
}

#[test]
fn a_bundle_is_one_document() {
    let folder = Folder::new();
    let text = folder.ok(&["bundle", "pets.yaml"]);
    assert!(
        text.contains("openapi:") && text.contains("listPets"),
        "{text}"
    );
    folder.ok(&["bundle", "pets.yaml", "--out", "bundle.json"]);
    let bundle: serde_json::Value =
        serde_json::from_str(&folder.read("bundle.json")).expect("JSON");
    assert!(
        bundle["openapi"]
            .as_str()
            .is_some_and(|version| version.starts_with("3.0"))
    );
    folder.ok(&["lint", "bundle.json"]);
    assert_eq!(
        folder.ok(&["bundle", "pets.yaml", "--out", "bundle.json"]),
        "bundle.json: unchanged\n"
    );
    let run = folder.run(&["bundle", "pets.yaml", "--out", "./pets.yaml"]);
    assert_eq!(
        (run.code, folder.read("pets.yaml").as_str()),
        (Some(2), PETS),
        "{}",
        run.err
    );
}

#[test]
fn timings_name_the_stages_and_the_functions_of_derives() {
    let folder = Folder::new();
    folder.put(
        "bothends.toml",
        "spec = 'pets.yaml'\nout = 'api'\nmodule = true\n[derives]\n'*' = ['Ord', 'strum::EnumIs']\nPet = ['Default', 'Copy']\n",
    );
    let run = folder.run(&["generate", "--timings"]);
    // `Copy` cannot be derived for a type with text.
    assert_eq!(run.code, Some(1), "{}", run.err);
    folder.put(
        "bothends.toml",
        "spec = 'pets.yaml'\nout = 'api'\nmodule = true\n[derives]\n'*' = ['Ord', 'strum::EnumIs']\n",
    );
    let plain = folder.run(&["generate", "--check"]);
    let run = folder.run(&["generate", "--timings"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.err.lines().collect();
    let stages = [
        "source", "dialect", "lower", "sharing", "names", "derives", "emit", "print",
    ];
    let stages = stages.map(|stage| {
        lines
            .iter()
            .any(|line| line.starts_with(stage) && line.ends_with(" ms"))
    });
    assert_eq!(stages, [true; 8], "{}", run.err);
    let derives: Vec<&&str> = lines
        .iter()
        .filter(|line| line.starts_with("derive "))
        .collect();
    assert_eq!(
        derives,
        [
            &"derive Ord: 1 impl, 1 function",
            &"derive PartialOrd: 1 impl, 1 function",
            &"derive strum::EnumIs: 1 impl; the functions of its macro are not counted",
        ]
    );
    // The files are those of a run without the flag.
    assert_eq!(plain.code, Some(1));
    assert_eq!(folder.ok(&["generate", "--check"]), "up to date\n");
}
