//! Arbitrary requests and answers go from the generated client over a socket to the generated
//! server and back, and arrive equal.

use bothends_wire_tests::loopback::{Tally, drive};
use bothends_wire_tests::{Spec, specs};

/// Cases for each operation: `BOTHENDS_CASES`, or a few.
fn cases() -> u32 {
    let asked = std::env::var("BOTHENDS_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(48)
}

fn all(is_wanted: impl Fn(&Spec) -> bool, what: &str) {
    let only = std::env::var("BOTHENDS_SPEC").unwrap_or_default();
    let mut tally = Tally::default();
    for spec in specs()
        .iter()
        .filter(|spec| is_wanted(spec) && spec.module.contains(&only))
    {
        if std::env::var_os("BOTHENDS_TELL").is_some() {
            eprintln!("{}", spec.module);
        }
        drive(spec, cases(), &mut tally).expect("both ends");
    }
    println!(
        "{what}: {} operations and {} skipped, {} exchanges equal, {} refused by an end",
        tally.operations, tally.skipped, tally.equal, tally.refused
    );
    assert!(
        tally.wrong.is_empty(),
        "{} operations:\n\n{}",
        tally.wrong.len(),
        tally.wrong.join("\n\n")
    );
    assert!(tally.operations > 0, "nothing was driven");
}

#[test]
fn features_come_back_as_they_went() {
    all(|spec| spec.module.starts_with("of_"), "features");
}

#[cfg(corpus)]
#[test]
fn small_specs_of_the_corpus_come_back_as_they_went() {
    all(|spec| spec.module.starts_with("corpus_"), "corpus");
}
