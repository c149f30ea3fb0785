//! Generates the types and the client of the bookshop.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parts = bothends::Parts {
        client: true,
        server: false,
        webhooks: false,
    };
    bothends::Builder::new("../bookshop.yaml")
        .parts(parts)
        .build()?;
    Ok(())
}
