//! The reference of the rules of `bothends diff`.

use std::fmt::Write as _;

use bothends::diff::rules::all;
use bothends::diff::{Audience, Direction};

use super::check_page;

const HEAD: &str = "\
# Rules of `diff`

<!-- Written from the code: UPDATE_GUIDE=1 cargo test -p bothends --bin bothends -->

Each rule is a difference in one direction, with its effects on four audiences; see [Comparing versions](diff.md).
`bothends explain D0403` prints the reasons of a rule.

`*`: breaking for code in the crate that contains the generated module (`module = true`), where `#[non_exhaustive]` has
no effect.
";

/// The groups of rules, by the start of their codes.
const GROUPS: &[(&str, &str)] = &[
    ("D01", "Operations and webhooks"),
    ("D02", "Parameters and request bodies"),
    ("D03", "Responses"),
    ("D04", "Values in requests"),
    ("D05", "Values in responses"),
    ("D06", "Security, servers, rules for webhooks"),
    ("D07", "Rust only"),
    ("D08", "Texts"),
];

fn page() -> String {
    let mut text = HEAD.to_owned();
    for (start, title) in GROUPS {
        _ = write!(text, "\n## {title}\n\n| code | difference | direction |");
        for audience in Audience::ALL {
            _ = write!(text, " {} |", audience.name());
        }
        text.push_str("\n|---|---|---|---|---|---|---|\n");
        for rule in all().iter().filter(|rule| rule.id.starts_with(start)) {
            let direction = match rule.direction {
                Direction::Any => "",
                other => other.name(),
            };
            _ = write!(text, "| `{}` | {} | {direction} |", rule.id, rule.title);
            for audience in Audience::ALL {
                let is_guarded = rule.effects[audience as usize].guarded;
                let mark = if is_guarded { "\\*" } else { "" };
                _ = write!(text, " {}{mark} |", rule.level(audience).name());
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_guide_lists_every_rule() {
    let page = page();
    for rule in all() {
        assert!(page.contains(&format!("| `{}` |", rule.id)), "{}", rule.id);
    }
    check_page("diff-rules.md", &page);
}
