//! Generates both ends of every spec that the tests drive, and a driver for each operation.

mod driver;
mod specs;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use specs::Spec;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    println!("cargo::rerun-if-env-changed=BOTHENDS_CORPUS");
    println!("cargo::rustc-check-cfg=cfg(corpus)");
    let (specs, corpus) = specs::all()?;
    if corpus {
        println!("cargo::rustc-cfg=corpus");
    }
    let mut modules = String::new();
    let mut list = String::from(
        "/// Every spec that is driven.\npub fn specs() -> Vec<crate::Spec> {\n    vec![\n",
    );
    for spec in &specs {
        if let Some(entry) = generate(&out, spec, &mut modules)? {
            list.push_str(&entry);
        }
    }
    list.push_str("    ]\n}\n");
    fs::write(out.join("all.rs"), modules + &list)?;
    Ok(())
}

/// Writes the code of one spec; the line for the list, where it has operations.
fn generate(
    out: &Path,
    spec: &Spec,
    modules: &mut String,
) -> Result<Option<String>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", spec.path.display());
    let plan = spec.builder().plan()?;
    if plan.has_errors() {
        return Err(plan.report().into());
    }
    let Some(file) = plan.files.first() else {
        return Err(format!("{} gave no code", spec.path.display()).into());
    };
    let name = &spec.module;
    fs::write(out.join(format!("{name}.rs")), &file.text)?;
    let drivers = driver::text(&plan.api);
    fs::write(out.join(format!("{name}_driver.rs")), &drivers.text)?;
    writeln!(
        modules,
        "#[allow(warnings, clippy::all)]\npub mod {name} {{\n    \
         include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\"));\n    \
         pub mod driver {{\n        \
         include!(concat!(env!(\"OUT_DIR\"), \"/{name}_driver.rs\"));\n    }}\n}}\n"
    )?;
    Ok(drivers.operations.then(|| {
        format!(
            "        crate::Spec {{ module: {name:?}, path: {:?}, allow: &{:?}, operations: {name}::driver::operations, server: {name}::driver::server }},\n",
            spec.path.display().to_string(),
            spec.allow,
        )
    }))
}
