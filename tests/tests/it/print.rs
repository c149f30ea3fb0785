//! What is printed says what was emitted: it parses, and has the tokens of its items. Its rows are as long as
//! they must be.

use bothends::emit::{self, Options, OutputModule};
use bothends::{Builder, print};
use bothends_tests::{corpus, features, roots};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::path::Path;
use syn::Item;

/// Every so many documents of the corpus one is printed.
const STEP: usize = 7;

#[test]
fn printed_features_have_the_tokens_of_their_items() {
    for path in features().expect("the folder of features") {
        check(&path);
    }
}

#[test]
fn rows_of_features_are_broken_where_their_parts_are_short() {
    for path in features().expect("the folder of features") {
        let plan = Builder::new(&path).name("api").plan().expect("a plan");
        for file in &plan.files {
            let long = file.text.lines().find(|line| is_too_long(line));
            assert_eq!(long, None, "{} of {}", file.path, path.display());
        }
    }
}

#[test]
fn printed_documents_of_the_corpus_have_the_tokens_of_their_items() {
    let Some(corpus) = corpus("print") else {
        return;
    };
    let checked = roots(&corpus)
        .iter()
        .step_by(STEP)
        .filter(|path| check(path))
        .count();
    assert!(checked > 10, "only {checked} documents were printed");
}

/// Checks all modules of a document; false when nothing is generated from it.
fn check(path: &Path) -> bool {
    let Ok(plan) = Builder::new(path).name("api").plan() else {
        return false;
    };
    if plan.has_errors() {
        return false;
    }
    let output = emit::emit(&plan.api, &Options::default()).expect("names");
    let modules = output.modules.clone();
    let files = print::files(output);
    assert_eq!(modules.len(), files.len());
    for (module, file) in modules.iter().zip(&files) {
        let place = format!("{} of {}", file.path, path.display());
        let parsed = syn::parse_file(&file.text)
            .map_err(|error| format!("{place}: {error}"))
            .expect("what was printed is Rust");
        compare(module, parsed, &place);
    }
    true
}

/// Whether a row has more than 100 columns though none of its parts is long. A string, a list in brackets, a code span,
/// a link and an identifier are not broken, nor are headings and tables of Markdown; prettyplease breaks constants.
fn is_too_long(line: &str) -> bool {
    let text = line.trim_start();
    let content = text.trim_start_matches(['/', '!', ' ']);
    let is_doc = text.starts_with("//");
    let is_kept = is_doc && (content.starts_with('#') || text.contains('|'));
    if line.chars().count() <= 100 || is_kept || text.starts_with("pub const ") {
        return false;
    }
    // Spaces within quotes, lists and links join words.
    let (mut longest, mut length, mut quote, mut depth) = (0, 0, None, 0_i32);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            _ => {}
        }
        length = if c == ' ' && quote.is_none() && depth <= 0 {
            0
        } else {
            length + 1
        };
        longest = longest.max(length);
    }
    longest < 35
}

#[test]
fn a_row_is_too_long_if_it_has_short_parts_only() {
    let words = "word ".repeat(25);
    for (line, wanted) in [
        (format!("    /// {words}"), true),
        (format!("    /// [{words}](a.md) and"), false),
        (format!("    /// `{words}`"), false),
        (format!("        \"{words}\" => field,"), false),
        (format!("    pub a: {}", "A<B>, ".repeat(20)), true),
        (format!("    pub a: {},", "A".repeat(100)), false),
    ] {
        assert_eq!(is_too_long(&line), wanted, "{line}");
    }
}

fn compare(module: &OutputModule, parsed: syn::File, place: &str) {
    // The declarations of child modules are no items of the module.
    let printed: Vec<Item> = parsed
        .items
        .into_iter()
        .filter(|item| !matches!(item, Item::Mod(child) if child.content.is_none()))
        .collect();
    assert_eq!(printed.len(), module.items.len(), "{place}");
    for (printed, emitted) in printed.iter().zip(&module.items) {
        let (printed, emitted) = (words(printed), words(emitted));
        let differ = printed
            .iter()
            .zip(&emitted)
            .position(|(printed, emitted)| printed != emitted);
        let at = differ
            .unwrap_or(printed.len().min(emitted.len()))
            .saturating_sub(10);
        assert!(
            printed == emitted,
            "{place}:\nprinted {:?}\nemitted {:?}",
            &printed[at..printed.len().min(at + 30)],
            &emitted[at..emitted.len().min(at + 30)]
        );
    }
}

/// The tokens one by one, but for what layout adds and takes: a comma behind which a list ends, braces
/// around an arm of a `match` or the body of a closure, and how a literal is written.
fn words(item: &Item) -> Vec<String> {
    let mut words = Vec::new();
    collect(item.to_token_stream(), &mut words);
    words
}

fn collect(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let is_arm = words.ends_with(&["=".to_owned(), ">".to_owned()]);
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace if is_arm => ("", ","),
                    Delimiter::Brace if words.last().is_some_and(|last| last == "|") => ("", ""),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                push(words, open);
                collect(group.stream(), words);
                without_comma(words);
                push(words, close);
            }
            TokenTree::Punct(sign) if sign.as_char() == '>' => {
                without_comma(words);
                push(words, ">");
            }
            TokenTree::Literal(literal) => {
                match syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    Ok(text) => words.push(format!("{:?}", text.value())),
                    Err(_) => words.push(literal.to_string()),
                }
            }
            other => push(words, &other.to_string()),
        }
    }
}

fn push(words: &mut Vec<String>, word: &str) {
    let repeated = word == "," && words.last().is_some_and(|last| last == ",");
    if !word.is_empty() && !repeated {
        words.push(word.to_owned());
    }
}

fn without_comma(words: &mut Vec<String>) {
    if words.last().is_some_and(|last| last == ",") {
        words.pop();
    }
}
