//! Tests of the codes.

use super::{Severity, codes};

#[test]
fn the_table_of_codes_is_sound() {
    let mut seen = std::collections::BTreeSet::new();
    for code in codes::ALL {
        assert!(seen.insert(code.id), "{} is a duplicate", code.id);
        assert!(
            code.id.len() == 5 && code.id.starts_with(['E', 'W', 'N']),
            "{}",
            code.id
        );
        assert!(
            code.id[1..].bytes().all(|byte| byte.is_ascii_digit()),
            "{}",
            code.id
        );
        assert!(
            !code.title.ends_with('.') && code.explanation.ends_with('.'),
            "{}",
            code.id
        );
        assert!(
            code.allowable || code.severity() == Severity::Error,
            "{} cannot be silenced",
            code.id
        );
        // A warning says what to change. A fact that needs no change is a note.
        let help = code.help.unwrap_or_default();
        match code.severity() {
            Severity::Error => {}
            Severity::Warning => assert!(!help.is_empty(), "{}", code.id),
            Severity::Note => assert!(help.is_empty(), "{}", code.id),
        }
        assert!(
            !help.ends_with('.') && !help.contains("nothing to do"),
            "{}",
            code.id
        );
        assert!(
            !code.title.starts_with(char::is_uppercase)
                || code.title.starts_with("YAML")
                || code.title.starts_with("XML"),
            "{}",
            code.id
        );
        assert_eq!(codes::find(code.id), Some(*code));
        assert!(!codes::RETIRED.contains(&code.id), "{}", code.id);
    }
}
