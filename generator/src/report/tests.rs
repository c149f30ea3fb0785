//! Tests of diagnostics and their rendering.

use super::{Style, render_human, render_json};
use crate::diagnostic::{Diagnostics, Severity, codes};
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Sources, load_text};

const TEXT: &str = "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      responses: nothing\n";

fn origin(pointer: &str) -> Origin {
    Origin::new(FileId(0), Pointer::parse(pointer))
}

/// Returns one error and one warning for one file.
fn sample() -> (Diagnostics, Sources) {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    load_text("dir/api.yaml", TEXT, &mut sources, &mut diagnostics).unwrap();
    let wrong = origin("#/paths/~1a/get/responses");
    diagnostics
        .report(
            codes::WRONG_TYPE,
            &wrong,
            "expected an object for `responses`, found a string",
        )
        .help("write `responses: {}`");
    diagnostics
        .report(
            codes::UNTYPED_PARAMETER,
            &origin("#/paths/~1a/get/x"),
            "no\nschema",
        )
        .note("so it is text");
    (diagnostics, sources)
}

#[test]
fn people_see_the_line_the_pointer_and_the_help() {
    let (diagnostics, sources) = sample();
    let wanted = "\
error[E0103]: expected an object for `responses`, found a string
 --> dir/api.yaml:5:18
  |
5 |       responses: nothing
  |                  ^^^^^^^ here
  |
  = note: #/paths/~1a/get/responses
  = help: write `responses: {}`

warning[W0103]: no schema
 --> dir/api.yaml:4:5
  |
4 |     get:
  |     ^^^ here
  |
  = note: #/paths/~1a/get/x
  = note: so it is text
  = help: add `schema: { type: string }`, or the type that the parameter has

";
    assert_eq!(render_human(&diagnostics, &sources, Style::Plain), wanted);
    let coloured = render_human(&diagnostics, &sources, Style::Coloured);
    assert!(coloured.contains("\u{1b}["), "{coloured}");
}

#[test]
fn many_warnings_of_one_code_are_counted_and_errors_are_not() {
    let (mut diagnostics, sources) = sample();
    for number in 0..6 {
        let place = origin("#/paths/~1a/get");
        diagnostics.report(codes::UNTYPED_PARAMETER, &place, format!("no {number}"));
        diagnostics.report(codes::WRONG_TYPE, &place, format!("wrong {number}"));
    }
    let human = render_human(&diagnostics, &sources, Style::Plain);
    assert_eq!(human.matches("warning[W0103]").count(), 3);
    assert_eq!(human.matches("error[E0103]").count(), 7);
    let last = "note: 4 more of warning W0103; `bothends lint --message-format json` lists all";
    assert_eq!(human.trim_end().lines().last(), Some(last));
    let reported = render_json(&diagnostics, &sources);
    assert_eq!(reported.lines().count(), diagnostics.len());
}

