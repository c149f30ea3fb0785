//! Tests of queries.

use std::cell::Cell;

use super::Query;
use crate::position::Pointer;
use crate::source::{Value, read::read};

fn value(text: &str) -> Value {
    read(text, true).expect("JSON").value
}

fn selected(query: &str, document: &Value) -> Result<Vec<Pointer>, String> {
    let query = Query::parse(query)
        .map_err(|error| format!("{} at character {}", error.message, error.character))?;
    let visits = Cell::new(10_000_000);
    query
        .select(document, &visits)
        .map_err(|_| "exhausted".to_owned())
}

fn pointers(query: &str, document: &str) -> Vec<String> {
    let found = selected(query, &value(document)).expect("a query");
    found.iter().map(ToString::to_string).collect()
}

/// The document of RFC 9535, section 1.5, in short.
const STORE: &str = r#"{"store":{"book":[{"category":"reference","price":8.95},
    {"category":"fiction","price":12.99},{"category":"fiction","isbn":"0-553","price":8.99}],
    "bicycle":{"color":"red","price":399}}}"#;

#[test]
fn nodes_are_selected_in_order() {
    for (query, expected) in [
        ("$", &["#"][..]),
        ("$.store.bicycle['color']", &["#/store/bicycle/color"]),
        ("$.store.book[-1].price", &["#/store/book/2/price"]),
        (
            "$.store.book[:2].price",
            &["#/store/book/0/price", "#/store/book/1/price"],
        ),
        ("$..book[?@.price < 10 && !@.isbn]", &["#/store/book/0"]),
        (
            "$..*[?match(@.category, 'fic.*')].price",
            &["#/store/book/1/price", "#/store/book/2/price"],
        ),
        (
            "$.store[?length(@) == 3][?count(@.*) > 2]",
            &["#/store/book/2"],
        ),
        (
            "$..[?@.price == $.store.bicycle.price]",
            &["#/store/bicycle"],
        ),
        ("$.nothing..*", &[]),
    ] {
        assert_eq!(pointers(query, STORE), expected, "{query}");
    }
}

#[test]
fn errors_name_the_character() {
    let error = |query: &str| selected(query, &Value::Null).expect_err("an error");
    assert_eq!(
        error("$.paths./pets"),
        "expected a name or `*`; other names are written as `['name']` at character 9"
    );
    assert_eq!(error("paths"), "expected `$` at character 1");
    assert_eq!(
        error("$.é["),
        "expected a name in quotes, an index, a slice, `*` or `?` at character 5"
    );
    assert_eq!(
        error("$[?@.*==1]"),
        "a query that may select several nodes is not a value at character 10"
    );
    assert!(error(&format!("${}", "[?@".repeat(9))).starts_with("more than 8 nested filters"));
    assert!(error(&format!("$[?{}", "(".repeat(100_000))).starts_with("more than 32 parentheses"));
}

#[test]
fn visits_are_bounded() {
    let mut document = Value::Null;
    for _ in 0..100 {
        document = Value::Array(vec![document.clone(), Value::Null]);
    }
    assert_eq!(
        selected("$..*..*..*..*..*..*..*", &document),
        Err("exhausted".to_owned())
    );
    let filters = "$..[?count($..[?count($..[?count($..*)>0])>0])>0]";
    assert_eq!(selected(filters, &document), Err("exhausted".to_owned()));
}

/// Returns how many visits a query takes.
fn visits(query: &str, document: &Value) -> usize {
    let budget = Cell::new(10_000_000);
    let query = Query::parse(query).expect("a query");
    query.select(document, &budget).expect("few visits");
    10_000_000 - budget.get()
}

#[test]
fn slices_are_not_listed() {
    let slice = |start, end, step| super::Slice { start, end, step }.indices(usize::MAX);
    assert_eq!(slice(None, None, 1).nth(2), Some(2));
    assert_eq!(slice(None, None, -1).next(), Some(usize::MAX / 2 - 1));
    assert_eq!(slice(Some(5), Some(1), -2).collect::<Vec<_>>(), [5, 3]);
    assert_eq!(slice(None, None, 0).next(), None);
    let items = Value::Array(vec![Value::Null; 1_000]);
    let all = visits("$[?$[::]]", &items);
    assert!(all < 21 * 1_000, "{all}");
    assert!(visits("$[?count($[::]) > 0]", &items) > 1_000 * 1_000);
}

