//! What users read is in the words of the field: a list of words and phrases that say something else, or
//! nothing, and that public texts do without.
//!
//! Looked at are pages in Markdown, doc comments of the published crates and of generated code, templates,
//! the texts of diagnostics, and what the command prints about itself. Texts in the code of the generator,
//! which are messages, have a list of their own, and so have the names in this code.

use std::fs;
use std::path::{Path, PathBuf};

use bothends_tests::root;
use proc_macro2::{TokenStream, TokenTree};

/// A word or phrase, in lower case, and what to write instead. Words are compared as a whole.
const DISCOURAGED: &[(&str, &str)] = &[
    ("answer", "response, or respond"),
    ("answers", "responses, or responds"),
    ("answered", "responded, or a response"),
    ("answering", "responding"),
    ("is told", "is reported, is notified, or is given"),
    ("are told", "are reported, are notified, or are given"),
    ("was told", "was reported, was notified, or was given"),
    ("what is told", "what is reported"),
    ("tells of", "reports"),
    ("told of", "reported, or notified"),
    ("told by", "reported by, or distinguished by"),
    ("told apart", "distinguished"),
    ("tells apart", "distinguishes"),
    ("tell apart", "distinguish"),
    ("comes to", "is, results in, or amounts to"),
    ("gives up", "fails, or retries are exhausted"),
    ("give up", "fail, or stop"),
    ("given up", "failed, or stopped"),
    (
        "none is",
        "the missing value by its name: the header is absent",
    ),
    ("is none", "is missing, empty or absent"),
    ("somebody", "the caller, the client, the server"),
    ("someone", "the caller, the client, the server"),
    ("nobody", "no caller, no client, no server"),
    ("whoever", "the caller, the client, the server"),
    ("anybody", "any caller"),
    ("everybody", "every caller"),
    ("curable", "refreshable"),
    ("incurable", "not refreshable"),
    ("for ever", "without end, or forever"),
    ("let in", "admitted, or authorized"),
    ("lets in", "admits, or authorizes"),
];

/// Phrases that messages of the generator do without, and what rustc would write instead.
const NOT_IN_MESSAGES: &[(&str, &str)] = &[
    (
        "there is no",
        "unknown key `x`; missing `x`; `x` does not exist",
    ),
    (
        "is no",
        "`x` is not a valid crate name; unknown property `x`",
    ),
    ("are no", "values are not integers"),
    ("is none of", "`x` is not one of"),
    ("begins as none", "expected `$url` or `$request.`"),
    ("must be", "expected an array for `x`, found a string"),
    ("told", "reported, or distinguished"),
    ("tell", "report, or distinguish"),
    ("says nothing", "has no effect"),
    ("what went", "the successful response"),
    ("lets it pass", "hides it"),
    ("listed twice", "duplicate value"),
    ("took too long", "timed out"),
    ("within each other", "nested"),
    ("circle", "cycle"),
    ("to mend", "to update, or to repair"),
    ("written over", "overwritten"),
];

/// Names in the code of the generator that do not say what they hold, and what they may hold.
const NOT_IN_NAMES: &[(&str, &str)] = &[
    ("told", "reported, report, message, problem"),
    ("tell", "report"),
    ("said", "source_node, message"),
    ("wish", "preferred_name"),
    ("settle", "what is resolved: resolve_bounds"),
    ("settled", "what is resolved"),
    ("circle", "cycle"),
    ("circles", "cycles"),
];

/// Where texts for users are: folders, and files.
const PLACES: &[&str] = &[
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "delivery",
    "docs",
    "examples",
    "generated",
    "generator",
    "runtime",
    "templates",
];

/// A line that users read.
struct Line {
    /// Path from the root of the checkout.
    file: String,
    number: usize,
    text: String,
}

