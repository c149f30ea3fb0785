//! Tests of the codes.

use super::{Severity, codes};

#[test]
fn the_table_of_codes_is_sound() {
    let mut seen = std::collections::BTreeSet::new();
    for code in codes::ALL {
        assert!(seen.insert(code.id), "{} stands twice", code.id);
        assert!(
            code.id.len() == 5 && code.id.starts_with(['E', 'W']),
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
        assert_eq!(codes::find(code.id), Some(*code));
        assert!(!codes::RETIRED.contains(&code.id), "{}", code.id);
    }
}
