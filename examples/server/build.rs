//! Generates the types and the server of the bookshop.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parts = bothends::Parts {
        client: false,
        server: true,
        webhooks: false,
    };
    bothends::Builder::new("../bookshop.yaml")
        .parts(parts)
        .build()?;
    Ok(())
}
