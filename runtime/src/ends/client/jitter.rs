//! Random parts of delays.

use std::time::Duration;

/// Returns the part of a delay that is left by a share from 0 to 1. A share that is not a number
/// leaves the whole delay, and so does rounding of a delay at the limit of its type.
pub(super) fn part(delay: Duration, share: f64) -> Duration {
    let part = Duration::try_from_secs_f64(delay.as_secs_f64() * share);
    part.map_or(delay, |part| part.min(delay))
}

#[cfg(test)]
mod tests {
    use super::part;
    use std::time::Duration;

    #[test]
    fn no_delay_and_no_share_panics() {
        let second = Duration::from_secs(1);
        assert_eq!(part(second, 0.5), Duration::from_millis(500));
        for share in [f64::NAN, 1.0, 2.0, f64::INFINITY, -1.0] {
            assert_eq!(part(second, share), second, "{share}");
            assert_eq!(part(Duration::MAX, share), Duration::MAX, "{share}");
        }
        assert!(part(Duration::MAX, 0.5) < Duration::MAX);
    }
}
