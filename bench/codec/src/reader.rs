//! The cursor, over JSON or over a tree.
use crate::Policy;
use crate::tree::Node;
use std::fmt;

/// The error is in the reader.
#[derive(Debug)]
pub struct Failed;

#[derive(Debug, PartialEq)]
pub struct Error {
    /// Steps, the innermost first.
    pub path: Vec<String>,
    pub message: String,
}

impl Error {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.path.iter().rev() {
            write!(f, "/{step}")?;
        }
        write!(f, ": {}", self.message)
    }
}

pub const DEPTH: u32 = 128;

pub struct Reader<'a> {
    pub(crate) text: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    pub(crate) node: Option<&'a Node>,
    pub(crate) is_text: bool,
    pub policy: Policy,
    pub(crate) depth: u32,
    /// Whether reading continues after an error.
    pub goes_on: bool,
    /// Whether the text is no JSON, so that nothing can be read after it.
    pub(crate) is_broken: bool,
    pub lost: u64,
    pub steps: u64,
    errors: Vec<Error>,
}

impl<'a> Reader<'a> {
    pub fn json(text: &'a str, policy: Policy) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            node: None,
            is_text: false,
            policy,
            depth: DEPTH,
            goes_on: false,
            is_broken: false,
            lost: 0,
            steps: 0,
            errors: Vec::new(),
        }
    }

    pub fn tree(node: &'a Node, is_text: bool, policy: Policy) -> Self {
        Self {
            node: Some(node),
            is_text,
            ..Self::json("", policy)
        }
    }

    pub fn into_errors(self) -> Vec<Error> {
        self.errors
    }

    /// Records an error of the value.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, message: impl Into<String>) -> Failed {
        self.errors.push(Error::new(message));
        Failed
    }

    #[cold]
    #[inline(never)]
    pub fn fail_within(&mut self, key: &str, message: &str) -> Failed {
        self.errors.push(Error {
            path: vec![key.to_owned()],
            message: message.to_owned(),
        });
        Failed
    }

    /// Records that the text is no JSON.
    #[cold]
    #[inline(never)]
    pub(crate) fn broken(&mut self, message: &str) -> Failed {
        self.is_broken = true;
        let line = 1 + self
            .bytes
            .get(..self.at)
            .unwrap_or_default()
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        self.errors.push(Error::new(format!(
            "{message} at line {line}, byte {}",
            self.at
        )));
        Failed
    }

    pub(crate) fn mark(&self) -> usize {
        self.errors.len()
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn step(&mut self, mark: usize, step: &str) {
        for error in self.errors.iter_mut().skip(mark) {
            error.path.push(step.to_owned());
        }
    }

    pub(crate) fn push(&mut self, error: Error) {
        self.errors.push(error);
    }

    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), Failed> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(self.broken("nested too deeply")),
        }
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth += 1;
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn wrong(&mut self, expected: &str) -> Failed {
        // A broken text is reported as such.
        if self.node.is_none() {
            let start = self.at;
            if self.skip().is_err() {
                return Failed;
            }
            self.at = start;
        }
        self.fail(format!("must be {expected}"))
    }
}
impl Reader<'_> {
    pub(crate) fn pop(&mut self) {
        self.errors.pop();
    }
}
