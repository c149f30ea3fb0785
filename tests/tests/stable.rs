//! Output that can be reviewed: the same bytes every time, and small changes for small changes.

use std::fs;

use bothends::Builder;
use bothends_tests::root;

fn generate(spec: &str) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("api.yaml");
    fs::write(&path, spec).expect("written");
    let plan = Builder::new(&path).name("api").plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan.files
        .into_iter()
        .map(|file| (file.path, file.text))
        .collect()
}

/// Lines of `new` that are not in `old`, and lines of `old` that are not in `new`, by count.
fn changed_lines(old: &str, new: &str) -> usize {
    let count = |text: &str, of: &str| {
        let mut rest: Vec<&str> = of.lines().collect();
        text.lines()
            .filter(|line| match rest.iter().position(|other| other == line) {
                Some(index) => {
                    rest.swap_remove(index);
                    false
                }
                None => true,
            })
            .count()
    };
    count(old, new) + count(new, old)
}

#[test]
fn two_runs_give_the_same_bytes() {
    let spec = fs::read_to_string(root().join("spec/financial-data.yaml")).expect("the spec");
    assert_eq!(generate(&spec), generate(&spec));
}

#[test]
fn an_optional_property_changes_three_lines() {
    let spec = fs::read_to_string(root().join("spec/financial-data.yaml")).expect("the spec");
    let before = "    AggregationEvent:\n";
    let at = spec.find(before).expect("the schema");
    let properties = at
        + spec[at..]
            .find("      properties:\n")
            .expect("its properties");
    let properties = properties + "      properties:\n".len();
    let mut grown = spec.clone();
    grown.insert_str(
        properties,
        "        institution:\n          type: string\n          description: Name of the branch.\n",
    );
    let (old, new) = (generate(&spec), generate(&grown));
    let mut changed = 0;
    for ((path, old), (other, new)) in old.iter().zip(&new) {
        assert_eq!(path, other);
        changed += changed_lines(old, new);
    }
    assert!((1..=3).contains(&changed), "{changed} lines changed");
}
