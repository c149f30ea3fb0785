//! Formatting of signatures. prettyplease breaks them, and their return types, early.

use super::lines::{INDENT, fill};

/// Returns an impl or a trait with the signatures of its methods on one line where they fit, and
/// otherwise with as many parameters per line as fit. `width` is the number of columns.
pub(super) fn shorten(printed: &str, width: usize) -> String {
    let mut text = String::with_capacity(printed.len());
    let mut lines = printed.lines().peekable();
    while let Some(line) = lines.next() {
        if !opens(line) {
            text.push_str(line);
            text.push('\n');
            continue;
        }
        let mut parameters = Vec::new();
        while let Some(parameter) = lines.next_if(|line| !line.starts_with("    )")) {
            parameters.push(parameter);
        }
        let mut end = vec![lines.next().unwrap_or_default()];
        // A return type of several lines.
        while end.last().is_some_and(|line| line.ends_with(['<', ','])) {
            end.extend(lines.next());
        }
        signature(&mut text, line, &parameters, &end, width);
    }
    text
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
        Some(inner) => {
            push(text, &[head]);
            fill(text, 2, inner, width);
        }
        // A parameter of several lines stays as it is.
        None => {
            push(text, &[head]);
            push(text, parameters);
        }
    }
    let before_brace = end_line.strip_suffix(" {");
    match before_brace.filter(|line| line.chars().count() <= width) {
        _ if end_line.chars().count() <= width => push(text, &[&end_line]),
        Some(line) => push(text, &[line, "    {"]),
        None => push(text, end),
    }
}

fn push(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

/// Returns the lines of a type as one.
pub(super) fn joined(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let part = if text.is_empty() { line } else { line.trim() };
        if part.starts_with('>') {
            text.truncate(text.trim_end_matches([',', ' ']).len());
        } else if text.ends_with(',') {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
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
    fn the_parameters_of_a_long_signature_fill_lines() {
        let long = "x".repeat(60);
        let printed = format!(
            "impl A {{\n    fn get(\n        &self,\n        a: {long},\n        b: {long},\n    ) -> B\n    where\n"
        );
        let wanted = format!(
            "impl A {{\n    fn get(\n        &self, a: {long},\n        b: {long},\n    ) -> B\n    where\n"
        );
        assert_eq!(shorten(&printed, WIDTH), wanted);
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
    fn what_is_no_plain_parameter_is_left_alone() {
        for inside in [
            "        a: A<\n            B,\n        >,",
            "        #[doc = \"A\"]\n        a: A,",
        ] {
            let printed = format!("trait A {{\n    fn get(\n{inside}\n    ) -> B;\n}}\n");
            assert_eq!(shorten(&printed, WIDTH), printed);
        }
        let call =
            "impl A {\n    fn a() {\n        self.send(\n            1,\n        )\n    }\n}\n";
        assert_eq!(shorten(call, WIDTH), call);
    }
}
