//! Documents that mean no good: whatever they hold, there is output or a diagnostic, in bounded time.
//! `docs/threat-model.md` says what is held where.

mod bytes;
mod injection;
mod mutants;
mod mutate;
mod random;
mod shape;
mod texts;

/// Counts the work that a document makes.
#[global_allocator]
static ALLOCATOR: bothends_allocations::Counting = bothends_allocations::Counting;
