//! Generates modules for the specs that tests drive in process; each is included by its test.

use std::path::{Path, PathBuf};

/// The specs, by their files under `spec/`.
const DRIVEN: &[&str] = &[
    "features/accept.yaml",
    "features/any-of.yaml",
    "features/callbacks.yaml",
    "features/default-alone.yaml",
    "features/webhook-types.yaml",
    "features/webhooks.yaml",
    "features/constraints.yaml",
    "features/constants.yaml",
    "features/error-shape.yaml",
    "features/growth.yaml",
    "features/links.yaml",
    "features/bodies.yaml",
    "features/long-running.yaml",
    "features/pages.yaml",
    "features/parameters.yaml",
    "features/prefix-items.yaml",
    "features/rejections.yaml",
    "features/requested-enum.yaml",
    "features/required-names.yaml",
    "features/polymorphism.yaml",
    "features/response-headers.yaml",
    "features/resumed-streams.yaml",
    "features/retries.yaml",
    "features/security.yaml",
    "features/servers.yaml",
    "features/task-calls.yaml",
    "features/task-links.yaml",
    "features/validation-shapes.yaml",
    "features/written-values.yaml",
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
    checked(&specs, &out)?;
    many(&out)?;
    one_success(&specs, &out)
}

/// `response-headers.yaml` with one success: what is required of its headers then is.
fn one_success(specs: &Path, out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(specs.join("features/response-headers.yaml"))?;
    let (head, rest) = text.split_once("        '204':\n").ok_or("no 204")?;
    let (_, components) = rest.split_once("components:\n").ok_or("no components")?;
    let path = out.join("required-headers.yaml");
    std::fs::write(&path, format!("{head}components:\n{components}"))?;
    let plan = bothends::Builder::new(&path).module(true).plan()?;
    let text = &plan.files.first().ok_or_else(|| plan.report())?.text;
    std::fs::write(out.join("required-headers.rs"), text)?;
    Ok(())
}

/// The documents of contract tests, with the rules of responses.
fn checked(specs: &Path, out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    for stem in ["checked-responses", "followed-links"] {
        let path = specs.join(format!("features/{stem}.yaml"));
        println!("cargo::rerun-if-changed={}", path.display());
        let builder = bothends::Builder::new(&path).module(true);
        let plan = builder.response_rules(true).plan()?;
        let text = &plan.files.first().ok_or_else(|| plan.report())?.text;
        std::fs::write(out.join(format!("{stem}.rs")), text)?;
    }
    Ok(())
}

/// A document of 300 operations, most of which nobody implements.
fn many(out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let path = out.join("many.yaml");
    let mut text = String::from(
        "openapi: 3.1.0\ninfo: {title: Many, version: '1'}\nsecurity: [{key: []}]\n\
         components:\n  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}\n\
         \x20 responses:\n    Failed: {description: d, content: {application/json: {schema: \
         {type: object, required: [message], properties: {message: {type: string}}}}}}\npaths:\n",
    );
    for n in 0..300 {
        text.push_str(&format!(
            "  /things{n}/{{id}}:\n    get:\n      operationId: getThing{n}\n      tags: [things]\n\
             \x20     parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]\n\
             \x20     responses: {{'204': {{description: d}}, default: {{$ref: '#/components/responses/Failed'}}}}\n",
        ));
    }
    std::fs::write(&path, text)?;
    let builder = bothends::Builder::new(&path).module(true);
    let plan = builder.unimplemented_handlers(true).plan()?;
    let text = &plan.files.first().ok_or_else(|| plan.report())?.text;
    std::fs::write(out.join("many.rs"), text)?;
    Ok(())
}
