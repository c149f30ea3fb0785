//! Violations and their paths.

use crate::values::{BODY, FieldError, WireError, more, short};
use std::fmt::Write as _;

/// A violation of a rule.
#[derive(Debug)]
pub(super) struct Violation {
    /// The location in a request; empty if it is not known.
    pub(super) place: &'static str,
    /// The steps from the value up to the whole.
    steps: Vec<Step>,
    /// The message; `None` for the statement that there are more violations.
    message: Option<String>,
}

/// A step on the path to a value.
#[derive(Debug)]
pub(super) enum Step {
    /// A property.
    Key(String),
    /// An item of a list.
    Item(usize),
}

impl Violation {
    /// Creates a violation of the value itself.
    pub(super) const fn new(message: String) -> Self {
        Self {
            place: "",
            steps: Vec::new(),
            message: Some(message),
        }
    }

    /// Creates the statement that there are more violations.
    pub(super) const fn more() -> Self {
        Self {
            place: "",
            steps: Vec::new(),
            message: None,
        }
    }

    /// Adds a step in front of the path.
    pub(super) fn add(&mut self, step: Step) {
        if self.message.is_some() {
            self.steps.push(step);
        }
    }

    /// Converts the violation to an error with the steps of its path.
    pub(super) fn into_wire_error(self) -> WireError {
        let Some(message) = self.message else {
            return WireError::new(more().message).within(BODY);
        };
        let steps = self.steps.into_iter();
        steps.fold(WireError::new(message), |error, step| match step {
            Step::Key(key) => error.within(&key),
            Step::Item(index) => error.within(&format!("[{index}]")),
        })
    }

    /// Returns the path of the value: `items[3].name`.
    fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&short::short(key, short::NAME));
                }
                Step::Item(index) => {
                    let _ = write!(path, "[{index}]");
                }
            }
        }
        short::path(path)
    }
}

impl From<Violation> for FieldError {
    fn from(violation: Violation) -> Self {
        let path = violation.path();
        let mut error = match violation.message {
            Some(message) => Self::new(path, message),
            None => more(),
        };
        if !violation.place.is_empty() {
            error.place = violation.place;
            if error.field.is_empty() {
                BODY.clone_into(&mut error.field);
            }
        }
        error
    }
}