#[test]
fn long_texts_take_visits() {
    let long = "k".repeat(160_000);
    let text = Value::String(long.clone());
    let object = || Value::Object([(long.clone(), text.clone())].into_iter().collect());
    let pair = Value::Array(vec![object(), object()]);
    for (query, least) in [
        // The name, and the pointer of each node.
        (format!("$[0]['{long}']"), 10_000 + 160_000),
        ("$[*].*".to_owned(), 2 * 160_000),
        // A name and a text of each.
        ("$[?$[0] == $[1]]".to_owned(), 2 * 20_000),
        (format!("$[?@['{long}'] < $[0]['{long}']]"), 2 * 30_000),
    ] {
        let taken = visits(&query, &pair);
        let most = least + 1_000;
        assert!((least..most).contains(&taken), "{taken}, not {least}");
    }
}

#[test]
fn regular_expressions_take_visits() {
    let texts = |length: usize| Value::Array(vec![Value::String("ab".repeat(length / 2))]);
    let search = |pattern: &str, length| {
        let query = format!("$[?search(@, '{pattern}')]");
        selected(&query, &texts(length)).map(|found| found.len())
    };
    let exhausted = Err("exhausted".to_owned());
    assert_eq!(search("[ab]*a[ab]{1000}[^ab]", 80_000), exhausted);
    assert_eq!(search("([ab]{100}){1000}", 100), exhausted);
    assert_eq!(search("ab+a", 80_000), Ok(1));
    // A literal pattern is compiled once, and only if there is a text.
    let many = Value::Array(vec![Value::from("ab"); 1_000]);
    assert!(visits("$[?search(@, '[ab]{100}')]", &many) < 2_000_000);
    assert!(visits("$[?search(@, '[ab]{100}')]", &Value::Null) < 10);
}

#[test]
fn the_compliance_suite_is_passed() {
    let beside = || bothends_test_environment::corpus_folder().join("jsonpath/cts.json");
    let file = std::env::var_os("BOTHENDS_JSONPATH_SUITE").map_or_else(beside, Into::into);
    let Ok(text) = std::fs::read_to_string(&file) else {
        bothends_test_environment::skipped(
            "the_compliance_suite_is_passed",
            &format!("no JSONPath compliance suite at {}", file.display()),
            "set BOTHENDS_JSONPATH_SUITE to the file `cts.json` of jsonpath-compliance-test-suite",
        );
        return;
    };
    let suite = value(&text);
    let tests = suite.get("tests").and_then(Value::as_array).expect("tests");
    let mut failed = Vec::new();
    for test in tests {
        let text = |key| test.get(key).and_then(Value::as_str).expect("a string");
        let document = test.get("document").unwrap_or(&Value::Null);
        let found = selected(text("selector"), document);
        let passed = if test.get("invalid_selector").is_some() {
            found.is_err()
        } else {
            found
                .as_ref()
                .is_ok_and(|found| is_expected(test, document, found))
        };
        if !passed {
            failed.push(format!("{}: {}: {found:?}", text("name"), text("selector")));
        }
    }
    assert!(tests.len() > 700 && failed.is_empty(), "{failed:#?}");
}

/// Returns whether nodes are those of a case, which may accept several orders.
fn is_expected(test: &Value, document: &Value, found: &[Pointer]) -> bool {
    let values = found.iter().map(|pointer| {
        let mut node = document;
        for segment in pointer.segments() {
            node = match node {
                Value::Array(items) => &items[segment.parse::<usize>().expect("an index")],
                other => other.get(&segment).expect("an entry"),
            };
        }
        node.clone()
    });
    let values = Value::Array(values.collect());
    match test.get("result") {
        Some(result) => *result == values,
        None => {
            let results = test.get("results").and_then(Value::as_array);
            results.is_some_and(|results| results.contains(&values))
        }
    }
}
