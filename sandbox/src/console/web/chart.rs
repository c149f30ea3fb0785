//! Charts as SVG, each with a table of the same numbers.

use super::html::{table, time};
use crate::model::Millis;
use maud::{Markup, html};

/// The size of a chart, in units of its own.
const WIDTH: u32 = 600;
const HEIGHT: u32 = 120;

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

/// Returns a chart of counts over time.
pub(super) fn chart(title: &str, good: &str, bad: &str, bars: &[Bar]) -> Markup {
    let most = bars
        .iter()
        .map(|bar| bar.good + bar.bad)
        .max()
        .unwrap_or(0)
        .max(1);
    let (goods, bads): (u32, u32) = bars
        .iter()
        .fold((0, 0), |sum, bar| (sum.0 + bar.good, sum.1 + bar.bad));
    let count = u32::try_from(bars.len()).unwrap_or(1).max(1);
    let rows: Vec<Markup> = bars
        .iter()
        .filter(|bar| bar.good + bar.bad > 0)
        .map(|bar| html! { tr { th scope="row" { (time(bar.at)) } td { (bar.good) } td { (bar.bad) } } })
        .collect();
    html! {
        figure.chart {
            figcaption { (title) ": " (goods) " " (good) ", " (bads) " " (bad) ", at most " (most) " together" }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label={ (title) ": " (goods) " " (good) ", " (bads) " " (bad) } preserveAspectRatio="none" {
                line.axis x1="0" x2=(WIDTH) y1=(HEIGHT - 1) y2=(HEIGHT - 1) {}
                @for (index, bar) in bars.iter().enumerate() {
                    @let left = u32::try_from(index).unwrap_or(0) * WIDTH / count;
                    @let width = (WIDTH / count).saturating_sub(1).max(1);
                    @let good_height = bar.good * (HEIGHT - 4) / most;
                    @let bad_height = bar.bad * (HEIGHT - 4) / most;
                    @if bar.good > 0 { rect.good x=(left) width=(width) y=(HEIGHT - 1 - good_height) height=(good_height.max(1)) {} }
                    @if bar.bad > 0 { rect.bad x=(left) width=(width) y=(HEIGHT - 1 - good_height - bad_height) height=(bad_height.max(1)) {} }
                }
            }
            details {
                summary { (title) " as a table" }
                (table(title, &["From", good, bad], &rows, "Nothing has happened in this time."))
            }
        }
    }
}
