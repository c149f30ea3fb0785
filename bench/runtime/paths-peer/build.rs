//! Writes the handlers of the 500 paths.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("handlers.rs"), bench_paths::axum())?;
    Ok(())
}