#[test]
fn programs_get_one_object_a_line() {
    let (mut diagnostics, sources) = sample();
    diagnostics.report_general(codes::FILE_UNREADABLE, "gone");
    let wanted = "\
{\"code\":\"E0103\",\"severity\":\"error\",\"message\":\"expected an object for `responses`, found a string\",\
\"file\":\"dir/api.yaml\",\"line\":5,\"column\":18,\"pointer\":\"#/paths/~1a/get/responses\",\
\"help\":\"write `responses: {}`\"}
{\"code\":\"W0103\",\"severity\":\"warning\",\"message\":\"no\\nschema\",\"file\":\"dir/api.yaml\",\
\"line\":4,\"column\":5,\"pointer\":\"#/paths/~1a/get/x\",\
\"help\":\"add `schema: { type: string }`, or the type that the parameter has\"}
{\"code\":\"E0001\",\"severity\":\"error\",\"message\":\"gone\",\"file\":null,\"line\":null,\"column\":null,\
\"pointer\":null,\"help\":\"check the path and the permissions of the file\"}
";
    assert_eq!(render_json(&diagnostics, &sources), wanted);
}

#[test]
fn a_syntax_error_is_shown_where_it_is() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    assert!(
        load_text(
            "a.json",
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            &mut sources,
            &mut diagnostics
        )
        .is_none()
    );
    let wanted = "\
error[E0003]: expected `,` or `}`
 --> a.json:3:3
  |
3 |   \"b\": 2
  |   ^^^ here
  |
  = help: correct the syntax at this place

";
    assert_eq!(render_human(&diagnostics, &sources, Style::Plain), wanted);
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let filler = "\"f\":0,".repeat(500);
    let text = format!("{{{filler}\"paths\":{{\"/a\":\"x\"}},{filler}\"z\":0}}");
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    // The filler repeats a key, whose diagnostics are discarded.
    load_text("a.json", &text, &mut sources, &mut Diagnostics::new()).unwrap();
    diagnostics.report(codes::WRONG_TYPE, &origin("#/paths/~1a"), "wrong");
    let human = render_human(&diagnostics, &sources, Style::Plain);
    assert!(human.contains(" --> a.json:1:3016\n"), "{human}");
    assert!(
        human.lines().all(|line| line.chars().count() < 200),
        "{human}"
    );
    let code = human.lines().find(|line| line.starts_with("1 |")).unwrap();
    let mark = human.lines().find(|line| line.contains('^')).unwrap();
    assert_eq!(code.find("\"x\""), mark.find("^^^"), "{human}");
}

#[test]
fn documents_cannot_write_to_the_terminal() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = "{\"a\u{202e}\u{7f}\": 1}";
    load_text("a.json", text, &mut sources, &mut diagnostics).unwrap();
    diagnostics
        .report(
            codes::WRONG_TYPE,
            &origin("#/a\u{202e}\u{7f}"),
            "bad \u{1b}[31m \u{202e}\n name",
        )
        .help("\u{1b}[2J");
    let human = render_human(&diagnostics, &sources, Style::Plain);
    assert!(
        !human.contains(['\u{1b}', '\u{202e}', '\u{7f}']),
        "{human:?}"
    );
}

#[test]
fn an_allowed_error_is_a_warning_and_an_allowed_warning_is_silent() {
    let mut diagnostics = Diagnostics::new();
    diagnostics.allow("e0103").unwrap();
    diagnostics.allow("W0103").unwrap();
    diagnostics.report(codes::WRONG_TYPE, &origin("#/a"), "x");
    diagnostics
        .report(codes::UNTYPED_PARAMETER, &origin("#/b"), "y")
        .help("dropped");
    diagnostics.finish();
    let all: Vec<_> = diagnostics
        .iter()
        .map(|it| (it.code.id, it.severity))
        .collect();
    assert_eq!(all, [("E0103", Severity::Warning)]);
    assert!(!diagnostics.has_errors());
}

