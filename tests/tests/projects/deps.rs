//! What a crate with generated code has in its Cargo.toml: what `bothends deps` prints is enough, and a
//! build script says what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use bothends::manifest::RUNTIME_FEATURES;
use bothends::scaffold::Dependency;
use bothends::{Builder, Parts};
use bothends_tests::root;
use bothends_tests::scratch::{Checked, run};

/// A document whose types need a feature of the runtime.
const DOCUMENT: &str = "
openapi: 3.1.0
info: { title: Keys, version: 1.0.0 }
paths: {}
components:
  schemas:
    Key:
      type: object
      required: [id]
      properties:
        id: { type: string, format: uuid }
";

const BUILD_RS: &str = "fn main() -> Result<(), Box<dyn std::error::Error>> {\n    \
    let parts = bothends::Parts { client: false, server: false, webhooks: false };\n    \
    bothends::Builder::new(\"api.yaml\").parts(parts).build()?;\n    Ok(())\n}\n";

const LIB_RS: &str = "pub mod api {\n    bothends_runtime::include_api!();\n}\n";

fn path(crate_: &str) -> String {
    format!("path = {:?}", root().join(crate_).display().to_string())
}

/// A crate whose build script generates from the document; its manifest has these lines.
fn downstream(dir: &Path, name: &str, lines: &str) {
    fs::create_dir_all(dir.join("src")).expect("a folder");
    fs::write(dir.join("api.yaml"), DOCUMENT).expect("written");
    fs::write(dir.join("build.rs"), BUILD_RS).expect("written");
    fs::write(dir.join("src/lib.rs"), LIB_RS).expect("written");
    manifest(dir, name, lines);
}

fn manifest(dir: &Path, name: &str, lines: &str) {
    let text = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [build-dependencies]\nbothends = {{ {}, default-features = false }}\n\n{lines}\n",
        path("generator")
    );
    fs::write(dir.join("Cargo.toml"), text).expect("written");
}

fn check(dir: &Path) -> Checked {
    run(dir, &["check"]).expect("cargo runs")
}

/// The line that a failed build suggests.
fn suggested(checked: &Checked) -> String {
    let mut lines = checked.output.lines().map(str::trim);
    let help = lines.any(|line| line.ends_with("help: write under `[dependencies]`:"));
    assert!(!checked.clean && help, "{}", checked.output);
    let line = lines.find(|line| !line.is_empty());
    line.expect("a line").to_owned()
}

#[test]
fn a_missing_crate_is_named_and_the_suggested_line_is_enough() {
    let dir = tempfile::tempdir().expect("a folder");
    downstream(dir.path(), "keys-alone", "[workspace]");
    let checked = check(dir.path());
    let needs = "error: the generated code needs the crate `bothends-runtime`";
    assert!(checked.output.contains(needs), "{}", checked.output);
    let line = suggested(&checked);
    let expected = format!(
        "bothends-runtime = {{ {}, features = [\"uuid\"] }}",
        path("runtime")
    );
    assert_eq!(line, expected);
    manifest(
        dir.path(),
        "keys-alone",
        &format!("[dependencies]\n{line}\n[workspace]"),
    );
    let checked = check(dir.path());
    assert!(checked.clean, "{}", checked.output);
}

#[test]
fn a_missing_feature_is_named_with_its_place() {
    let dir = tempfile::tempdir().expect("a folder");
    let with = |entry: &str| {
        let lines = format!("[dependencies]\n{entry}\n[workspace]");
        downstream(dir.path(), "keys-bare", &lines);
        check(dir.path())
    };
    let checked = with(&format!("bothends-runtime = {{ {} }}", path("runtime")));
    for message in [
        "error: the generated code needs the feature `uuid` of `bothends-runtime`",
        "= note: `uuid`: `format: uuid`, first at api.yaml:11",
    ] {
        assert!(checked.output.contains(message), "{}", checked.output);
    }
    // Cargo shows what the script says, and nothing of it is compiled.
    assert!(!checked.output.contains("\\n"), "{}", checked.output);
    assert!(
        !checked.output.contains("could not compile"),
        "{}",
        checked.output
    );
    let checked = with(&suggested(&checked));
    assert!(checked.clean, "{}", checked.output);

    // Under another name, the line keeps the name.
    let renamed = "bothends_runtime = { package = \"bothends-runtime\"";
    let line = suggested(&with(&format!("{renamed}, {} }}", path("runtime"))));
    assert!(line.starts_with("bothends_runtime = { "), "{line}");
    let checked = with(&line);
    assert!(checked.clean, "{}", checked.output);
}

#[test]
fn a_workspace_shares_the_dependency() {
    let dir = tempfile::tempdir().expect("a folder");
    let member = dir.path().join("crates/keys");
    let inherits = "[dependencies]\nbothends-runtime = { workspace = true }";
    downstream(&member, "keys-member", inherits);
    let workspace = |features: &[&str]| {
        let text = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n\n[workspace.dependencies]\n\
             bothends-runtime = {{ {}, features = {features:?} }}\n",
            path("runtime")
        );
        fs::write(dir.path().join("Cargo.toml"), text).expect("written");
        check(dir.path())
    };
    let line = suggested(&workspace(&[]));
    assert_eq!(
        line,
        "bothends-runtime = { workspace = true, features = [\"uuid\"] }"
    );
    let checked = workspace(&["uuid"]);
    assert!(checked.clean, "{}", checked.output);

    // What another member enables is enabled for all that are built together.
    let other = dir.path().join("crates/other");
    fs::create_dir_all(other.join("src")).expect("a folder");
    fs::write(other.join("src/lib.rs"), "").expect("written");
    let enables = "[dependencies]\nbothends-runtime = { workspace = true, features = [\"uuid\"] }";
    manifest(&other, "keys-other", enables);
    let checked = workspace(&[]);
    assert!(checked.clean, "{}", checked.output);
}

