//! What a check of a response finds.

use crate::values::read::{FieldErrors, ReadAs};
use crate::values::short::{self, Budget};
use crate::values::{BODY, Rule, WireError, check::Checker};
use http::StatusCode;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What is done with responses that do not match the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Check {
    /// Responses are not checked.
    #[default]
    Off,
    /// Mismatches are reported, and the response is used all the same.
    Log,
    /// A response that does not match is an error: of the call in a client, and a 500 in a server.
    Fail,
}

/// The mismatches of a response with the document.
///
/// It never contains a value of the response: only names, JSON pointers and the rules of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseMismatch {
    pub(super) operation: &'static str,
    pub(super) status: StatusCode,
    pub(super) mismatches: Vec<Mismatch>,
}

/// A mismatch of a response with the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The part of the response.
    pub part: ResponsePart,
    /// The JSON pointer of the value in the body or in the value of the header (RFC 6901); empty for the
    /// whole.
    pub pointer: String,
    /// The violated rule, as a predicate: `must be an integer`.
    pub rule: String,
}

/// A part of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponsePart {
    /// The status.
    Status,
    /// The header of this name, as the document writes it.
    Header(&'static str),
    /// The body.
    Body,
}

impl ResponseMismatch {
    /// Returns the id of the operation in the document.
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the status of the response.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the mismatches: at least one.
    pub fn mismatches(&self) -> &[Mismatch] {
        &self.mismatches
    }
}

impl fmt::Display for ResponseMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation, status, ..
        } = self;
        write!(
            f,
            "the response {} of {operation} does not match the document",
            status.as_u16()
        )?;
        for (index, mismatch) in self.mismatches.iter().enumerate() {
            write!(f, "{} {mismatch}", if index == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ResponseMismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            ResponsePart::Status => f.write_str("the status")?,
            ResponsePart::Header(name) => write!(f, "header `{name}`")?,
            ResponsePart::Body => f.write_str("the body")?,
        }
        match self.pointer.as_str() {
            "" => {}
            pointer => write!(f, " at {pointer}")?,
        }
        write!(f, " {}", self.rule)
    }
}

/// The mismatches that are found while a response is decoded.
#[derive(Debug, Default)]
pub(crate) struct Findings(Mutex<(Vec<Mismatch>, Budget)>);

impl Findings {
    fn add(&self, part: ResponsePart, error: &WireError) {
        let mismatch = Mismatch {
            part,
            pointer: error.pointer(),
            rule: error.message.clone(),
        };
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (found, budget) = &mut *found;
        if budget.takes(&mismatch.pointer, &mismatch.rule) && !found.contains(&mismatch) {
            found.push(mismatch);
        }
    }

    /// Records the errors of a part, or the rules that its value violates.
    pub(crate) fn part<T, R: ReadAs<T>>(
        &self,
        part: ResponsePart,
        read: Result<&T, &FieldErrors>,
        rules: &[Rule],
    ) {
        match read {
            Ok(value) => {
                let mut checker = Checker::default().of_response(true);
                R::check(value, rules, &mut checker);
                for error in checker.into_wire_errors() {
                    self.add(part, &error);
                }
            }
            Err(errors) => errors.iter().for_each(|error| self.add(part, error)),
        }
    }

    pub(super) fn take(&self) -> Vec<Mismatch> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut found.0)
    }
}

impl Mismatch {
    pub(super) fn new(part: ResponsePart, rule: String) -> Self {
        Self {
            part,
            pointer: String::new(),
            rule,
        }
    }
}

impl WireError {
    /// Returns the JSON pointer of the value.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.path.iter().rev() {
            let index = step
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            let step = step.replace('~', "~0").replace('/', "~1");
            pointer.extend(["/", index.unwrap_or(&step)]);
        }
        match self.path.as_slice() {
            // The statement that there are more errors.
            [only] if only == BODY && self.message == crate::values::more().message => {
                String::new()
            }
            _ => short::path(pointer),
        }
    }
}
