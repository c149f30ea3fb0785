//! Writes the document and the handlers of the 500 paths, and generates the server.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let document = out.join("paths.json");
    std::fs::write(&document, bench_paths::document())?;
    std::fs::write(out.join("handlers.rs"), bench_paths::handlers())?;
    let parts = bothends::Parts {
        client: false,
        server: true,
        webhooks: false,
    };
    bothends::Builder::new(document).parts(parts).build()?;
    Ok(())
}
