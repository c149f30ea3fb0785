//! The servers of a document, and the variables of their URLs.

use super::{InvalidBaseUrl, base};
use std::fmt;

/// A server of the document: a URL template (OpenAPI 3.1.1, section 4.8.5) and its variables.
///
/// Generated code has a constant for each in `client::servers`.
///
/// ```
/// use bothends_runtime::client::{Server, ServerVariable};
///
/// const PRODUCTION: Server = Server::new(
///     "https://{region}.example.com/{version}",
///     &[
///         ServerVariable::new("region", "eu", &["eu", "us"]),
///         ServerVariable::new("version", "v1", &[]),
///     ],
/// );
/// assert_eq!(PRODUCTION.url(), "https://eu.example.com/v1");
/// let american = PRODUCTION.variable("region", "us")?;
/// assert_eq!(american.url(), "https://us.example.com/v1");
/// assert!(PRODUCTION.variable("region", "mars").is_err());
/// # Ok::<(), bothends_runtime::client::InvalidVariable>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    template: &'static str,
    variables: &'static [ServerVariable],
    /// The values that replace defaults.
    values: Vec<(&'static str, String)>,
}

/// A variable in the URL of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerVariable {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub default: &'static str,
    /// The permitted values; empty if the document does not list them.
    pub values: &'static [&'static str],
}

impl ServerVariable {
    /// Creates a variable with its default and the values that the document lists.
    pub const fn new(
        name: &'static str,
        default: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            default,
            values,
        }
    }
}

impl Server {
    /// Creates a server from a URL template, in which variables are in braces.
    pub const fn new(template: &'static str, variables: &'static [ServerVariable]) -> Self {
        Self {
            template,
            variables,
            values: Vec::new(),
        }
    }

    /// Returns the URL template of the document, with variables in braces.
    pub const fn template(&self) -> &'static str {
        self.template
    }

    /// Returns the variables of the URL.
    pub const fn variables(&self) -> &'static [ServerVariable] {
        self.variables
    }

    /// Sets the value of a variable.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL has no such variable, if the document lists values and `value`
    /// is not one of them, or if `value` would end the part of the URL that contains the variable:
    /// a `/` in the host, or a `?`, `#`, `@`, `\`, brace, space or control character anywhere.
    pub fn variable(
        mut self,
        name: &str,
        value: impl Into<String>,
    ) -> Result<Self, InvalidVariable> {
        let value = value.into();
        let wrong = |why: String| InvalidVariable {
            name: name.to_owned(),
            why,
        };
        let known = self.variables.iter().find(|variable| variable.name == name);
        let Some(variable) = known else {
            return Err(wrong(format!("`{}` has no such variable", self.template)));
        };
        if !variable.values.is_empty() && !variable.values.contains(&value.as_str()) {
            let values = variable.values.join("`, `");
            return Err(wrong(format!("`{value}` is none of `{values}`")));
        }
        let ends = |c: char| !c.is_ascii_graphic() || "?#@\\{}".contains(c);
        if value.contains(ends) || (self.is_in_host(name) && value.contains('/')) {
            return Err(wrong(format!(
                "`{}` cannot stand there",
                value.escape_debug()
            )));
        }
        self.values.retain(|(known, _)| *known != name);
        self.values.push((variable.name, value));
        Ok(self)
    }

    /// Returns the URL, with the default of each variable that has no other value.
    pub fn url(&self) -> String {
        let mut url = String::new();
        let mut rest = self.template;
        while let Some((before, (name, after))) = rest
            .split_once('{')
            .and_then(|(before, inside)| Some((before, inside.split_once('}')?)))
        {
            url.push_str(before);
            match self.value(name) {
                Some(value) => url.push_str(value),
                // An undeclared variable keeps its braces, which makes the URL invalid.
                None => url.extend(["{", name, "}"]),
            }
            rest = after;
        }
        url.push_str(rest);
        url
    }

    /// Returns the URL, resolved against the URL of the document (OpenAPI 3.1.1, section 4.8.5).
    ///
    /// # Errors
    ///
    /// Returns an error if `document` is not an absolute URL, or if the server's URL cannot be
    /// resolved against it.
    pub fn url_from(&self, document: &str) -> Result<String, InvalidBaseUrl> {
        let url = self.url();
        let resolved = base::resolve(&base::parse(document)?, &url);
        let resolved = resolved.map(|url| url.to_string());
        let resolved = resolved.ok_or_else(|| InvalidBaseUrl::new(&url, "it is no URL"))?;
        base::parse(&resolved)?;
        Ok(resolved)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let chosen = self.values.iter().find(|(known, _)| *known == name);
        chosen.map(|(_, value)| value.as_str()).or_else(|| {
            let known = self.variables.iter().find(|variable| variable.name == name);
            known.map(|variable| variable.default)
        })
    }

    /// Returns whether a variable is in front of the path.
    fn is_in_host(&self, name: &str) -> bool {
        // Without `//`, a variable at the beginning stands for a whole URL.
        let Some((scheme, rest)) = self.template.split_once("//") else {
            return false;
        };
        let host = rest.split('/').next().unwrap_or_default();
        let mark = format!("{{{name}}}");
        scheme.contains(&mark) || host.contains(&mark)
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url())
    }
}

