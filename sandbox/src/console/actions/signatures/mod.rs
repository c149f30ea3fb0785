//! The workbench of signatures: the first difference between a signature and what it should be.

mod jwt;
mod token;

use super::views;
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Check;
use crate::webhooks;

/// What was checked, up to the first difference.
#[derive(Debug, Default)]
struct Steps(Vec<Check>);

/// The check has found a difference, which is the last step.
#[derive(Debug)]
struct Different;

impl Steps {
    /// Adds a step that has passed.
    fn passed(&mut self, name: &str, reason: impl Into<String>) {
        self.add(name, true, reason.into());
    }

    /// Adds the first difference.
    fn different(&mut self, name: &str, reason: impl Into<String>) -> Different {
        self.add(name, false, reason.into());
        Different
    }

    fn add(&mut self, name: &str, passed: bool, reason: String) {
        self.0.push(Check {
            name: name.to_owned().into(),
            passed,
            reason: reason.into(),
        });
    }
}

/// Returns the value of a header that has to be there once.
fn only<'a>(
    headers: &'a [(String, String)],
    name: &str,
    steps: &mut Steps,
) -> Result<&'a str, Different> {
    let step = format!("header {name}");
    let mut values = headers
        .iter()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name));
    match (values.next(), values.next()) {
        (Some((_, value)), None) => {
            steps.passed(&step, "is there once");
            Ok(value.trim())
        }
        (Some(_), Some(_)) => Err(steps.different(&step, "is there more than once")),
        (None, _) => Err(steps.different(&step, "is missing")),
    }
}

/// Checks a signature.
///
/// # Errors
/// Returns an error if the input has neither a token nor keys, or both.
pub async fn check(
    app: &App,
    input: &types::SignatureInput,
) -> Result<types::SignatureCheck, Failure> {
    let headers = pairs(&input.headers)?;
    let published = input.published.unwrap_or(false);
    let mut steps = Steps::default();
    let (variant, result) = match (&input.token, &input.jwks, published) {
        (Some(token), None, false) => (
            types::SignatureCheckVariant::Token,
            token::check(input.body.as_bytes(), &headers, token, &mut steps),
        ),
        (None, Some(jwks), false) => (
            types::SignatureCheckVariant::Key,
            jwt::check(input.body.as_bytes(), &headers, jwks, &mut steps),
        ),
        (None, None, true) => (
            types::SignatureCheckVariant::Key,
            jwt::check(
                input.body.as_bytes(),
                &headers,
                &webhooks::jwks(app).await?,
                &mut steps,
            ),
        ),
        _ => {
            let message = "state either `token`, or `jwks`, or `published`";
            return Err(Failure::field("token", message));
        }
    };
    let last = steps
        .0
        .last()
        .map(|step| format!("{}: {}", step.name, step.reason));
    let mut check = types::SignatureCheck::new(views(&steps.0)?, result.is_ok(), variant);
    check.difference = last.filter(|_| result.is_err()).into();
    Ok(check)
}

/// Returns headers as names and values.
pub(crate) fn pairs(headers: &[Vec<String>]) -> Result<Vec<(String, String)>, Failure> {
    headers
        .iter()
        .map(|header| match header.as_slice() {
            [name, value] => Ok((name.clone(), value.clone())),
            _ => Err(Failure::field("headers", "a header has a name and a value")),
        })
        .collect()
}

#[cfg(test)]
mod tests;
