//! schemathesis looks for the planted faults, in all of its phases: a table of what each tool finds.

use super::super::strangers;
use super::{Faulty, links};
use bothends_runtime::test::Report;
use bothends_tests::in_process::block_on;
use bothends_tests::root;
use std::path::{Path, PathBuf};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The most examples of each operation and phase.
const EXAMPLES: &str = "50";

/// A service with planted faults.
struct Served {
    document: &'static str,
    faults: &'static [&'static str],
    /// Serves the service with a fault.
    serve: fn(TcpListener, &'static str) -> JoinHandle<()>,
    /// Runs the contract test.
    run: fn(&'static str) -> Report,
}

const ALL: [Served; 2] = [
    Served {
        document: "checked-responses",
        faults: super::FAULTS,
        serve: |listener, fault| {
            tokio::spawn(async move {
                drop(bothends_runtime::server::serve(listener, Faulty::new(fault)).await)
            })
        },
        run: super::run,
    },
    Served {
        document: "followed-links",
        faults: links::FAULTS,
        serve: |listener, fault| {
            tokio::spawn(async move {
                drop(bothends_runtime::server::serve(listener, links::served(fault)).await)
            })
        },
        run: links::run,
    },
];

/// Returns the document with the router's rejections, which schemathesis requires for each response, and with the
/// expression by which it takes an id from a URL.
fn document(stem: &str, dir: &Path) -> PathBuf {
    let path = root().join(format!("spec/features/{stem}.yaml"));
    let mut spec = std::fs::read_to_string(path).expect("the document");
    if stem == "checked-responses" {
        let failed = "        \"400\": { $ref: \"#/components/responses/Failed\" }\n";
        for known in [
            "        \"422\":",
            "        \"404\":",
            "components:\n  responses:",
        ] {
            spec = spec.replace(known, &format!("{failed}{known}"));
        }
    }
    let id = r#""$response.header.Location#regex:/([a-z0-9-]+)$""#;
    let spec = spec.replace("$response.header.Location", id);
    let path = dir.join(format!("{stem}.yaml"));
    std::fs::write(&path, spec).expect("the document");
    path
}

impl Served {
    /// Returns the report of schemathesis if checks fail.
    fn report(&self, schemathesis: &Path, document: &Path, fault: &'static str) -> Option<String> {
        block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let port = listener.local_addr().expect("an address").port();
            let server = (self.serve)(listener, fault);
            let (program, path) = (schemathesis.to_owned(), document.to_owned());
            let run = move || strangers::run(&program, &path, port, &["--max-examples", EXAMPLES]);
            let found = tokio::task::spawn_blocking(run).await.expect("no panic");
            server.abort();
            found.err()
        })
    }

    /// Returns the names of the checks of schemathesis that fail.
    fn failed(&self, schemathesis: &Path, document: &Path, fault: &'static str) -> Option<String> {
        let report = self.report(schemathesis, document, fault)?;
        let checks = report.lines().filter_map(|line| line.strip_prefix("- "));
        let mut checks: Vec<&str> = checks.collect();
        checks.sort_unstable();
        checks.dedup();
        Some(checks.join(", "))
    }
}

/// Prints `| document | fault | bothends | schemathesis |` for some faults of the documents whose name contains
/// `BOTHENDS_DOCUMENTS`, and for all of them with `BOTHENDS_ALL_FAULTS=1`.
#[test]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
fn schemathesis_looks_for_the_same_faults() {
    let Some(schemathesis) = strangers::schemathesis("schemathesis_looks_for_the_same_faults")
    else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let (mut ours, mut theirs, mut all) = (0, 0, 0);
    let word = std::env::var("BOTHENDS_DOCUMENTS").unwrap_or_default();
    let step = match std::env::var_os("BOTHENDS_ALL_FAULTS") {
        Some(_) => 1,
        None => 12,
    };
    for served in ALL.iter().filter(|served| served.document.contains(&word)) {
        let document = document(served.document, dir.path());
        let report = served.report(&schemathesis, &document, "none");
        assert!(report.is_none(), "{}", report.unwrap_or_default());
        for fault in served.faults.iter().step_by(step) {
            let report = (served.run)(fault);
            let own = report
                .findings()
                .first()
                .map(|finding| finding.fault().to_string());
            let failed = served.failed(&schemathesis, &document, fault);
            all += 1;
            ours += usize::from(own.is_some());
            theirs += usize::from(failed.is_some());
            let [own, failed] = [own, failed].map(|found| found.unwrap_or("—".to_owned()));
            println!("| {} | {fault} | {own} | {failed} |", served.document);
        }
    }
    println!("bothends finds {ours} of {all} faults, schemathesis {theirs}");
    assert_eq!(ours, all);
    assert!(theirs > 0);
}
