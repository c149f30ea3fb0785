//! Tests of the generated pages of the guide: the keys of the configuration and the command line.

mod command_line;
mod configuration;
mod diff_rules;
mod schema;

use std::path::Path;

/// Compares a page of the guide with the text from the code, or writes the page.
fn check_page(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src/reference");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(&path, text).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == text,
        "docs/guide/src/reference/{name} is not up to date; run\n  \
         UPDATE_GUIDE=1 cargo test -p bothends --bin bothends"
    );
}

/// Breaks a text into lines of at most 100 characters.
fn fill(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