/// The lines of a file that users read.
fn lines(root: &Path, path: &Path) -> Vec<Line> {
    let Ok(text) = fs::read_to_string(root.join(path)) else {
        return Vec::new();
    };
    let file = path.display().to_string();
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    let is_test =
        path.iter().any(|part| part == "tests" || part == "target") || name.starts_with("tests");
    let lines = text.lines().enumerate();
    let line_of = |number: usize, text: &str| Line {
        file: file.clone(),
        number: number + 1,
        text: text.to_lowercase(),
    };
    if name.ends_with(".md") || name.ends_with(".in") {
        // Code blocks of pages have words of the documents that they show.
        let mut in_block = false;
        let prose = lines.filter(|(_, line)| {
            in_block ^= line.trim_start().starts_with("```");
            !in_block
        });
        return prose.map(|(number, line)| line_of(number, line)).collect();
    }
    if !name.ends_with(".rs") || is_test {
        return Vec::new();
    }
    // Diagnostics and the words of the command line are texts, and no comments.
    let is_text = ["diagnostic/codes", "cli/args"];
    let is_text = is_text.iter().any(|part| file.contains(part));
    let read = lines.filter(|(_, line)| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("//!") || is_text && !line.starts_with("//")
    });
    read.map(|(number, line)| line_of(number, line)).collect()
}

/// All lines that users read.
fn all_lines() -> Vec<Line> {
    let root = root();
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = PLACES.iter().map(PathBuf::from).collect();
    while let Some(path) = paths.pop() {
        if root.join(&path).is_dir() {
            let entries = fs::read_dir(root.join(&path)).expect("the folder");
            paths.extend(entries.map(|entry| path.join(entry.expect("an entry").file_name())));
        } else {
            found.extend(lines(&root, &path));
        }
    }
    found.sort_by(|left, right| (&left.file, left.number).cmp(&(&right.file, right.number)));
    found
}

/// Whether a text has a phrase that is no part of longer words.
fn has(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let is_word =
            |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
        !is_word(before) && !is_word(after)
    })
}

/// Returns the phrases of a line that users should not read.
fn discouraged(line: &Line) -> impl Iterator<Item = &(&'static str, &'static str)> {
    DISCOURAGED
        .iter()
        .filter(|(phrase, _)| has(&line.text, phrase))
}

#[test]
fn public_texts_do_without_discouraged_words() {
    let mut found = Vec::new();
    for line in all_lines() {
        for (phrase, instead) in discouraged(&line) {
            found.push(format!(
                "{}:{}: `{phrase}`: {instead}",
                line.file, line.number
            ));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The texts and the names of a file of code, in lower case.
fn texts_and_names(tokens: TokenStream, texts: &mut Vec<String>, names: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => texts_and_names(group.stream(), texts, names),
            TokenTree::Ident(name) => names.push(name.to_string().to_lowercase()),
            TokenTree::Literal(literal) => {
                let text = literal.to_string().to_lowercase();
                texts.extend(text.contains('"').then_some(text));
            }
            // Doc comments are attributes, and are not messages.
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                tokens.next_if(|next| next.to_string() == "!");
                tokens.next_if(|next| next.to_string().starts_with("[doc"));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// The files of the generator, each with its code without that of tests.
fn code_of_the_generator() -> Vec<(PathBuf, TokenStream)> {
    let mut found = Vec::new();
    let mut paths = vec![root().join("generator/src")];
    while let Some(path) = paths.pop() {
        let name = path.file_name().and_then(|name| name.to_str());
        let is_test = name.is_some_and(|name| name.starts_with("tests"));
        if path.is_dir() && !is_test {
            let entries = fs::read_dir(&path).expect("the folder");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|end| end == "rs") && !is_test {
            let text = fs::read_to_string(&path).expect("the file");
            let code = text.split("\n#[cfg(test)]\nmod tests {").next();
            let tokens = code.unwrap_or_default().parse().expect("tokens of Rust");
            found.push((path, tokens));
        }
    }
    found
}

#[test]
fn messages_and_names_of_the_generator_do_without_discouraged_words() {
    let mut found = Vec::new();
    for (path, tokens) in code_of_the_generator() {
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        texts_and_names(tokens, &mut texts, &mut names);
        for text in &texts {
            // "is no longer" is a statement about time.
            let text = text.replace("no longer", "");
            for (phrase, instead) in NOT_IN_MESSAGES {
                if has(&text, phrase) {
                    found.push(format!("{}: {text}: {instead}", path.display()));
                }
            }
        }
        for (name, instead) in NOT_IN_NAMES {
            let is_part = |full: &String| full.split('_').any(|part| part == *name);
            if let Some(full) = names.iter().find(|full| is_part(full)) {
                found.push(format!("{}: `{full}`: {instead}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn words_are_compared_as_a_whole() {
    assert!(has("the answer.", "answer"));
    assert!(!has("unanswered", "answer"));
    assert!(!has("answer_of", "answer"));
    assert!(has("who is told, and why", "is told"));
}
