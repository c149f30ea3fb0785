//! Charts as SVG with labelled axes, each with a table of the same numbers.

use super::html::{table, thousands};
use super::time::{exact, readable};
use crate::model::Millis;
use crate::recorder::KEPT;
use maud::{Markup, html};

/// The size of a plot, in units of its own: it is stretched to the page.
const WIDTH: u32 = 600;
const HEIGHT: u32 = 120;
/// Times that are further apart are labelled with the day.
const DAY: Millis = 24 * 60 * 60 * 1000;

/// A part of the time, with two counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    /// The beginning.
    pub(super) at: Millis,
    /// The count that is good, at the bottom.
    pub(super) good: u32,
    /// The count that is bad, above it.
    pub(super) bad: u32,
}

/// Counts over time.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    /// What is counted, such as `Calls`.
    pub(super) title: &'a str,
    /// What the good and the bad ones are.
    pub(super) kinds: (&'a str, &'a str),
    /// The parts of the time, the earliest first.
    pub(super) bars: Vec<Bar>,
    /// The end of the last part.
    pub(super) until: Millis,
    /// The oldest entry of the log, if earlier ones may have been removed.
    pub(super) cut_at: Option<Millis>,
}

impl Chart<'_> {
    /// Returns the chart.
    pub(super) fn show(&self) -> Markup {
        let (good, bad) = self.kinds;
        let sum = |count: fn(&Bar) -> u32| self.bars.iter().map(count).sum::<u32>();
        let (goods, bads) = (sum(|bar| bar.good), sum(|bar| bar.bad));
        let title = format!("{}: {goods} {good}, {bads} {bad}", self.title);
        let top = top(self.bars.iter().map(|bar| bar.good + bar.bad).max());
        let [first, middle, last] = self.times();
        html! {
            figure.chart {
                figcaption { (title) }
                @if let Some(at) = self.cut_at {
                    p.hint { "The log keeps the last " (thousands(KEPT)) " of a project. Those before " (exact(at)) " may be missing here." }
                }
                // The title and the table say the same to assistive technology.
                div.plot {
                    div.values aria-hidden="true" { span { (thousands(top)) } span { (thousands(top / 2)) } span { "0" } }
                    (self.bars_up_to(top, &title))
                    div.times aria-hidden="true" { span { (first) } span { (middle) } span { (last) " UTC" } }
                }
                details {
                    summary { (self.title) " as a table" }
                    (table(self.title, &["From", good, bad], &self.rows(), "Nothing has happened in this time."))
                }
            }
        }
    }

    fn bars_up_to(&self, top: u32, title: &str) -> Markup {
        let (good, bad) = self.kinds;
        let count = u32::try_from(self.bars.len()).unwrap_or(1).max(1);
        let height = |count: u32| {
            let height = u64::from(count) * u64::from(HEIGHT) / u64::from(top);
            u32::try_from(height).unwrap_or(HEIGHT).min(HEIGHT)
        };
        html! {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(title) preserveAspectRatio="none" {
                @for y in [0, HEIGHT / 2, HEIGHT] { line.axis x1="0" x2=(WIDTH) y1=(y) y2=(y) {} }
                @for (index, bar) in self.bars.iter().enumerate() {
                    @let left = u32::try_from(index).unwrap_or(0) * WIDTH / count;
                    @let width = (WIDTH / count).saturating_sub(1).max(1);
                    @let (low, high) = (height(bar.good), height(bar.good + bar.bad));
                    @if bar.good + bar.bad > 0 {
                        g {
                            title { (readable(bar.at)) " UTC: " (bar.good) " " (good) ", " (bar.bad) " " (bad) }
                            @if bar.good > 0 { rect.good x=(left) width=(width) y=(HEIGHT - low) height=(low.max(1)) {} }
                            @if bar.bad > 0 { rect.bad x=(left) width=(width) y=(HEIGHT - high) height=((high - low).max(1)) {} }
                        }
                    }
                }
            }
        }
    }

    /// Returns the labels of the beginning, the middle and the end.
    fn times(&self) -> [String; 3] {
        let since = self.bars.first().map_or(self.until, |bar| bar.at);
        let distance = self.until.saturating_sub(since);
        [0, distance / 2, distance].map(|after| {
            let text = readable(since.saturating_add(after));
            let part = if distance > DAY { 5..16 } else { 11..16 };
            text.get(part).unwrap_or(&text).to_owned()
        })
    }

    fn rows(&self) -> Vec<Markup> {
        let bars = self.bars.iter().filter(|bar| bar.good + bar.bad > 0);
        bars.map(|bar| html! { tr { th scope="row" { (exact(bar.at)) } td { (bar.good) } td { (bar.bad) } } })
            .collect()
    }
}

/// Returns the value at the top of an axis: the first of 2, 4, 10, 20, 40, 100, … that is not less, so
/// that its half is a value too.
fn top(most: Option<u32>) -> u32 {
    let mut tens = 1_u32;
    loop {
        for digit in [2, 4, 10] {
            let top = tens.saturating_mul(digit);
            if top >= most.unwrap_or(0) {
                return top;
            }
        }
        tens = tens.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cut_at: Option<Millis>) -> String {
        // 2025-01-01 00:00 to 01:00, in four parts.
        let since = 1_735_689_600_000;
        let quarter = 15 * 60 * 1000;
        let bars = [(0, 0), (11, 0), (3, 1), (0, 20)].into_iter().zip(0_i64..);
        let chart = Chart {
            title: "Calls",
            kinds: ("without error", "with an error"),
            bars: bars
                .map(|((good, bad), place)| Bar {
                    at: since + place * quarter,
                    good,
                    bad,
                })
                .collect(),
            until: since + 4 * quarter,
            cut_at,
        };
        chart.show().into_string()
    }

    #[test]
    fn a_chart_has_axes_and_values() {
        let chart = shown(None);
        for part in [
            "<figcaption>Calls: 14 without error, 21 with an error</figcaption>",
            "<span>20</span><span>10</span><span>0</span>",
            "<span>00:00</span><span>00:30</span><span>01:00 UTC</span>",
            "<line class=\"axis\" x1=\"0\" x2=\"600\" y1=\"60\" y2=\"60\">",
            "<title>2025-01-01 00:30:00.000 UTC: 3 without error, 1 with an error</title>",
            // 11 of 20 units of an axis of 120.
            "<rect class=\"good\" x=\"150\" width=\"149\" y=\"54\" height=\"66\">",
            "<rect class=\"bad\" x=\"450\" width=\"149\" y=\"0\" height=\"120\">",
            "<td>11</td><td>0</td>",
        ] {
            assert!(chart.contains(part), "{part}: {chart}");
        }
        assert!(
            !chart.contains("keeps the last") && !chart.contains("http"),
            "{chart}"
        );
    }

    #[test]
    fn a_chart_says_what_the_log_has_no_more() {
        let chart = shown(Some(1_735_690_000_000));
        let hint = "The log keeps the last 5,000 of a project. Those before <time \
            datetime=\"2025-01-01T00:06:40.000Z\" title=\"UTC\">2025-01-01 00:06:40.000</time> may be missing here.";
        assert!(chart.contains(hint), "{chart}");
    }

    #[test]
    fn an_axis_ends_at_a_round_value() {
        for (most, end) in [
            (None, 2),
            (Some(3), 4),
            (Some(10), 10),
            (Some(41), 100),
            (Some(4_001), 10_000),
        ] {
            assert_eq!(top(most), end);
        }
        assert_eq!(top(Some(u32::MAX)), u32::MAX);
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
