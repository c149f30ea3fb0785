//! `bothends new DIR --spec SPEC --template client|server|build-rs`

use std::path::{Path, PathBuf};

use bothends::output::{self, Record};
use bothends::scaffold::{
    Dependency, Kind, Starter, check_crate_name, document, path_between, starter,
};
use bothends::{Builder, Config, OutputFile, Parts};

use super::args::{MessageFormat, New, TemplateWord};
use super::{End, plan, readable, report};

/// The folder of the generated crate in a new project.
const API: &str = "api";

pub(super) fn run(args: &New) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, MessageFormat::Human);
        End::Failed
    })
}

fn try_run(args: &New) -> Result<End, String> {
    refuse_used(&args.dir)?;
    refuse_url(&args.spec)?;
    readable(&args.spec)?;
    let name = project_name(args)?;
    let mut kind = match args.template {
        TemplateWord::Client => Kind::Client,
        TemplateWord::Server => Kind::Server,
        TemplateWord::BuildRs => Kind::BuildRs,
    };
    let api_name = format!("{name}-{API}");
    let mut config = Config {
        name: Some(api_name.clone()),
        parts: Some(parts(kind)),
        runtime_path: args.runtime_path.clone(),
        workspace_member: Some(true),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    // A build script generates by itself; the plan then only shows whether the document has errors.
    let builder = |config: &Config| {
        let builder = Builder::new(&args.spec).out_dir(args.dir.join(API));
        builder.config(config.clone())
    };
    let Some(mut plan) = plan::make(&builder(&config), MessageFormat::Human)? else {
        return Ok(End::Found);
    };
    if plan.api.operations.is_empty() {
        without_operations(args, kind, plan.api.webhooks.is_empty())?;
        kind = Kind::Receiver;
        config.parts = Some(parts(kind));
        plan = builder(&config).plan().map_err(|error| error.to_string())?;
    }
    let document = document(&plan.sources)
        .map_err(|error| format!("cannot determine the current folder: {error}"))?;
    let from_project = |path: &Path| {
        path_between(&args.dir, path)
            .map_err(|error| format!("cannot determine the current folder: {error}"))
    };
    let runtime = args.runtime_path.as_deref().map(from_project).transpose()?;
    let generator = args.runtime_path.as_deref().and_then(generator_beside);
    let generator = generator.as_deref().map(from_project).transpose()?;
    let mut files = starter(&Starter {
        kind,
        name: &name,
        api_name: &api_name,
        api: &plan.api,
        document: &document,
        runtime: runtime.map_or(Dependency::Registry, Dependency::Path),
        generator: generator.map_or(Dependency::Registry, Dependency::Path),
    });
    if kind != Kind::BuildRs {
        let api = output::with_manifest(plan.files);
        let inside = |file: OutputFile| OutputFile {
            path: format!("{API}/{}", file.path),
            ..file
        };
        files.extend(api.into_iter().map(inside));
    }
    let summary =
        output::write(&args.dir, &files, Record::None).map_err(|error| error.to_string())?;
    let dir = args.dir.display();
    let next = next(args);
    report::print(&format!("{dir}: {summary}\n\nNext: {next}\n"));
    Ok(End::Done)
}

/// Returns what to do next. Without the path of a runtime, cargo looks for it on crates.io, where it is not yet.
fn next(args: &New) -> String {
    let dir = args.dir.display();
    if args.runtime_path.is_some() {
        return format!("cd {dir} && cargo run");
    }
    unpublished(&format!(
        "remove {dir}, and create the project again with `--runtime-path DIR`"
    ))
}

/// Returns what to do without the path of a runtime.
pub(super) fn unpublished(what: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "bothends-runtime {version} is not on crates.io yet, and cargo does not find it elsewhere: {what}, where DIR is \
         the folder `runtime` of a checkout of bothends"
    )
}

/// Returns an error for a document without operations, unless the document has webhooks and the
/// template is a server, which then receives the webhooks.
fn without_operations(args: &New, kind: Kind, nothing: bool) -> Result<(), String> {
    let spec = args.spec.display();
    if nothing {
        Err(format!(
            "`{spec}` has neither operations nor webhooks: there is nothing to call or to serve"
        ))
    } else if kind != Kind::Server {
        Err(format!(
            "`{spec}` has webhooks only: `--template server` makes a receiver for them"
        ))
    } else {
        Ok(())
    }
}

const fn parts(kind: Kind) -> Parts {
    Parts {
        client: matches!(kind, Kind::Client | Kind::BuildRs),
        server: matches!(kind, Kind::Server),
        webhooks: matches!(kind, Kind::Receiver),
    }
}

/// Returns an error if the document is given by a URL, because the document is copied from a file.
fn refuse_url(spec: &Path) -> Result<(), String> {
    match spec.to_str() {
        Some(url) if url.starts_with("https://") || url.starts_with("http://") => Err(format!(
            "`{url}` is a URL: download the document, and pass the path of the file"
        )),
        _ => Ok(()),
    }
}

/// Returns an error if the folder of a new project is in use.
fn refuse_used(dir: &Path) -> Result<(), String> {
    match std::fs::read_dir(dir).map(Iterator::count) {
        Ok(0) => Ok(()),
        Ok(_) => Err(format!("`{}` is not empty", dir.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("cannot use `{}`: {error}", dir.display())),
    }
}

/// Returns the given name, or the name of the folder.
fn project_name(args: &New) -> Result<String, String> {
    if let Some(name) = &args.name {
        check_crate_name(name).map_err(|error| error.to_string())?;
        return Ok(name.clone());
    }
    let folder = std::path::absolute(&args.dir)
        .ok()
        .and_then(|dir| Some(dir.file_name()?.to_str()?.to_owned()))
        .unwrap_or_default();
    check_crate_name(&folder).map_err(|error| format!("{error}; choose one with `--name`"))?;
    Ok(folder)
}

/// Returns the folder of the generator. In a checkout of bothends, that is next to the runtime.
pub(super) fn generator_beside(runtime: &Path) -> Option<PathBuf> {
    let generator = match runtime.file_name() {
        Some(_) => runtime.with_file_name("generator"),
        None => runtime.join("../generator"),
    };
    generator.join("Cargo.toml").is_file().then_some(generator)
}
