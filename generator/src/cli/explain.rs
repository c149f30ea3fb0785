//! `bothends explain CODE`

use bothends::diagnostic::codes;
use bothends::diff::rules::by_id;
use bothends::diff::{Audience, Direction, Rule};

use super::args::{Explain, MessageFormat};
use super::{End, report};

pub(super) fn run(args: &Explain) -> End {
    if let Some(rule) = by_id(&args.code) {
        report::print(&text(rule));
        return End::Done;
    }
    let Some(code) = codes::find(&args.code) else {
        let known: Vec<&str> = codes::ALL.iter().map(|code| code.id).collect();
        let message = format!(
            "unknown code `{}`; codes are {}",
            args.code,
            known.join(", ")
        );
        report::failure(&message, MessageFormat::Human);
        return End::Failed;
    };
    let allowed = if code.allowable {
        format!("\n`--allow {}` hides it.\n", code.id)
    } else {
        String::new()
    };
    report::print(&format!(
        "{}: {}\n\n{}\n{allowed}",
        code.id,
        code.title,
        wrap(code.explanation)
    ));
    End::Done
}

/// Returns the text of a rule: its direction, and its effect on each audience.
fn text(rule: &Rule) -> String {
    let mut text = format!("{}: {}\n\n", rule.id, rule.title);
    let direction = match rule.direction {
        Direction::Request => "In requests, and in webhooks.\n\n",
        Direction::Response => "In responses, and in responses to webhooks.\n\n",
        Direction::Any => "",
    };
    text.push_str(direction);
    for audience in Audience::ALL {
        let (name, level) = (audience.name(), rule.level(audience).name());
        let effect = format!("{name}: {level}. {}", rule.reason(audience));
        text.push_str(&wrap(&effect));
        text.push('\n');
    }
    text
}

/// Breaks a text into lines of at most 80 characters.
fn wrap(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
