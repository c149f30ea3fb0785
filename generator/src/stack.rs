//! The stack on which documents are read and generated.

use std::panic::resume_unwind;
use std::thread;

/// The size of the stack in bytes. Only the pages that are used take memory.
const SIZE: usize = 128 << 20;

/// Runs the work on a thread with a stack for the deepest document that is read. The stages follow the nesting of the
/// document, and the thread of the caller may have little: the main thread of a build script has 1 MiB on Windows, and
/// cargo does not optimise build scripts by default.
///
/// Where no thread can be started, the work runs on the caller's.
///
/// # Panics
/// Panics if the work panics.
pub fn on_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(SIZE);
        match thread.spawn_scoped(scope, &work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => work(),
        }
    })
}
