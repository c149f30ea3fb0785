//! A global allocator that counts the bytes each thread asks for, and those in use.
//!
//! How many bytes are allocated for an input is the same on every machine and on every run, so it
//! shows how the work grows with the input, where time would only show how busy the machine is.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes in use. Allocations that fail are counted too: a test does not go on after one.
static LIVE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count of what is asked of it.
#[derive(Debug)]
pub struct Counting;

/// How many bytes this thread has allocated so far, each allocation counted as 64 bytes more than it
/// asks for: small ones cost as well.
#[must_use]
pub fn allocated() -> u64 {
    BYTES.with(Cell::get)
}

/// How many bytes all threads have allocated and not freed.
#[must_use]
pub fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

fn count(bytes: usize) {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    // While a thread ends, it has no counter any more.
    let _ = BYTES.try_with(|all| all.set(all.get().wrapping_add(bytes).wrapping_add(64)));
}

// SAFETY: every call goes to the system's allocator as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        LIVE.fetch_add(size, Ordering::Relaxed);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
