//! Work on all cores.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread::available_parallelism;

/// Returns what the function returns for each item, in the order of the items. It is called on all cores.
///
/// # Panics
/// Panics if the function panics.
pub fn each<I: Sync, T: Send>(items: &[I], act: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let found: Mutex<BTreeMap<usize, T>> = Mutex::default();
    let next = Mutex::new(items.iter().enumerate());
    let take = || next.lock().expect("no worker panics").next();
    let work = || {
        while let Some((index, item)) = take() {
            let of_one = act(item);
            let mut found = found.lock().expect("no worker panics");
            found.insert(index, of_one);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().expect("no worker panics");
    found.into_values().collect()
}
