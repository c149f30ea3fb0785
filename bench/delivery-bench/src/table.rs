//! The table of all figures, with targets.

use crate::queue::Waiting;
use std::fmt;
use std::time::Duration;

/// A figure that is compared with its limit.
#[derive(Clone, Copy)]
pub enum Target {
    AtLeast(f64, f64),
    AtMost(f64, f64),
}

impl Target {
    fn is_met(self) -> bool {
        match self {
            Self::AtLeast(found, limit) => found >= limit,
            Self::AtMost(found, limit) => found <= limit,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, limit) = match self {
            Self::AtLeast(_, limit) => ('≥', limit),
            Self::AtMost(_, limit) => ('≤', limit),
        };
        let result = if self.is_met() { "met" } else { "missed" };
        write!(f, "{sign} {limit} | {result}")
    }
}

/// The rows, each with store, subject, figure and target.
#[derive(Default)]
pub struct Table(Vec<(String, String, String, Option<Target>)>);

impl Table {
    /// Adds a row, and prints it, because a whole run takes minutes.
    pub fn add(&mut self, store: &str, subject: &str, figure: String, target: Option<Target>) {
        println!("{store} {subject}: {figure}");
        self.0
            .push((store.to_owned(), subject.to_owned(), figure, target));
    }

    /// Adds the times of writes to the disk.
    pub fn disk(&mut self, mut times: Vec<Duration>) {
        times.sort_unstable();
        let (median, most) = (milliseconds(at(&times, 50)), milliseconds(at(&times, 99)));
        let subject = "8 KiB to the disk: p50, p99, ms";
        self.add("", subject, format!("{median:.2}, {most:.2}"), None);
    }

    /// Adds the latencies from `enqueue` to the first byte at the receiver.
    pub fn latencies(&mut self, store: &str, load: &str, mut latencies: Vec<Duration>) {
        latencies.sort_unstable();
        for (share, limit) in [(50, 5.0), (99, 20.0)] {
            let found = milliseconds(at(&latencies, share));
            let subject = format!("enqueue to first byte, {load}, p{share}, ms");
            let target = Some(Target::AtMost(found, limit));
            self.add(store, &subject, format!("{found:.2}"), target);
        }
    }

    /// Adds the times with few and with many waiting deliveries. Twice the time counts as slower:
    /// the index of a thousand times as many entries has one or two levels more.
    pub fn waiting(&mut self, store: &str, few: &Waiting, many: &Waiting) {
        for (subject, times_of) in Waiting::SUBJECTS {
            let (few, many) = (times_of(few), times_of(many));
            for (waiting, times) in [("1,000", few), ("1,000,000", many)] {
                let (median, most) = (milliseconds(at(times, 50)), milliseconds(at(times, 95)));
                let subject = format!("{subject}, {waiting} waiting: p50, p95, ms");
                self.add(store, &subject, format!("{median:.2}, {most:.2}"), None);
            }
            let ratio = milliseconds(at(many, 50)) / milliseconds(at(few, 50));
            let subject = format!("{subject}, 1,000,000 to 1,000 waiting, p50");
            let target = Some(Target::AtMost(ratio, 2.0));
            self.add(store, &subject, format!("{ratio:.2}"), target);
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| store | | figure | target | |\n|---|---|---|---|---|")?;
        for (store, subject, figure, target) in &self.0 {
            let target = target.map_or_else(|| " | ".to_owned(), |target| target.to_string());
            writeln!(f, "| {store} | {subject} | {figure} | {target} |")?;
        }
        Ok(())
    }
}

/// Returns the time below which `share` per cent of the sorted times are.
fn at(sorted: &[Duration], share: usize) -> Duration {
    sorted[(sorted.len() - 1) * share / 100]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
