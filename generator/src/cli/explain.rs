//! `bothends explain CODE`

use bothends::diagnostic::codes;

use super::args::{Explain, MessageFormat};
use super::{End, report};

pub(super) fn run(args: &Explain) -> End {
    let Some(code) = codes::find(&args.code) else {
        let known: Vec<&str> = codes::ALL.iter().map(|code| code.id).collect();
        let message = format!(
            "there is no code `{}`; codes are {}",
            args.code,
            known.join(", ")
        );
        report::failure(&message, MessageFormat::Human);
        return End::Failed;
    };
    let allowed = if code.allowable {
        format!("\n`--allow {}` lets it pass.\n", code.id)
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
