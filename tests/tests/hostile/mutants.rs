//! Documents changed at random. A run of a few seconds here; `BOTHENDS_MUTANTS=100000` makes a long
//! one, `BOTHENDS_SEED` another one. Everything a run does follows from the seed that it prints.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bothends::diagnostic::Diagnostics;
use bothends::source::{FileLoader, Sources, Value, load_text};
use bothends::{Builder, Plan};
use bothends_allocations::allocated;
use bothends_tests::scratch::{check, manifest};
use bothends_tests::{corpus, features, root};

use crate::bytes::bytes;
use crate::mutate::Stock;
use crate::random::Random;

/// The work that a mutant of a small document may make: bytes that are allocated, which are the same on each
/// run. The dearest of 300 needs a tenth of that.
const MOST: u64 = 1 << 28;
/// Documents of the corpus beyond this size are left to other tests.
const LARGEST: u64 = 60_000;

pub(crate) fn number(variable: &str, default: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What is mutated: our own documents, and small ones of the corpus.
fn bases() -> Vec<PathBuf> {
    let mut bases = features().expect("the folder of features");
    bases.push(root().join("spec/financial-data.yaml"));
    let mut folders: Vec<PathBuf> = corpus("mutants of the corpus").into_iter().collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        // Our own documents are enough where the corpus is not there, or cannot be read.
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_small_document(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    bases.extend(found);
    bases
}

fn is_small_document(path: &Path) -> bool {
    let named = path
        .extension()
        .is_some_and(|ending| ending == "yaml" || ending == "json");
    let small = || path.metadata().is_ok_and(|it| it.len() <= LARGEST);
    let says = |text: String| text.contains("openapi") || text.contains("swagger");
    named && small() && fs::read_to_string(path).is_ok_and(says)
}

/// The plan of a document. What can be allowed is, so that the later stages see it too.
pub(crate) fn plan(path: &Path) -> Option<Plan> {
    plan_of(&Builder::new(path).name("mutant"))
}

fn plan_of(builder: &Builder) -> Option<Plan> {
    let mut allowed: Vec<&str> = Vec::new();
    loop {
        let builder = allowed
            .iter()
            .fold(builder.clone(), |builder, code| builder.allow(*code));
        // An error here is about what the document says as well: a name that no file can have, say.
        let plan = builder.plan_of(&FileLoader).ok()?;
        let report = plan.report();
        assert!(
            !plan.has_errors() || !report.is_empty(),
            "an error in silence"
        );
        let more = plan.diagnostics.iter().map(|found| found.code);
        let mut more: Vec<&str> = more
            .filter(|code| {
                code.allowable && code.id.starts_with('E') && !allowed.contains(&code.id)
            })
            .map(|code| code.id)
            .collect();
        more.sort_unstable();
        more.dedup();
        if !plan.has_errors() || more.is_empty() {
            return Some(plan);
        }
        allowed.extend(more);
    }
}

/// Takes a document through everything; panics are failures, and so is code that does not parse.
fn drive(path: &Path) -> bool {
    let Some(plan) = plan(path) else {
        return false;
    };
    for file in plan.files.iter().filter(|file| file.path.ends_with(".rs")) {
        if let Err(error) = syn::parse_file(&file.text) {
            unreachable!("{} does not parse: {error}", file.path);
        }
    }
    if let Ok(bundle) = Builder::new(path).bundle_of(&FileLoader, true) {
        assert!(bundle.text.is_some() || bundle.diagnostics.has_errors());
    }
    !plan.files.is_empty()
}

fn value_of(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let mut diagnostics = Diagnostics::new();
    let tree = load_text("api.yaml", &text, &mut Sources::new(), &mut diagnostics)?;
    tree.value(tree.root()).cloned()
}

/// The mutant of a number.
fn mutant(seed: u64, index: u64, bases: &[PathBuf], stocks: &[Stock]) -> Vec<u8> {
    let mut random = Random::new(seed.wrapping_shl(32).wrapping_add(index));
    if random.once_in(5) {
        let base = fs::read(random.pick(bases)).expect("a document");
        bytes(&base, &mut random)
    } else {
        let stock = random.pick(stocks);
        stock.mutant(&mut random).to_json().into_bytes()
    }
}

#[test]
fn no_mutant_breaks_anything() {
    // The stack of a process's first thread, where generators run; that of a test is a quarter, and
    // what reads the code back here goes as deep as types do.
    let whole = std::thread::Builder::new().stack_size(8 << 20);
    let ended = whole.spawn(mutants).expect("a thread").join();
    if let Err(panic) = ended {
        std::panic::resume_unwind(panic);
    }
}

fn mutants() {
    let (count, seed) = (number("BOTHENDS_MUTANTS", 300), number("BOTHENDS_SEED", 1));
    println!("BOTHENDS_MUTANTS={count} BOTHENDS_SEED={seed}");
    let bases = bases();
    let stocks = Stock::from_roots(bases.iter().filter_map(|path| value_of(path)).collect());
    // Left behind on purpose: a mutant that ends the process is still there to be looked at.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutants-{seed}"));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("api.json");
    let (mut generated, mut failed) = (0, Vec::new());
    let mut dearest = (0, 0);
    for index in 0..count {
        let mutant = mutant(seed, index, &bases, &stocks);
        fs::write(&path, &mutant).expect("written");
        let before = allocated();
        let outcome = catch_unwind(AssertUnwindSafe(|| drive(&path)));
        let work = allocated() - before;
        dearest = dearest.max((work, index));
        match outcome {
            Ok(true) => generated += 1,
            Ok(false) => {}
            Err(_) => failed.push(index),
        }
        if failed.last() == Some(&index) || work > MOST {
            let kept = folder.join(format!("failed-{index}.json"));
            fs::write(&kept, &mutant).expect("written");
            println!("mutant {index} allocated {work} bytes: {}", kept.display());
        }
    }
    let (work, index) = dearest;
    println!("{generated} of {count} generated; mutant {index} allocated most, {work} bytes");
    assert!(failed.is_empty(), "mutants {failed:?} of seed {seed}");
    assert!(work <= MOST, "mutant {index} allocated {work} bytes");
    // Mutants that all fail at once would test nothing behind the first stage.
    assert!(
        generated * 5 > count,
        "only {generated} of {count} came to code"
    );
}

/// How much generated code goes into one crate: rustc needs about 400 bytes of memory for each.
const CRATE: usize = 4_000_000;
/// Modules beyond this size would leave no room for others.
const MODULE: usize = 200_000;

/// `BOTHENDS_COMPILED=500` compiles more of them.
#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_sample_of_mutants_compiles() {
    let whole = std::thread::Builder::new().stack_size(8 << 20);
    let ended = whole.spawn(compiled_mutants).expect("a thread").join();
    if let Err(panic) = ended {
        std::panic::resume_unwind(panic);
    }
}

fn compiled_mutants() {
    let (count, seed) = (number("BOTHENDS_COMPILED", 25), number("BOTHENDS_SEED", 1));
    println!("BOTHENDS_COMPILED={count} BOTHENDS_SEED={seed}");
    let bases = features().expect("the folder of features");
    let stocks = Stock::from_roots(bases.iter().filter_map(|path| value_of(path)).collect());
    // Other mutants than those of the run above.
    let mut index = 1 << 31;
    let (mut found, mut failed) = (0, Vec::new());
    while found < count {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("src")).expect("a folder");
        let mut lib = String::from("//! Mutants, a module each.\n");
        let mut size = 0;
        while found < count && size < CRATE {
            index += 1;
            let path = folder.path().join(format!("mutant-{index}.json"));
            fs::write(&path, mutant(seed, index, &bases, &stocks)).expect("written");
            let plan = plan_of(&Builder::new(&path).module(true));
            let text = plan.and_then(|plan| plan.files.into_iter().next());
            let Some(text) = text.map(|file| file.text).filter(|it| it.len() < MODULE) else {
                continue;
            };
            lib.push_str(&format!("pub mod of_{index};\n"));
            fs::write(folder.path().join(format!("src/of_{index}.rs")), &text).expect("written");
            (found, size) = (found + 1, size + text.len());
        }
        fs::write(folder.path().join("src/lib.rs"), lib).expect("written");
        fs::write(folder.path().join("Cargo.toml"), manifest("mutants")).expect("written");
        let checked = check(folder.path(), &["check"]).expect("cargo runs");
        if !checked.clean {
            // What failed is kept to be looked at.
            failed.push(format!("{}:\n{}", folder.keep().display(), checked.output));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
