//! Generated clients talk to Prism (`@stoplight/prism-cli`), which refuses what is not as the
//! document says.

use std::path::Path;

use bothends_test_environment::skipped;
use bothends_wire_tests::prism::{Tally, drive};
use bothends_wire_tests::specs;

/// The service's own, and some of the corpus: each with something that others do not have. Those
/// whose `oneOf` does not tell its schemas apart are left out: a value that fits two of them is
/// refused by the document itself.
const SPECS: [&str; 11] = [
    "own_financial_data",
    "corpus_2_0_yaml_petstore",
    "corpus_3_0_yaml_petstore",
    "corpus_3_0_yaml_parameters_style",
    "corpus_3_0_yaml_complex_nesting",
    "corpus_3_0_yaml_security_multiple",
    "corpus_3_0_yaml_link_example",
    "corpus_3_0_yaml_file_uploads",
    "corpus_3_0_yaml_form_data",
    "corpus_3_0_yaml_parameters_cookies",
    "corpus_3_0_yaml_request_examples",
];

/// `BOTHENDS_PRISM`, or where `.ci/run` installs it.
fn program(test: &str) -> Option<String> {
    let installed = "../../target/ci-prism/node_modules/.bin/prism";
    let program = std::env::var("BOTHENDS_PRISM").ok();
    let program = program.unwrap_or_else(|| format!("{}/{installed}", env!("CARGO_MANIFEST_DIR")));
    if Path::new(&program).is_file() {
        return Some(program);
    }
    let remedy = "install it and set BOTHENDS_PRISM to its command, or run .ci/run";
    skipped(test, &format!("no Prism at {program}"), remedy);
    None
}

#[test]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
fn no_request_is_refused() {
    let Some(program) = program("no_request_is_refused") else {
        return;
    };
    let mut tally = Tally::default();
    let mut driven = 0;
    for spec in specs().iter().filter(|spec| SPECS.contains(&spec.module)) {
        drive(&program, spec, 20, &mut tally).expect("Prism");
        driven += 1;
    }
    println!(
        "{driven} specs, {} operations: {} requests answered, {} not written",
        tally.operations, tally.answered, tally.unwritten
    );
    assert!(
        tally.refused.is_empty(),
        "{} operations:\n\n{}",
        tally.refused.len(),
        tally.refused.join("\n\n")
    );
    assert!(tally.answered > tally.operations, "nothing was driven");
}