/// The error of an invalid value for a server variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidVariable {
    name: String,
    why: String,
}

impl fmt::Display for InvalidVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the variable `{}`: {}",
            self.name.escape_debug(),
            self.why
        )
    }
}

impl std::error::Error for InvalidVariable {}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: Server = Server::new(
        "{scheme}://{host}:{port}/a/{path}{gone}",
        &[
            ServerVariable::new("scheme", "https", &["http", "https"]),
            ServerVariable::new("host", "h", &[]),
            ServerVariable::new("port", "1", &[]),
            ServerVariable::new("path", "p", &[]),
        ],
    );

    #[test]
    fn variables_are_substituted_once() {
        assert_eq!(SERVER.url(), "https://h:1/a/p{gone}");
        let server = SERVER
            .variable("path", "x")
            .and_then(|server| server.variable("path", "b/c"));
        let server = server.and_then(|server| server.variable("scheme", "http"));
        assert_eq!(
            server.map(|server| server.url()).as_deref(),
            Ok("http://h:1/a/b/c{gone}")
        );
    }

    #[test]
    fn a_value_stays_in_its_part() {
        for (name, value) in [
            ("host", "evil.example/"),
            ("host", "me@evil.example"),
            ("host", "evil.example#"),
            ("host", "evil.example?"),
            ("host", "evil.example\\"),
            ("host", "{port}"),
            ("host", "a b"),
            ("host", "a\n"),
            ("port", "1/x"),
            ("path", "a?b"),
            ("path", "ä"),
            ("scheme", "ftp"),
            ("gone", "x"),
        ] {
            assert!(SERVER.variable(name, value).is_err(), "{name} {value}");
        }
    }

    #[test]
    fn a_variable_may_be_the_whole_url() {
        const WHOLE: Server = Server::new(
            "{base}/v1",
            &[ServerVariable::new("base", "https://a.example", &[])],
        );
        assert_eq!(WHOLE.url(), "https://a.example/v1");
        let other = WHOLE.variable("base", "http://localhost:8080/x");
        let other = other.map(|server| server.url());
        assert_eq!(other.as_deref(), Ok("http://localhost:8080/x/v1"));
    }

    #[test]
    fn relative_urls_are_resolved_against_the_document() {
        const RELATIVE: Server = Server::new("/{v}", &[ServerVariable::new("v", "v2", &[])]);
        assert!(RELATIVE.url_from("nowhere").is_err());
        let url = RELATIVE.url_from("https://h/docs/openapi.yaml");
        assert_eq!(url.as_deref(), Ok("https://h/v2"));
    }
}
