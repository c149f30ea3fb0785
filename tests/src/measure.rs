//! What a process has used so far, where the system tells (Linux).

use std::time::Duration;

/// The largest memory this process has held, in kB.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The processor time this process has used: other work on the machine does not count.
#[must_use]
pub fn cpu_time() -> Option<Duration> {
    // Fields 14 and 15 are user and system time, in ticks of 10 ms. The name in brackets before
    // them may hold spaces.
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<u64>> = ticks.map(|field| field.parse().ok()).collect();
    Some(Duration::from_millis(ticks?.iter().sum::<u64>() * 10))
}