#[test]
fn a_feature_of_the_crate_may_enable_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let lines = format!(
        "[dependencies]\nbothends-runtime = {{ {} }}\n\n[features]\ndefault = [\"ids\"]\n\
         ids = [\"bothends-runtime/uuid\"]\n\n[workspace]",
        path("runtime")
    );
    downstream(dir.path(), "keys-gated", &lines);
    let checked = check(dir.path());
    assert!(checked.clean, "{}", checked.output);
    // Without the feature, the compiler says what is missing: the script cannot know.
    let bare = run(dir.path(), &["check", "--no-default-features"]).expect("cargo runs");
    let message = "the generated code needs the feature `uuid` of `bothends-runtime`: enable it";
    assert!(
        !bare.clean && bare.output.contains(message),
        "{}",
        bare.output
    );
    assert!(
        !bare.output.contains("help: write under"),
        "{}",
        bare.output
    );
}

#[test]
fn what_deps_prints_is_enough() {
    let dir = tempfile::tempdir().expect("a folder");
    downstream(dir.path(), "keys-printed", "");
    let none = Parts {
        client: false,
        server: false,
        webhooks: false,
    };
    let builder = Builder::new(dir.path().join("api.yaml"));
    let builder = builder.parts(none).runtime_path(root().join("runtime"));
    let plan = builder.plan().expect("a plan");
    let generator = Dependency::Path(root().join("generator").display().to_string());
    let lines = builder.dependencies(&plan, Some(generator)).expect("lines");
    assert!(lines.contains("[build-dependencies]"), "{lines}");
    let text = format!(
        "[package]\nname = \"keys-printed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{lines}\n[workspace]\n"
    );
    fs::write(dir.path().join("Cargo.toml"), text).expect("written");
    let checked = check(dir.path());
    assert!(checked.clean, "{}", checked.output);
}

/// The generator knows what each feature of the runtime enables.
#[test]
fn the_features_of_the_runtime_are_known() {
    let text = fs::read_to_string(root().join("runtime/Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    let features = manifest["features"].as_table().expect("a table");
    let own = |list: &toml::Value| -> BTreeSet<String> {
        let words = list.as_array().expect("a list").iter();
        let words = words.filter_map(toml::Value::as_str);
        let own = words.filter(|word| !word.contains([':', '/']));
        own.map(str::to_owned).collect()
    };
    let stated: BTreeMap<String, BTreeSet<String>> = features
        .iter()
        .map(|(name, list)| (name.clone(), own(list)))
        .collect();
    let known: BTreeMap<String, BTreeSet<String>> = RUNTIME_FEATURES
        .iter()
        .map(|(name, list)| {
            let list = list.iter().map(|name| (*name).to_owned()).collect();
            ((*name).to_owned(), list)
        })
        .collect();
    assert_eq!(stated, known);
}

/// The crates that a build of the runtime with these features consists of, without those of tests.
fn crates_with(features: &str) -> BTreeSet<String> {
    let mut tree = std::process::Command::new(env!("CARGO"));
    tree.args([
        "tree",
        "--offline",
        "--locked",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    tree.args(["--edges", "normal,build", "--package", "bothends-runtime"]);
    tree.args(["--features", features]);
    let output = tree.current_dir(root()).output().expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn a_receiver_of_webhooks_needs_no_c_compiler() {
    // What compiles C, and what contains it.
    let needs_c = |crates: &BTreeSet<String>| {
        let known = ["cc", "cmake", "aws-lc-sys", "ring", "openssl-sys"];
        known.into_iter().find(|name| crates.contains(*name))
    };
    for features in [
        "signature",
        "receiver",
        "receiver,serve",
        "server,serve,gzip,tracing,validate",
    ] {
        let crates = crates_with(features);
        assert!(crates.contains("bothends-runtime"), "{crates:?}");
        assert_eq!(needs_c(&crates), None, "{features}");
    }
    // The names are those of crates that are there.
    for features in ["jwks", "rustls"] {
        let crates = crates_with(features);
        assert!(
            crates.contains("aws-lc-sys") && crates.contains("cc"),
            "{crates:?}"
        );
    }
}

#[test]
fn the_provider_of_rustls_is_the_one_of_the_feature() {
    for (features, aws, ring) in [
        ("rustls", true, false),
        ("rustls-ring", false, true),
        ("rustls-no-provider", false, false),
        ("rustls-no-provider,reqwest", false, false),
        ("rustls-ring,reqwest,receiver,serve", false, true),
    ] {
        let crates = crates_with(features);
        assert!(crates.contains("rustls"), "{features}");
        assert_eq!(crates.contains("aws-lc-rs"), aws, "{features}");
        assert_eq!(crates.contains("ring"), ring, "{features}");
    }
}
