//! Generates modules for the specs that tests drive in process; each is included by its test.

use std::path::{Path, PathBuf};

/// The specs, by their files under `spec/`.
const DRIVEN: &[&str] = &[
    "features/callbacks.yaml",
    "features/webhook-types.yaml",
    "features/webhooks.yaml",
    "features/constraints.yaml",
    "features/error-shape.yaml",
    "features/growth.yaml",
    "features/bodies.yaml",
    "features/parameters.yaml",
    "features/rejections.yaml",
    "features/polymorphism.yaml",
    "features/response-headers.yaml",
    "features/security.yaml",
    "features/servers.yaml",
    "features/task-links.yaml",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    for spec in DRIVEN {
        let path = specs.join(spec);
        println!("cargo::rerun-if-changed={}", path.display());
        let plan = bothends::Builder::new(&path).module(true).plan()?;
        if plan.has_errors() {
            return Err(plan.report().into());
        }
        let stem = path.file_stem().ok_or("no name")?.to_string_lossy();
        let text = &plan.files.first().ok_or("no file")?.text;
        std::fs::write(out.join(format!("{stem}.rs")), text)?;
    }
    Ok(())
}
