//! Generates a module for each document of `documents/`; each is included by its test.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/hostile_names.rs"]
mod hostile_names;

fn main() -> Result<(), Box<dyn Error>> {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("documents");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", documents.display());
    let hostile = out.join("hostile-names.json");
    fs::write(&hostile, hostile_names::document().to_string())?;
    let mut paths = vec![hostile];
    for entry in documents.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            paths.extend(["api.yaml", "root.yaml"].map(|root| path.join(root)));
        } else {
            paths.push(path);
        }
    }
    for path in paths {
        if path.is_file() {
            fs::write(out.join(module(&path)?), code(&path)?)?;
        }
    }
    Ok(())
}

/// The file of a document's code: `06-mapped-many.rs`; that of a folder has the folder's name.
fn module(path: &Path) -> Result<String, Box<dyn Error>> {
    let folder = path.parent().and_then(Path::file_name);
    let name = match folder {
        Some(folder) if folder != "documents" && folder != "out" => folder,
        _ => path.file_stem().ok_or("no name")?,
    };
    Ok(format!("{}.rs", name.to_string_lossy()))
}

/// The generated code. A document with an error gives code that does not compile, so that only its own test fails.
fn code(path: &Path) -> Result<String, Box<dyn Error>> {
    let plan = bothends::Builder::new(path).module(true).plan()?;
    if plan.has_errors() {
        return Ok(format!("compile_error!({:?});", plan.report()));
    }
    let file = plan.files.first().ok_or("no file")?;
    Ok(file.text.clone())
}
