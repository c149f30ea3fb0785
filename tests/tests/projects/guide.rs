//! The guide, `docs/guide`: its code compiles, its commands work, its links lead somewhere, and its summary
//! has every page.
//!
//! - A block of Rust, TOML, YAML or Python that begins with a path in a comment is that file.
//! - Any other block of Rust is a module of one crate, with the code of the comment `<!-- around` above it.
//! - A page with commands is walked through in an empty folder: see `book/walk.rs`.

use super::book;

use std::collections::BTreeSet;
use std::path::Path;

use book::block::{Block, blocks};
use book::names::Names;
use book::pages::{Page, below, broken_links};
use book::snippets::{Snippet, check};
use book::walk::{commands, is_fragment, resolves, walk, walk_beside_server};
use book::{in_place, write};
use bothends::diagnostic::codes;
use bothends::{Builder, Config};
use bothends_tests::root;

const SOURCE: &str = "docs/guide/src";

/// Pages that are walked through, each by a test below.
const WALKED: &[&str] = &[
    "build-script",
    "client/calls",
    "committed-crate",
    "example",
    "fit-your-project",
    "module",
    "overlays",
    "own-types",
    "quick-start",
    "server/handlers",
    "server/testing",
    "testing/checked-responses",
    "testing/contract",
    "testing/examples",
    "testing/values",
    "webhooks/receiving",
    "webhooks/sending",
];

fn pages() -> Vec<Page> {
    below(&root(), SOURCE)
}

fn page(name: &str) -> Page {
    assert!(WALKED.contains(&name), "{name} is not listed");
    Page::read(&root(), format!("{SOURCE}/{name}.md"))
}

/// The name of a page: its path in the guide without the ending.
fn name(page: &Page) -> String {
    let path = page.path.strip_prefix(SOURCE).expect("a page of the guide");
    path.with_extension("").display().to_string()
}

fn all_blocks() -> Vec<(String, Block)> {
    let pages = pages();
    let named = pages.iter().flat_map(|page| {
        let blocks = blocks(&page.text).into_iter();
        blocks.map(|block| (name(page), block))
    });
    named.collect()
}

#[test]
fn the_summary_has_every_page_once() {
    let summary = Page::read(&root(), format!("{SOURCE}/SUMMARY.md"));
    let links = summary.text.split("](").skip(1);
    let listed: Vec<&str> = links.filter_map(|rest| rest.split(')').next()).collect();
    let unique: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), unique.len(), "a page is listed twice");
    let names: BTreeSet<String> = pages().iter().map(|page| name(page) + ".md").collect();
    let mut pages: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    pages.remove("SUMMARY.md");
    assert_eq!(unique, pages);
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let mut pages = below(&root, "docs");
    for folder in [
        "runtime",
        "delivery",
        "generator",
        "templates",
        "examples",
        "spec",
        "tests",
    ] {
        if root.join(folder).is_dir() {
            pages.extend(below(&root, folder));
        }
    }
    for page in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ] {
        if root.join(page).exists() {
            pages.push(Page::read(&root, page));
        }
    }
    let broken = broken_links(&root, &pages);
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn every_code_that_a_page_names_exists() {
    let mut unknown = Vec::new();
    for page in pages() {
        for (number, line) in page.prose() {
            let spans = line.split('`').skip(1).step_by(2);
            let codes = spans.filter(|span| {
                let digits = span.strip_prefix(['E', 'W', 'N']).unwrap_or_default();
                digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
            });
            let missing = codes.filter(|code| codes::find(code).is_none());
            unknown.extend(missing.map(|code| format!("{}:{number}: {code}", page.path.display())));
        }
    }
    assert!(unknown.is_empty(), "\n{}", unknown.join("\n"));
}

/// Types and functions of other crates that pages name.
const FOREIGN: &[&str] = &[
    "ClientConfig",
    "CryptoProvider",
    "Pet",
    "Runtime",
    "Status",
    "clock_timestamp",
    "into",
    "new_with_client",
];

