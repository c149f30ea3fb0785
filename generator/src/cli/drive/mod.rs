//! Programs that the command writes, compiles and runs: the tables by which requests are drawn and values are read are
//! compiled code.
//!
//! Everything is written below one folder, `target/bothends` or that of `--build-dir`: a crate for each document and
//! purpose, and `build`, the target folder that they share.

use std::fs::File;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use bothends::output::{self, Record};
use bothends::scaffold::{self, Dependency, Purpose, crate_name_of, path_between};
use bothends::{Builder, Config, Parts, Plan};

use super::args::{Build, MessageFormat};
use super::{plan, readable, report, settings};

/// The exit code of cargo if it cannot build a program. It is also that of a program that panics.
const NOT_BUILT: i32 = 101;

/// A program of a document, which is written.
#[derive(Debug)]
pub(super) struct Driver {
    /// The folder of its crate.
    folder: PathBuf,
    /// The target folder.
    target: PathBuf,
    has_runtime_path: bool,
    format: MessageFormat,
    /// Keeps other runs for the document, maybe with other settings, away until this one has ended.
    _lock: File,
}

/// Returns the configuration by which the module of a driver is generated: the types are those of the document, without
/// what needs other code of the user.
pub(super) fn configured(config: Config) -> Config {
    Config {
        spec: config.spec,
        overlays: config.overlays,
        include: config.include,
        exclude: config.exclude,
        names: config.names,
        allow: config.allow,
        allow_outside: config.allow_outside,
        allow_remote: config.allow_remote,
        unknown_values: config.unknown_values,
        runtime_path: config.runtime_path,
        response_rules: Some(true),
        module: Some(true),
        unimplemented_handlers: Some(true),
        parts: Some(Parts {
            client: true,
            server: true,
            webhooks: false,
        }),
        ..Config::default()
    }
}

/// Plans the module of a driver, and reports the diagnostics of the document. Returns `None` if it has errors.
pub(super) fn plan(
    config: &Config,
    format: MessageFormat,
) -> Result<Option<(PathBuf, Plan)>, String> {
    let spec = settings::spec(config)?;
    readable(&spec)?;
    let builder = Builder::new(&spec).config(config.clone());
    let plan = plan::make(&builder, format)?;
    if let Some(plan) = &plan {
        report::kept(plan.kept.as_ref(), format);
    }
    Ok(plan.map(|plan| (spec, plan)))
}

impl Driver {
    /// Writes the program of a document.
    pub(super) fn write(
        spec: &Path,
        plan: &Plan,
        purpose: Purpose,
        (build, config): (&Build, &Config),
        format: MessageFormat,
    ) -> Result<Self, String> {
        let root = build.build_dir.clone().unwrap_or_else(default_folder);
        let name = name_of(spec, purpose)?;
        let folder = root.join(&name);
        let lock = locked(&root, &name)?;
        let runtime = match &config.runtime_path {
            None => Dependency::Registry,
            Some(path) => Dependency::Path(
                path_between(&folder, path)
                    .map_err(|error| format!("cannot determine the current folder: {error}"))?,
            ),
        };
        let has_runtime_path = runtime != Dependency::Registry;
        let file_name = spec.file_name().unwrap_or_default().to_string_lossy();
        let files = scaffold::driver(scaffold::Driver {
            purpose,
            name: &name,
            spec: &file_name,
            api: &plan.api,
            features: plan.needs.features(),
            runtime,
            module: plan.files.clone(),
        });
        output::write(&folder, &files, Record::Kept).map_err(|error| error.to_string())?;
        Ok(Self {
            folder,
            target: root.join("build"),
            has_runtime_path,
            format,
            _lock: lock,
        })
    }

    /// Compiles and runs the program with arguments and further variables of the environment, and inherits its output.
    pub(super) fn run(
        &self,
        arguments: &[String],
        variables: &[(String, String)],
    ) -> Result<ExitStatus, String> {
        let mut command = self.command(arguments, variables);
        let status = command.status().map_err(|error| missing(&error))?;
        self.built(status).map(|()| status)
    }

    /// Compiles and runs the program, and returns what it prints on standard output.
    pub(super) fn output(&self) -> Result<String, String> {
        let mut command = self.command(&[], &[]);
        command.stderr(Stdio::inherit());
        let output = command.output().map_err(|error| missing(&error))?;
        self.built(output.status)?;
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }

    /// Returns the command of cargo, and reports it. Variables of the environment may be secrets, and are not reported.
    fn command(&self, arguments: &[String], variables: &[(String, String)]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["run", "--quiet", "--manifest-path"])
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&self.target);
        if !arguments.is_empty() {
            command.arg("--").args(arguments);
        }
        let words = command.get_args().map(|word| word.to_string_lossy());
        let words = words.collect::<Vec<_>>().join(" ");
        report::progress(&format!("running `cargo {words}`"), self.format);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Returns an error if the program was not built, or has panicked.
    fn built(&self, status: ExitStatus) -> Result<(), String> {
        let folder = self.folder.display();
        match status.code() {
            Some(NOT_BUILT) if self.has_runtime_path => Err(format!(
                "cargo could not build or run `{folder}`; its messages are above"
            )),
            Some(NOT_BUILT) => Err(format!(
                "cargo could not build or run `{folder}`; its messages are above. If it lacks \
                 `bothends-runtime`: {}",
                super::new::unpublished("give `--runtime-path DIR`")
            )),
            Some(_) => Ok(()),
            None => Err(format!("the program of `{folder}` was ended by a signal")),
        }
    }
}

/// Returns the lock file of a program, once no other run has it.
fn locked(root: &Path, name: &str) -> Result<File, String> {
    let path = root.join(format!("{name}.lock"));
    let file = std::fs::create_dir_all(root).and_then(|()| File::create(&path));
    let locked = file.and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| format!("cannot lock `{}`: {error}", path.display()))
}

fn missing(error: &std::io::Error) -> String {
    format!("cannot run cargo, which compiles the tables of the document: {error}")
}

/// Returns the folder of drivers: below the target folder of cargo, or of the current folder.
fn default_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
    target
        .map_or_else(|| PathBuf::from("target"), PathBuf::from)
        .join("bothends")
}

/// Returns the name of the crate of a document: it is the same in each run, and no other document has it.
fn name_of(spec: &Path, purpose: Purpose) -> Result<String, String> {
    let path = spec.canonicalize();
    let path = path.map_err(|error| format!("cannot read `{}`: {error}", spec.display()))?;
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&path);
    let mut stem = crate_name_of(&spec.file_stem().unwrap_or_default().to_string_lossy());
    stem.truncate(30);
    let what = match purpose {
        Purpose::Contract { .. } => "contract",
        Purpose::Examples => "examples",
    };
    Ok(format!(
        "{}-{what}-{:08x}",
        stem.trim_end_matches('-'),
        hash as u32
    ))
}
