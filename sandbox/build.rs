//! Generates the server and the client of the console API from `spec/console.yaml`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parts = bothends::Parts {
        client: true,
        server: true,
        webhooks: false,
    };
    bothends::Builder::new("../spec/console.yaml")
        .parts(parts)
        .build()?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
