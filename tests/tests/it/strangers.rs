//! schemathesis, which knows nothing of us, against generated servers that answer examples: no check
//! fails.
//!
//! It is found at `BOTHENDS_SCHEMATHESIS`, or where `.ci/run` installs it; without it, and without the
//! corpus, the test says that it was skipped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use bothends_tests::scratch::{check, target};
use bothends_tests::stranger::servers;
use bothends_tests::{corpus, root, skipped};

/// The specs of the corpus that are served, and whether broken requests are sent too: a document has to
/// say what its server answers to those, and most of the small ones do not.
const SPECS: [(&str, bool); 8] = [
    ("ogen/_testdata.examples.problemjson.yml", true),
    ("ogen/_testdata.positive.enum_naming.yml", true),
    ("ogen/_testdata.positive.array_defaults.yml", false),
    ("ogen/_testdata.positive.sum_type_params.yaml", false),
    ("ogen/_testdata.examples.redoc.discriminator.json", false),
    ("ogen/_testdata.examples.pokemon-api.json", false),
    ("progenitor/sample_openapi.keeper.json", false),
    ("progenitor/sample_openapi.param-collision.json", false),
];

/// Stops a server when the test ends, whichever way.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) fn schemathesis(test: &str) -> Option<PathBuf> {
    let set = std::env::var_os("BOTHENDS_SCHEMATHESIS").map(PathBuf::from);
    let path = set.unwrap_or_else(|| root().join("target/ci-schemathesis/bin/schemathesis"));
    if path.is_file() {
        return Some(path);
    }
    let missing = format!("no schemathesis at {}", path.display());
    let remedy = "install it and set BOTHENDS_SCHEMATHESIS to its command, or run .ci/run";
    skipped(test, &missing, remedy);
    None
}

/// Serves one of the specs; the port it listens on.
fn serve(name: &str) -> (Served, u16) {
    let program = target().join("debug/strangers");
    let child = Command::new(program)
        .arg(name)
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.expect("the server runs");
    let out = child.stdout.take().expect("its output");
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).expect("its port");
    (Served(child), line.trim().parse().expect("a port"))
}

pub(super) fn run(
    schemathesis: &Path,
    spec: &Path,
    port: u16,
    more: &[&str],
) -> Result<String, String> {
    std::fs::create_dir_all(target()).map_err(|error| error.to_string())?;
    let output = Command::new(schemathesis)
        .arg("run")
        .arg(spec)
        .args(["--url", &format!("http://127.0.0.1:{port}")])
        .args(["--seed", "1", "--no-color"])
        .args(["-H", "Authorization: Bearer good"])
        .args(more)
        .current_dir(target())
        .output();
    let output = output.map_err(|error| error.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(stdout)
    } else {
        Err(stdout)
    }
}

#[test]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
fn schemathesis_finds_no_fault_in_generated_servers() {
    let test = "schemathesis_finds_no_fault_in_generated_servers";
    let (Some(schemathesis), Some(corpus)) = (schemathesis(test), corpus(test)) else {
        return;
    };
    let own = root().join("spec/financial-data.yaml");
    let mut specs: Vec<(String, PathBuf, &[&str])> = vec![(
        "financial_data".to_owned(),
        own,
        &["-H", "X-Client-Id: good"],
    )];
    for (index, (spec, broken)) in SPECS.iter().enumerate() {
        let more: &[&str] = if *broken {
            &[]
        } else {
            &["--mode", "positive"]
        };
        specs.push((format!("spec_{index}"), corpus.join(spec), more));
    }
    let dir = tempfile::tempdir().expect("a folder");
    let named: Vec<(String, PathBuf)> = specs
        .iter()
        .map(|(name, path, _)| (name.clone(), path.clone()))
        .collect();
    servers(dir.path(), &named).expect("servers");
    let built = check(dir.path(), &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let mut failed = Vec::new();
    for (name, path, more) in &specs {
        let (_served, port) = serve(name);
        let more = [&["--max-examples", "15"], *more].concat();
        match run(&schemathesis, path, port, &more) {
            Ok(stdout) => {
                let cases = stdout
                    .lines()
                    .filter(|line| line.contains("generated"))
                    .collect::<Vec<_>>();
                println!("{}: {}", path.display(), cases.join(", "));
            }
            Err(stdout) => failed.push(format!("{}\n{stdout}", path.display())),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
