//! Little crates of other people: a build script, and what `bothends new` starts.

use std::fs;
use std::path::Path;

use bothends_tests::root;
use bothends_tests::scratch::{check, new_project, run};

const BUILD_RS: &str = r#"
fn main() -> Result<(), Box<dyn std::error::Error>> {
    bothends::Builder::new("api.yaml").build()?;
    Ok(())
}
"#;

const MAIN_RS: &str = r#"
mod api {
    bothends_runtime::include_api!();
}

fn main() {
    let node: Vec<api::types::Tree> = Vec::new();
    println!("{}", node.len());
}
"#;

fn cargo_toml() -> String {
    let path = |crate_: &str| root().join(crate_).display().to_string();
    format!(
        "[package]\nname = \"downstream\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nbothends-runtime = {{ path = {:?}, features = [\"client\", \"server\"] }}\n\n\
         [build-dependencies]\nbothends = {{ path = {:?}, default-features = false }}\n\n[workspace]\n",
        path("runtime"),
        path("generator"),
    )
}

fn downstream(dir: &Path) {
    fs::create_dir_all(dir.join("src")).expect("a folder");
    fs::write(dir.join("Cargo.toml"), cargo_toml()).expect("written");
    fs::write(dir.join("build.rs"), BUILD_RS).expect("written");
    fs::write(dir.join("src/main.rs"), MAIN_RS).expect("written");
    let spec = root().join("spec/features/recursive.yaml");
    fs::copy(spec, dir.join("api.yaml")).expect("copied");
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_build_script_generates_and_follows_its_document() {
    let dir = tempfile::tempdir().expect("a folder");
    downstream(dir.path());
    let first = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(first.clean, "{}", first.output);

    // A document with an error stops the build and says where.
    fs::write(
        dir.path().join("api.yaml"),
        "openapi: 3.1.0\ninfo: {title: a\n",
    )
    .expect("written");
    let broken = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(!broken.clean);
    assert!(broken.output.contains("api.yaml"), "{}", broken.output);
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn new_projects_compile() {
    for template in ["client", "server", "build-rs"] {
        let dir = tempfile::tempdir().expect("a folder");
        let project = dir.path().join("shop");
        let spec = root().join("spec/financial-data.yaml");
        new_project(&project, template, &spec).expect("a project");
        let command = if template == "server" {
            "test"
        } else {
            "check"
        };
        let checked = run(&project, &[command]).expect("cargo runs");
        assert!(checked.clean, "{template}:\n{}", checked.output);
    }
}
