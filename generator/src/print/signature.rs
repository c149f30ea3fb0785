//! Formatting of signatures. prettyplease breaks them, and their return types, early.

use super::expression;
use super::lines::{INDENT, joined, whole_types};

/// Returns an impl or a trait with the signatures of its methods on one line where they fit, and
/// otherwise with a parameter per line. `width` is the number of columns.
pub(super) fn shorten(printed: &str, width: usize) -> String {
    let mut text = String::with_capacity(printed.len());
    let mut lines = printed.lines().peekable();
    while let Some(line) = lines.next() {
        if !opens(line) {
            text.push_str(line);
            text.push('\n');
            body(&mut text, line, &mut lines, width);
            continue;
        }
        let mut parameters = Vec::new();
        while let Some(parameter) = lines.next_if(|line| !line.starts_with("    )")) {
            parameters.push(parameter);
        }
        let whole = whole_types(parameters.iter().copied());
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        if whole
            .iter()
            .all(|line| line.chars().count() <= width + PARAMETER)
        {
            parameters = whole;
        }
        let mut end = vec![lines.next().unwrap_or_default()];
        // A return type of several lines.
        while end.last().is_some_and(|line| line.ends_with(['<', ','])) {
            end.extend(lines.next());
        }
        signature(&mut text, line, &parameters, &end, width);
        body(&mut text, end.last().unwrap_or(&""), &mut lines, width);
    }
    text
}

/// Appends the body of a function, if it begins after a line.
fn body<'l>(
    text: &mut String,
    line: &str,
    lines: &mut std::iter::Peekable<impl Iterator<Item = &'l str>>,
    width: usize,
) {
    let is_member = |line: &str| line.starts_with(INDENT) && !line[INDENT.len()..].starts_with(' ');
    if is_member(line) && line.ends_with('{') && !line.trim_start().starts_with("//") {
        let inner = std::iter::from_fn(|| lines.next_if(|line| *line != "    }"));
        expression::body(text, &inner.collect::<Vec<_>>(), 2, width);
    }
}

/// Returns `true` if a line opens the parameters of a method that has one parameter per line.
fn opens(line: &str) -> bool {
    let member = line.strip_prefix(INDENT);
    let words = member.and_then(|line| line.strip_suffix('('));
    words.is_some_and(|words| {
        words.starts_with("fn ") || words.starts_with("pub fn ") || words.contains(" fn ")
    })
}

fn signature(text: &mut String, head: &str, parameters: &[&str], end: &[&str], width: usize) {
    let end_line = joined(end);
    let inner: Option<Vec<&str>> = parameters.iter().map(|line| parameter(line)).collect();
    let whole = |inner: &[&str]| format!("{head}{}{}", inner.join(", "), end_line.trim_start());
    match inner {
        Some(inner) if whole(&inner).chars().count() <= width => {
            return push(text, &[&whole(&inner)]);
        }
        _ => {
            push(text, &[head]);
            push(text, parameters);
        }
    }
    let before_brace = end_line.strip_suffix(" {");
    match before_brace.filter(|line| line.chars().count() <= width + TYPE) {
        Some(line) if line.chars().count() + BRACE <= width => push(text, &[&end_line]),
        None if end_line.chars().count() <= width => push(text, &[&end_line]),
        Some(line) => push(text, &[line, "    {"]),
        None => push(text, end),
    }
}

/// The columns that rustfmt leaves behind a return type with a brace.
const BRACE: usize = 6;

/// The columns by which rustfmt lets a parameter be longer than a line before it breaks its type.
const PARAMETER: usize = 5;

/// The columns by which rustfmt lets a return type be longer than a line before it breaks it.
const TYPE: usize = 2;

fn push(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

/// Returns a parameter that has a line of its own, without the comma.
fn parameter(line: &str) -> Option<&str> {
    let line = line.strip_prefix(INDENT)?.strip_prefix(INDENT)?;
    let line = line.strip_suffix(',')?;
    (!line.starts_with([' ', '#', '/'])).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::super::lines::WIDTH;
    use super::shorten;

    #[test]
    fn a_signature_is_one_line_where_it_fits() {
        let printed = "\
impl Client {
    pub fn get(
        &self,
        request: impl Into<GetRequest>,
    ) -> ResponseFuture<'_, Get, GetError> {
        self.send()
    }
}
";
        let wanted = "\
impl Client {
    pub fn get(&self, request: impl Into<GetRequest>) -> ResponseFuture<'_, Get, GetError> {
        self.send()
    }
}
";
        assert_eq!(shorten(printed, WIDTH), wanted);
    }

    #[test]
    fn the_parameters_of_a_long_signature_have_lines_of_their_own() {
        let long = "x".repeat(60);
        let printed = format!(
            "impl A {{\n    fn get(\n        &self,\n        a: {long},\n        b: {long},\n    ) -> B\n    where\n"
        );
        assert_eq!(shorten(&printed, WIDTH), printed);
    }

    #[test]
    fn a_return_type_is_one_line_where_it_fits() {
        let (response, long) = ("R".repeat(30), "L".repeat(79));
        for (ty, end) in [(&response, " {"), (&long, "\n    {")] {
            let printed = format!(
                "impl A {{\n    fn get(\n        &self,\n    ) -> Future<\n        '_,\n        {ty},\n    > {{\n"
            );
            let ty = format!("Future<'_, {ty}>");
            let wanted = match end {
                " {" => format!("impl A {{\n    fn get(&self) -> {ty} {{\n"),
                end => format!("impl A {{\n    fn get(\n        &self,\n    ) -> {ty}{end}\n"),
            };
            assert_eq!(shorten(&printed, WIDTH), wanted);
        }
    }

    #[test]
    fn a_parameter_with_an_attribute_is_left_alone() {
        let printed =
            "trait A {\n    fn get(\n        #[doc = \"A\"]\n        a: A,\n    ) -> B;\n}\n";
        assert_eq!(shorten(printed, WIDTH), printed);
    }

    #[test]
    fn a_body_of_one_expression_is_one_line_where_it_fits() {
        let body = |lines: &str| format!("impl A {{\n    fn a() {{\n{lines}    }}\n}}\n");
        let printed = body("        self.send(\n            1,\n        )\n");
        assert_eq!(shorten(&printed, WIDTH), body("        self.send(1)\n"));
        let several = body("        let a = send(\n            1,\n        );\n        a\n");
        assert_eq!(shorten(&several, WIDTH), several);
    }
}