#[test]
fn every_method_that_a_page_names_exists() {
    let dir = tempfile::tempdir().expect("a folder");
    shop_api(dir.path());
    let generator = "bothends = { path = \"../bothends/generator\", default-features = false }\nbothends-delivery";
    let manifest = MANIFEST
        .replacen("bothends-delivery", generator, 1)
        .replacen("\"validate\"", "\"gzip\", \"tracing\", \"validate\"", 1);
    write(dir.path(), "Cargo.toml", &in_place(&manifest));
    write(dir.path(), "src/lib.rs", "");
    // With a member of the workspace, cargo finds the dependencies of the given members only.
    let packages = [
        "guide-snippets",
        "bothends",
        "bothends-delivery",
        "bothends-runtime",
        "shop-api",
    ];
    let names = Names::read(dir.path(), &packages);
    let pages = pages()
        .into_iter()
        .flat_map(|page| names.missing(&page, FOREIGN));
    let missing: Vec<String> = pages.collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// Dependencies of the crate of all snippets.
const MANIFEST: &str = r#"
[package]
name = "guide-snippets"
version = "0.0.0"
edition = "2024"

[dependencies]
aws-lc-rs = { version = "1", default-features = false, features = ["aws-lc-sys"] }
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
base64 = "0.23"
bothends-delivery = { path = "../bothends/delivery", features = ["admin", "idempotency", "postgres", "trace-context", "typed-filters"] }
bothends-runtime = { path = "../bothends/runtime", features = ["check-responses", "idempotency", "jwks", "metrics", "sample", "serve", "test", "trace-context", "validate"] }
futures-core = "0.3"
hex = "0.4"
opentelemetry = { version = "0.33", default-features = false, features = ["trace"] }
opentelemetry-http = { version = "0.33", default-features = false }
rustls = "0.23"
shop-api = { path = "shop-api", features = ["reqwest", "tokens"] }
tokio = { version = "1", features = ["macros", "net", "rt-multi-thread", "signal", "sync", "time"] }
tokio-stream = { version = "0.1", features = ["sync", "time"] }
tower = { version = "0.5", features = ["util"] }
tracing = { version = "0.1", default-features = false }
tracing-opentelemetry = { version = "0.34", default-features = false }
url = "2"

[workspace]
members = ["shop-api"]
"#;

/// Generates the crate of the example API beside a project.
pub(super) fn shop_api(dir: &Path) {
    let builder = Builder::new(root().join("docs/guide/specs/shop.yaml"))
        .name("shop-api")
        .out_dir(dir.join("shop-api"))
        .runtime_path(root().join("runtime"))
        .workspace_member(true)
        .unimplemented_handlers(true);
    let plan = builder.plan().expect("a plan");
    assert!(
        plan.diagnostics.iter().next().is_none(),
        "{}",
        plan.report()
    );
    for file in &plan.files {
        write(&dir.join("shop-api"), &file.path, &file.text);
    }
}

#[test]
fn every_snippet_compiles() {
    let dir = tempfile::tempdir().expect("a folder");
    shop_api(dir.path());
    let blocks = all_blocks().into_iter();
    let rust = blocks.filter(|(_, block)| block.language == "rust" && block.file().is_none());
    let snippets = rust.map(|(page, block)| Snippet {
        module: format!("{}_{}", page.replace(['/', '-'], "_"), block.line),
        place: format!("{SOURCE}/{page}.md:{}", block.line),
        text: in_place(&block.rust()),
    });
    let snippets: Vec<Snippet> = snippets.collect();
    assert!(snippets.len() > 30, "{} snippets", snippets.len());
    check(dir.path(), &in_place(MANIFEST), &snippets);
}

#[test]
fn a_page_with_commands_is_walked_through() {
    let blocks = all_blocks().into_iter();
    let with_commands = blocks.filter(|(_, block)| block.language == "console");
    let names: BTreeSet<String> = with_commands.map(|(page, _)| page).collect();
    let generated = ["reference/command-line", "reference/configuration"];
    let ours = names.iter().map(String::as_str);
    let ours: Vec<&str> = ours.filter(|name| !generated.contains(name)).collect();
    assert_eq!(ours, WALKED);
}

#[test]
fn configuration_and_documents_can_be_read() {
    let dir = tempfile::tempdir().expect("a folder");
    shop_api(dir.path());
    for (page, block) in all_blocks() {
        let place = format!("{SOURCE}/{page}.md:{}", block.line);
        let file = block.file().unwrap_or_default();
        match block.language.as_str() {
            "toml" => {
                let is_key = page == "reference/configuration";
                assert!(
                    is_key || !file.is_empty(),
                    "{place} does not say which file it is"
                );
                if is_key || file.ends_with("bothends.toml") {
                    Config::parse(&block.text, Path::new("")).expect(&place);
                } else if is_fragment(&block) {
                    resolves(&block.text, dir.path());
                }
            }
            "yaml" => {
                let read: Result<serde_yaml::Value, _> = serde_yaml::from_str(&block.text);
                assert!(read.is_ok(), "{place}: {read:?}");
            }
            "console" => assert!(!commands(&block.text).is_empty(), "{place} has no command"),
            "rust" => {
                assert!(block.flags.is_empty(), "{place} has flags");
                let what =
                    "has lines that begin with `#`: put them into a comment `<!-- around` above";
                assert!(!block.has_hidden_lines(), "{place} {what}");
            }
            "text" | "sql" | "sh" | "python" => {}
            other => panic!("{place}: what is `{other}`?"),
        }
    }
}

#[test]
fn quick_start() {
    walk(&page("quick-start"));
}

#[test]
fn example() {
    walk(&page("example"));
}

#[test]
fn the_page_of_the_example_shows_its_document() {
    let path = root().join(SOURCE).join("example.md");
    let page = std::fs::read_to_string(&path).expect("a page");
    let document = std::fs::read_to_string(root().join("docs/guide/specs/shop.yaml"));
    let (before, _) = page.split_once("```yaml\n").expect("a block of YAML");
    let expected = format!("{before}```yaml\n{}```\n", document.expect("a document"));
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::write(&path, expected).expect("written");
        return;
    }
    let update = "UPDATE_GUIDE=1 cargo test -p bothends-tests --test projects guide::the_page";
    assert!(
        page == expected,
        "example.md is not up to date; run\n  {update}"
    );
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn build_script() {
    walk_beside_server(&page("build-script"), r#"{"state": "up and running"}"#);
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn committed_crate() {
    walk(&page("committed-crate"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn fit_your_project() {
    walk(&page("fit-your-project"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn module() {
    walk(&page("module"));
}

#[test]
fn overlays() {
    walk(&page("overlays"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn own_types() {
    walk(&page("own-types"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn client_calls() {
    walk(&page("client/calls"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn server_handlers() {
    walk(&page("server/handlers"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn server_testing() {
    walk(&page("server/testing"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn checked_responses() {
    walk(&page("testing/checked-responses"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn generated_values() {
    walk(&page("testing/values"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn contract_tests() {
    walk(&page("testing/contract"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn testing_examples() {
    walk(&page("testing/examples"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn webhooks_receiving() {
    walk(&page("webhooks/receiving"));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn webhooks_sending() {
    walk(&page("webhooks/sending"));
}
