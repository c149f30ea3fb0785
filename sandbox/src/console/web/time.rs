//! Times: how long ago, with the exact time on hover.

use crate::app::App;
use crate::console::actions::har::date;
use crate::model::{Millis, Project};
use maud::{Markup, html};

/// The units of a distance, from the largest.
const UNITS: [(Millis, &str); 4] = [
    (86_400_000, "day"),
    (3_600_000, "hour"),
    (60_000, "minute"),
    (1_000, "second"),
];

/// Returns a time of the system clock, relative to now. `console.js` keeps it up to date.
pub(super) fn time(at: Millis) -> Markup {
    let now = App::system_now();
    marked(at, now, Some(now.saturating_sub(at)))
}

/// Returns a time of the clock of a project, relative to where that clock stands.
pub(super) fn project_time(project: &Project, at: Millis) -> Markup {
    let now = App::now(project);
    let age = (!project.clock.is_frozen()).then_some(now.saturating_sub(at));
    marked(at, now, age)
}

/// Returns a time that changes with every look at it, or that is compared with others.
pub(super) fn exact(at: Millis) -> Markup {
    html! { time datetime=(date(at)) title="UTC" { (readable(at)) } }
}

fn marked(at: Millis, now: Millis, age: Option<Millis>) -> Markup {
    html! {
        time datetime=(date(at)) title={ (readable(at)) " UTC" } data-age=[age] { (relative(at, now)) }
    }
}

/// Returns a time in UTC for people.
pub(super) fn readable(at: Millis) -> String {
    date(at).replace('T', " ").replace('Z', "")
}

/// Returns the distance of a time from now, in its largest unit.
fn relative(at: Millis, now: Millis) -> String {
    let age = now.saturating_sub(at);
    let distance = age.saturating_abs();
    let unit = UNITS.iter().find(|(length, _)| distance >= *length);
    let Some((length, unit)) = unit else {
        return "now".to_owned();
    };
    let count = distance / length;
    let plural = if count == 1 { "" } else { "s" };
    match age {
        0.. => format!("{count} {unit}{plural} ago"),
        _ => format!("in {count} {unit}{plural}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_in_its_largest_unit() {
        let now = 10 * 86_400_000;
        for (age, text) in [
            (0, "now"),
            (999, "now"),
            (-999, "now"),
            (1_000, "1 second ago"),
            (59_999, "59 seconds ago"),
            (60_000, "1 minute ago"),
            (7_200_000, "2 hours ago"),
            (-86_400_000, "in 1 day"),
            (-90 * 86_400_000, "in 90 days"),
        ] {
            assert_eq!(relative(now - age, now), text);
        }
        assert_eq!(relative(i64::MIN, i64::MAX), "106751991167 days ago");
        let shown = marked(0, 61_000, Some(61_000)).into_string();
        let whole = "<time datetime=\"1970-01-01T00:00:00.000Z\" title=\"1970-01-01 00:00:00.000 UTC\" \
            data-age=\"61000\">1 minute ago</time>";
        assert_eq!(shown, whole);
    }
}
