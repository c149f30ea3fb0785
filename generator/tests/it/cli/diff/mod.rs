//! `bothends diff` and `bothends changelog`.

mod report;
mod revisions;
mod sarif;
mod settings;
mod timeline;
mod version;

use std::path::Path;
use std::process::Command;

use super::{Folder, PETS};

/// Runs git in a folder, without the settings of the user.
fn git(folder: &Folder, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
        .args(["-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("git runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
}

fn commit(folder: &Folder, subject: &str) {
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", subject]);
}

/// The document with one more required property.
fn grown() -> String {
    PETS.replace("required: [id]", "required: [id, name]")
}

/// The blocks of code of the guide page, in order.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    let parts = page.split(&start).skip(1);
    let blocks = parts.filter_map(|part| part.split("```").next());
    blocks.map(str::to_owned).collect()
}

#[test]
fn the_example_of_the_guide_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src/reference/diff.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (document, output) = (&blocks(&page, "yaml")[0], &blocks(&page, "text")[0]);
    let folder = Folder::new();
    folder.put("old.yaml", document);
    assert!(document.contains(", refunded]"), "{document}");
    folder.put("new.yaml", &document.replace(", refunded]", "]"));
    let run = folder.run(&["diff", "old.yaml", "new.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.out, *output);
    let run = folder.run(&["diff", "old.yaml", "new.yaml", "--details"]);
    let details = run.out.find("breaking: 1").map(|start| &run.out[start..]);
    assert_eq!(details, Some(blocks(&page, "text")[1].as_str()));
}

#[test]
fn the_example_of_the_readme_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let page = std::fs::read_to_string(page).expect("README.md");
    let document = &blocks(&page, "yaml")[0];
    let shown = blocks(&page, "console").into_iter();
    let shown = shown.filter_map(|block| {
        let output = block.strip_prefix("$ bothends diff exports.yaml new.yaml\n");
        output.map(str::to_owned)
    });
    let folder = Folder::new();
    folder.put("exports.yaml", document);
    let states = "state: { enum: [running, done, failed] } }";
    assert!(document.contains(states), "{document}");
    let fewer = states.replace(", failed]", "]");
    folder.put("new.yaml", &document.replace(states, &fewer));
    let run = folder.run(&["diff", "exports.yaml", "new.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(shown.collect::<Vec<_>>(), [run.out]);
}

#[test]
fn the_exit_code_distinguishes_found_from_not_compared() {
    let folder = Folder::new();
    folder.put("new.yaml", &grown());
    folder.put("broken.yaml", &super::broken());
    assert_eq!(
        folder.run(&["diff", "pets.yaml", "pets.yaml"]).code,
        Some(0)
    );
    // A property of a response that became required breaks servers and Rust, and no client.
    let run = folder.run(&["diff", "pets.yaml", "new.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(
        run.out
            .contains("D0509 type Pet, name: optional property became required"),
        "{}",
        run.out
    );
    for (fail_on, code) in [
        ("none", 0),
        ("wire-clients=breaking", 0),
        ("wire-servers=breaking", 1),
        ("wire-clients=breaking,rust-callers=attention", 1),
    ] {
        let run = folder.run(&["diff", "pets.yaml", "new.yaml", "--fail-on", fail_on]);
        assert_eq!(run.code, Some(code), "{fail_on}");
    }
    assert_eq!(folder.run(&["diff", "new.yaml", "pets.yaml"]).code, Some(1));
    for pair in [["pets.yaml", "broken.yaml"], ["broken.yaml", "pets.yaml"]] {
        let run = folder.run(&["diff", pair[0], pair[1]]);
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(run.err.contains("cannot be compared"), "{}", run.err);
        assert_eq!(run.out, "");
    }
}

#[test]
fn formats_are_well_formed() {
    let folder = Folder::new();
    folder.put("new.yaml", &grown());
    let formatted =
        |format: &str| folder.ok(&["diff", "pets.yaml", "new.yaml", "--format", format]);
    let json: serde_json::Value = serde_json::from_str(&formatted("json")).expect("JSON");
    assert_eq!(json["changes"][0]["codes"][0], "D0509");
    assert_eq!(json["changes"][0]["new"]["line"], 22);
    assert_eq!(json["version_bump"], "major");
    let sarif: serde_json::Value = serde_json::from_str(&formatted("sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "D0509");
    let github = formatted("github");
    assert!(
        github.starts_with("::warning file=new.yaml,line=22,col="),
        "{github}"
    );
    assert_eq!(github.lines().count(), 1, "{github}");
    let markdown = formatted("markdown");
    assert!(
        markdown.contains("## Breaking: 1\n\n- `D0509` type Pet, name: optional"),
        "{markdown}"
    );
}

#[test]
fn rules_are_explained() {
    let text = Folder::new().ok(&["explain", "d0509"]);
    assert!(
        text.starts_with("D0509: optional property became required\n"),
        "{text}"
    );
    assert!(
        text.contains("wire-servers: breaking. Existing servers may omit"),
        "{text}"
    );
}

#[test]
fn accepted_changes_stay_visible_and_expire() {
    let folder = Folder::new();
    folder.put("new.yaml", &grown());
    let args = [
        "diff",
        "pets.yaml",
        "new.yaml",
        "--details",
        "--fail-on",
        "wire-servers=breaking",
    ];
    let run = folder.run(&args);
    assert_eq!(run.code, Some(1));
    let line = run
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("fingerprint "));
    let fingerprint = line.expect("a fingerprint");
    folder.put(
        "bothends.toml",
        &format!("[accepted-changes]\n{fingerprint} = \"agreed\"\n"),
    );
    let run = folder.run(&args);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(run.out.contains("accepted: agreed"), "{}", run.out);
    let out = folder.ok(&["diff", "pets.yaml", "pets.yaml"]);
    assert!(
        out.contains(&format!(
            "accepted change {fingerprint} does not occur (agreed)"
        )),
        "{out}"
    );
}

/// A document of two files in a folder, so that the paths of git and of the document differ.
fn history() -> Folder {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    folder.put(
        "spec/api.yaml",
        &PETS.replace("#/components/schemas/Pet", "pet.yaml"),
    );
    folder.put(
        "spec/pet.yaml",
        "type: object\nrequired: [id]\nproperties:\n  id: { type: integer }\n",
    );
    commit(&folder, "Add the document");
    git(&folder, &["tag", "v1.9.0"]);
    folder.put("spec/pet.yaml", "type: object\nrequired: [id]\nproperties:\n  id: { type: integer }\n  name: { type: string }\n");
    commit(&folder, "Add names");
    git(&folder, &["tag", "v1.10.0"]);
    folder.put("README.md", "About.\n");
    commit(&folder, "Add a file beside the document");
    folder.put("spec/pet.yaml", "type: object\nrequired: [id]\nproperties:\n  id: { type: integer }\n  name: { type: string }\n  age: { type: integer }\n");
    folder
}

#[test]
fn revisions_of_git_are_compared() {
    let folder = history();
    let added = |out: &str| -> Vec<String> {
        let lines = out
            .lines()
            .filter(|line| line.contains("optional property added"));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let both = [
        "D0501 type spec_pet, age: optional property added (safe)",
        "D0501 type spec_pet, name: optional property added (safe)",
    ];
    let diff = |against: &[&str]| {
        folder.ok(&[
            &["diff", "spec/api.yaml", "--min-severity", "safe"],
            against,
        ]
        .concat())
    };
    let out = diff(&["--against", "v1.9.0"]);
    assert_eq!(added(&out), both, "{out}");
    let out = diff(&["--against", "HEAD"]);
    assert_eq!(added(&out), both[..1]);
    let out = diff(&["--against-release"]);
    assert_eq!(added(&out), both[..1]);
    for revision in ["missing", "--output=x", "HEAD:spec", ""] {
        let against = format!("--against={revision}");
        let run = folder.run(&["diff", "spec/api.yaml", &against]);
        assert_eq!(run.code, Some(2), "{revision}: {}", run.out);
        assert!(!folder.has("x"));
    }
}

#[test]
fn the_changelog_lists_commits_with_changes() {
    let folder = history();
    commit(&folder, "Add ages");
    let out = folder.ok(&["changelog", "spec/api.yaml", "--since", "v1.9.0"]);
    let heads: Vec<&str> = out.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(heads.len(), 2, "{out}");
    assert!(
        heads[0].starts_with("# v1.10.0 · ") && heads[0].ends_with(" · Add names"),
        "{out}"
    );
    assert!(heads[1].ends_with(" · Add ages"), "{out}");
    assert!(out.contains("age: optional property added"), "{out}");
}

#[test]
fn names_are_kept() {
    let folder = Folder::new();
    let old = PETS.replace("        name:", "        pet-name:");
    // The name of the new property has the better claim to the Rust name.
    let new = old.replace(
        "        pet-name:",
        "        pet_name: { type: string }\n        pet-name:",
    );
    folder.put("old.yaml", &old);
    folder.put("new.yaml", &new);
    folder.put(
        "bothends.toml",
        "# Settings.\n[names]\n\"Pet.id\" = \"number\"\n",
    );
    let out = folder.ok(&["diff", "old.yaml", "new.yaml", "--details"]);
    assert!(
        out.contains("D0702 type Pet, pet-name: field renamed in Rust"),
        "{out}"
    );
    assert!(
        out.contains("`[names]` \"Pet.pet-name\" = \"pet_name\" keeps the name"),
        "{out}"
    );
    folder.ok(&["diff", "old.yaml", "new.yaml", "--keep-names"]);
    let text = folder.read("bothends.toml");
    assert_eq!(
        text,
        "# Settings.\n[names]\n\"Pet.pet-name\" = \"pet_name\"\n\"Pet.id\" = \"number\"\n"
    );
    let out = folder.ok(&["diff", "old.yaml", "new.yaml", "--keep-names"]);
    assert!(!out.contains("D0702"), "{out}");
    assert_eq!(folder.read("bothends.toml"), text);
    // Without a configuration file, one is written.
    std::fs::remove_file(folder.path().join("bothends.toml")).expect("removed");
    folder.ok(&["diff", "old.yaml", "new.yaml", "--keep-names"]);
    assert_eq!(
        folder.read("bothends.toml"),
        "[names]\n\"Pet.pet-name\" = \"pet_name\"\n"
    );
}

/// Returns what `git diff` prints with the driver of the guide.
fn driven(folder: &Folder) -> String {
    let driver = format!(
        "diff.bothends.command={} diff --git-driver",
        env!("CARGO_BIN_EXE_bothends")
    );
    let output = Command::new("git")
        .args(["-c", &driver, "--no-pager", "diff", "HEAD"])
        .current_dir(folder.path())
        .output()
        .expect("git runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    format!("{}{error}", String::from_utf8_lossy(&output.stdout))
}

#[test]
fn git_calls_the_driver() {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    folder.put(".gitattributes", "*.yaml diff=bothends\n");
    commit(&folder, "first");
    folder.put("pets.yaml", &grown());
    let text = driven(&folder);
    assert!(text.starts_with("pets.yaml\n1 change; 0 reach"), "{text}");
    assert!(
        text.contains("D0509 type Pet, name: optional property"),
        "{text}"
    );
    // Documents that cannot be compared are reported, and git continues.
    folder.put("pets.yaml", &super::broken());
    folder.put("second.yaml", &grown());
    git(&folder, &["add", "second.yaml"]);
    let text = driven(&folder);
    assert!(text.contains("cannot be compared"), "{text}");
    assert!(text.contains("second.yaml: added"), "{text}");
}
