//! Generates everything from one document, in memory, and tells what came of it as one line of
//! JSON. The corpus test runs it in a process of its own for each document, so that memory and work are
//! those of the document alone.

use bothends::Builder;
use bothends::diagnostic::{Diagnostics, Severity};
use bothends::source::{self, Limits, Sources};
use bothends_allocations::{Counting, allocated};
use bothends_tests::{count, measure};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = std::env::args_os().nth(1).ok_or("usage: corpus-one SPEC")?;
    // On this thread, whose bytes are counted.
    let plan = Builder::new(&spec).plan_of(&source::FileLoader)?;
    let (allocated, memory) = (allocated(), measure::peak_memory());
    let all = plan.diagnostics.iter();
    let errors = all.filter(|found| found.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|found| found.code.id).collect();
    let code = count::in_code(&plan.files);
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let tree = source::load(spec.as_ref(), &Limits::default(), &mut sources, &mut found);
    let document = tree.as_ref().map(count::in_document).unwrap_or_default();
    let size: usize = sources.iter().map(|(_, file)| file.text.len()).sum();
    let counts = |operations: count::Operations| {
        json!([operations.called, operations.served, operations.sent])
    };
    println!(
        "{}",
        json!({
            "errors": errors,
            "reported": plan.diagnostics.len(),
            "document": counts(document),
            "code": counts(code),
            "size": size,
            "allocated": allocated,
            "memory_kb": memory,
        })
    );
    Ok(())
}
