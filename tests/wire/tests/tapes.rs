//! Both generated ends against recorded bytes: see `tapes/`, a file a subject.

use std::path::Path;

use bothends_wire_tests::tape::tapes;

#[test]
fn both_ends_do_what_is_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tapes");
    let files = std::fs::read_dir(&folder).expect("the tapes");
    let mut files: Vec<_> = files.map(|entry| entry.expect("a tape").path()).collect();
    files.sort();
    let mut played = 0;
    let mut wrong = Vec::new();
    for file in files {
        for tape in tapes(&file) {
            if tape.spec.starts_with("corpus_") && !cfg!(corpus) {
                continue;
            }
            played += 1 + tape.requests_of_others.len() + tape.responses_of_others.len();
            wrong.extend(tape.play());
        }
    }
    println!("{played} exchanges");
    assert!(played > 0, "there are no tapes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
