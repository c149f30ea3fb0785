//! Generates the types, the client, the server and the webhooks of the benchmark's document.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The union without a tag has overlapping alternatives, as its peer has.
    bothends::Builder::new("../spec/bench.yaml")
        .allow("W0351")
        .build()?;
    Ok(())
}