#[test]
fn an_allowance_that_does_nothing_is_an_error() {
    let mut diagnostics = Diagnostics::new();
    diagnostics.allow("E0103").unwrap();
    diagnostics.allow("E0202").unwrap();
    diagnostics.report(codes::CYCLIC_REFERENCE, &origin("#/a"), "x");
    diagnostics.finish();
    let all: Vec<_> = diagnostics
        .iter()
        .map(|it| {
            format!(
                "{} {} ({})",
                it.code.id,
                it.message,
                it.help.as_deref().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        all,
        [
            "E0202 x (replace one `$ref` of the cycle by the object itself)",
            "E0008 `E0103` is allowed, but was not reported (remove the allowance of `E0103`)",
            "E0008 `E0202` is allowed, but was not reported (`E0202` cannot be allowed; remove the allowance)",
        ]
    );
    assert_eq!(
        diagnostics.allow("E9999").unwrap_err().to_string(),
        "unknown diagnostic code `E9999`"
    );
}

#[test]
fn repeated_diagnostics_are_reported_once() {
    let mut diagnostics = Diagnostics::new();
    for _ in 0..2 {
        diagnostics
            .report(codes::WRONG_TYPE, &origin("#/a"), "x")
            .note("n");
    }
    diagnostics.report(codes::WRONG_TYPE, &origin("#/b"), "x");
    assert_eq!(diagnostics.len(), 2);
    assert_eq!(diagnostics.iter().next().unwrap().notes, ["n"]);
}

#[test]
fn of_very_many_warnings_some_are_listed_and_all_are_counted() {
    let (mut diagnostics, sources) = sample();
    for number in 0..50_000 {
        // Found in two ways, each diagnostic counts once.
        for _ in 0..2 {
            diagnostics
                .report(codes::UNTYPED_PARAMETER, &origin("#/a"), number.to_string())
                .help("x");
        }
    }
    diagnostics.allow("E0103").unwrap();
    assert_eq!(diagnostics.len(), 51);
    assert_eq!(diagnostics.count(Severity::Warning), 50_001);
    assert_eq!(diagnostics.count(Severity::Error), 1);
    let human = render_human(&diagnostics, &sources, Style::Plain);
    let last = "note: 49998 more of warning W0103; `bothends lint --message-format json` \
                lists the first 50";
    assert_eq!(human.trim_end().lines().last(), Some(last));
    let last = "{\"code\":\"W0103\",\"severity\":\"warning\",\"message\":\"49951 more like this\",\
                \"file\":null,\"line\":null,\"column\":null,\"pointer\":null,\"help\":null}";
    let json = render_json(&diagnostics, &sources);
    assert_eq!(json.lines().last(), Some(last));
}

#[test]
fn of_very_many_errors_some_are_listed_and_all_are_counted() {
    let mut found = Diagnostics::new();
    for number in 0..1_000 {
        found.report(codes::WRONG_TYPE, &origin("#/a"), number.to_string());
    }
    let mut diagnostics = Diagnostics::new();
    let list: Vec<_> = found.iter().cloned().collect();
    diagnostics.absorb(&list);
    assert_eq!(diagnostics.len(), 200);
    assert_eq!(diagnostics.count(Severity::Error), 1_000);
    let human = render_human(&diagnostics, &Sources::new(), Style::Plain);
    assert!(human.ends_with("note: 800 more of error E0103\n\n"));
}

#[test]
fn long_texts_are_cut() {
    let (mut diagnostics, sources) = (Diagnostics::new(), Sources::new());
    let long = "x".repeat(1_000_000);
    diagnostics
        .report_general(codes::FILE_UNREADABLE, long.clone())
        .note(long.clone())
        .help(long);
    let human = render_human(&diagnostics, &sources, Style::Plain);
    assert!(human.len() < 10_000, "{}", human.len());
}

#[test]
fn a_warning_that_repeats_is_listed_once_with_its_places() {
    let (mut diagnostics, sources) = sample();
    let mut found = Diagnostics::new();
    for pointer in [
        "#/openapi",
        "#/paths",
        "#/paths/~1a",
        "#/paths/~1a/get",
        "#/paths",
    ] {
        found.report(codes::IGNORED, &origin(pointer), "the same");
    }
    let list: Vec<_> = found.iter().cloned().collect();
    diagnostics.absorb(&list);
    diagnostics.report(codes::MEDIA_TYPE_LEFT_OUT, &origin("#/openapi"), "left out");
    assert_eq!(diagnostics.count(Severity::Warning), 2);
    assert_eq!(diagnostics.count(Severity::Note), 1);
    let human = render_human(&diagnostics, &sources, Style::Plain);
    let wanted = "\
warning[W0107]: the same
 --> dir/api.yaml:1:10
  |
1 | openapi: 3.0.3
  |          ^^^^^ here
  |
  = note: #/openapi
  = note: the same at 3 more places, the next at dir/api.yaml:2:1 and dir/api.yaml:3:3
  = help: correct or remove the value

note[N0309]: left out
";
    assert!(human.contains(wanted), "{human}");
    let json = render_json(&diagnostics, &sources);
    let line = json.lines().find(|line| line.contains("W0107"));
    let wanted = "\"repeated\":3,\"further\":[\
        {\"file\":\"dir/api.yaml\",\"line\":2,\"column\":1,\"pointer\":\"#/paths\"},\
        {\"file\":\"dir/api.yaml\",\"line\":3,\"column\":3,\"pointer\":\"#/paths/~1a\"}]}";
    assert!(line.is_some_and(|line| line.ends_with(wanted)), "{json}");
}
