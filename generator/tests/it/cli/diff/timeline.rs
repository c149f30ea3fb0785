//! `bothends changelog --format html`: a page for the history of a document, which is hostile input.

use super::super::{Folder, PETS};
use super::{commit, git, history};

/// Elements that have no end tag in HTML. The page closes them as XML does.
const VOID: [&str; 1] = ["meta"];

/// A page that was read: its texts, and its attributes with their values.
#[derive(Default)]
struct Page {
    texts: Vec<String>,
    attributes: Vec<(String, String)>,
    elements: Vec<String>,
}

/// Reads a page as XML: every element is closed in order, every value is quoted, and every `&` is
/// one of five entities.
fn read(page: &str) -> Page {
    let body = page
        .strip_prefix("<!DOCTYPE html>\n")
        .expect("a document type");
    let (mut read, mut open) = (Page::default(), Vec::new());
    let mut rest = body;
    while let Some((text, after)) = rest.split_once('<') {
        read.texts.push(unescape(text));
        let (tag, after) = after.split_once('>').expect("the end of a tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{rest:.200}");
            continue;
        }
        let (tag, closed) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, mut values) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(
            name.chars()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        );
        assert_eq!(closed, VOID.contains(&name), "{name}");
        while let Some((key, after)) = values.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("the end of a value");
            read.attributes.push((key.to_owned(), unescape(value)));
            values = after;
        }
        assert_eq!(values.trim(), "", "{tag}");
        read.elements.push(name.to_owned());
        if !closed {
            open.push(name.to_owned());
        }
    }
    assert_eq!((open.len(), rest.trim()), (0, ""));
    read
}

fn unescape(text: &str) -> String {
    assert!(!text.contains('>'), "{text}");
    let mut parts = text.split('&');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("an entity");
        whole.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            other => {
                assert_eq!(other, "#39");
                '\''
            }
        });
        whole.push_str(after);
    }
    whole
}

fn page(folder: &Folder, document: &str, since: &str) -> String {
    folder.ok(&["changelog", document, "--since", since, "--format", "html"])
}

/// Asserts that nothing is fetched or run.
fn alone(page: &Page) {
    let loaded = [
        "script", "link", "img", "iframe", "object", "embed", "base", "form", "svg",
    ];
    let found = page
        .elements
        .iter()
        .find(|name| loaded.contains(&name.as_str()));
    assert_eq!(found, None);
    for (key, value) in &page.attributes {
        assert!(
            !key.starts_with("on") && key != "src" && key != "style",
            "{key}={value}"
        );
        assert!(key != "href" || value.starts_with("#c"), "{value}");
    }
    let style = page
        .texts
        .iter()
        .filter(|text| text.contains("url(") || text.contains("@import"));
    assert_eq!(style.count(), 0);
}

#[test]
fn a_page_has_the_commits_with_changes() {
    let folder = history();
    commit(&folder, "Add ages");
    let html = page(&folder, "spec/api.yaml", "v1.9.0");
    let read = read(&html);
    alone(&read);
    let headings = ["Add ages", "Add names"].map(|subject| {
        html.find(&format!("\">{subject}</h2>"))
            .unwrap_or_else(|| panic!("{subject}: {html}"))
    });
    assert!(headings[0] < headings[1], "the newest is first");
    assert!(
        html.contains("<strong class=\"tag\">v1.10.0</strong>"),
        "{html}"
    );
    assert!(html.contains(
        "2 commits with changes since <code>v1.9.0</code>: 0 breaking, 0 attention, 2 safe"
    ));
    assert!(
        html.contains("<summary class=\"safe\">safe: 1</summary>"),
        "{html}"
    );
    // Headings, tables and links are for readers of all kinds.
    let count = |name: &str| {
        read.elements
            .iter()
            .filter(|element| *element == name)
            .count()
    };
    assert_eq!((count("h1"), count("main"), count("article")), (1, 1, 2));
    assert_eq!(count("caption"), count("table"));
    let ids: Vec<&str> = read
        .attributes
        .iter()
        .filter(|(key, _)| key == "id")
        .map(|(_, id)| id.as_str())
        .collect();
    for (key, value) in &read.attributes {
        let target = value.strip_prefix('#').filter(|_| key == "href");
        let target = target.or((key == "aria-labelledby").then_some(value.as_str()));
        assert!(
            target.is_none_or(|target| ids.contains(&target)),
            "{key}={value}"
        );
    }
    assert!(
        read.attributes
            .contains(&("lang".to_owned(), "en".to_owned()))
    );
    // A history without changes is a page, too.
    let empty = page(&folder, "spec/api.yaml", "HEAD");
    assert!(empty.contains("0 commits with changes"), "{empty}");
    alone(&self::read(&empty));
}

#[test]
fn hostile_texts_are_escaped() {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    commit(&folder, "Add the document");
    git(&folder, &["tag", "v1"]);
    let name = "</li></details><script>alert('x')</script>&lt;`\\u202e\\u001b\\\"<img src=//a.test onerror=x>";
    let key = format!("        \"{name}\": {{ type: string }}\n        name:");
    folder.put("pets.yaml", &PETS.replace("        name:", &key));
    let subject = "</h2><script src='https://a.test/x.js'></script>\" onclick=\"x";
    commit(&folder, subject);
    git(&folder, &["tag", "v2<b>&"]);
    let html = page(&folder, "pets.yaml", "v1");
    let read = read(&html);
    alone(&read);
    assert!(
        !html.contains('\u{1b}') && !html.contains('\u{202e}'),
        "{html}"
    );
    let texts = read.texts.concat();
    for text in [
        subject,
        "v2<b>&",
        "</li></details><script>alert('x')</script>&lt;`",
    ] {
        assert!(texts.contains(text), "{text}: {texts}");
    }
}
