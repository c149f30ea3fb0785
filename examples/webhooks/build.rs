//! Generates the types and the webhooks of the bookshop.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parts = bothends::Parts {
        client: false,
        server: false,
        webhooks: true,
    };
    bothends::Builder::new("../bookshop.yaml")
        .parts(parts)
        .build()?;
    Ok(())
}
