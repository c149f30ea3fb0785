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
    let next = Mutex::new(0..items.len());
    let work = || {
        loop {
            // The guard is dropped before the work begins.
            let index = next.lock().expect("no worker panics").next();
            let Some(item) = index.and_then(|index| Some((index, items.get(index)?))) else {
                return;
            };
            let of_one = act(item.1);
            found
                .lock()
                .expect("no worker panics")
                .insert(item.0, of_one);
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
