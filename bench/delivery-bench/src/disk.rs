//! The disk under both stores: a commit waits for it, so latencies and rates are read beside this.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Measures writes of 8 KiB, each followed by `fdatasync`, in a file that is not extended.
pub fn measure(folder: &Path) -> Vec<Duration> {
    const WRITES: usize = 500;
    let page = [7; 8192];
    let mut file = std::fs::File::create(folder.join("disk")).unwrap();
    file.write_all(&page.repeat(16)).unwrap();
    file.sync_all().unwrap();
    let mut times = Vec::new();
    for number in 0..WRITES {
        let began = Instant::now();
        let at = (number % 16 * page.len()) as u64;
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&page).unwrap();
        file.sync_data().unwrap();
        times.push(began.elapsed());
    }
    times
}
