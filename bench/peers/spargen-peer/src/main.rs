//! `spargen-peer SPEC OUT`: what a build script does with spargen, outside of a build: writes the
//! generated module, and beside it the dependencies that the module needs.

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use spargen::{CargoIntegration, Spec, generate, requirements};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(spec), Some(out)) = (args.next(), args.next()) else {
        return Err("usage: spargen-peer SPEC OUT".into());
    };
    let spec = Spec::new(spec);
    fs::create_dir_all(format!("{out}/src"))?;
    let build = spec.clone().build(format!("{out}/src/api.rs"));
    let report = generate(&build.cargo(CargoIntegration::Off));
    for diagnostic in report.diagnostics() {
        eprintln!("{diagnostic}");
    }
    let Ok(required) = requirements(&spec) else {
        return Ok(ExitCode::FAILURE);
    };
    fs::write(
        format!("{out}/dependencies.toml"),
        required.manifest_block(),
    )?;
    Ok(ExitCode::from(u8::from(!report.succeeded())))
}
