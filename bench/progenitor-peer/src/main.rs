//! `progenitor-peer SPEC OUT`: does the same as `cargo progenitor` without its command line. Writes
//! a crate with the generated client and its dependencies.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

const MANIFEST: &str = r#"[package]
name = "peer"
version = "0.0.0"
edition = "2021"

[dependencies]
base64 = "0.22"
bytes = "1"
chrono = { version = "0.4", default-features = false, features = ["serde"] }
futures = "0.3"
percent-encoding = "2.3"
progenitor-client = "=0.15.1"
rand = "0.9"
regress = "0.10"
reqwest = { version = "0.13", default-features = false, features = ["json", "stream"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
serde_urlencoded = "0.7"
uuid = { version = "1", features = ["serde"] }

[workspace]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(spec), Some(out)) = (args.next(), args.next()) else {
        return Err("usage: progenitor-peer SPEC OUT".into());
    };
    let document: openapiv3::OpenAPI = serde_json::from_reader(fs::File::open(spec)?)?;
    let tokens = progenitor_impl::Generator::default().generate_tokens(&document)?;
    let text = prettyplease::unparse(&syn::parse2(tokens)?);
    let out = PathBuf::from(out);
    fs::create_dir_all(out.join("src"))?;
    fs::write(out.join("Cargo.toml"), MANIFEST)?;
    fs::write(out.join("src/lib.rs"), text)?;
    Ok(())
}
