//! Rules of the document, which are checked where all errors are collected, and by `Validate`.
use crate::reader::Error;

#[derive(Debug, Clone, Copy)]
pub enum Rule {
    MaxLength(usize),
    MinLength(usize),
    Minimum(i64),
    MaxItems(usize),
}
pub const fn max_length(n: usize) -> Rule {
    Rule::MaxLength(n)
}
pub const fn min_length(n: usize) -> Rule {
    Rule::MinLength(n)
}
pub const fn minimum(n: i64) -> Rule {
    Rule::Minimum(n)
}
pub const fn max_items(n: usize) -> Rule {
    Rule::MaxItems(n)
}

#[derive(Default)]
pub struct Checker {
    pub errors: Vec<Error>,
    pub skipped: Vec<&'static str>,
}

impl Checker {
    pub fn field<T: crate::Value>(
        &mut self,
        key: &'static str,
        value: &Option<T>,
        rules: &'static [Rule],
    ) {
        if self.skipped.contains(&key) {
            return;
        }
        let Some(value) = value else { return };
        let mark = self.errors.len();
        value.check(rules, self);
        for error in self.errors.iter_mut().skip(mark) {
            error.path.push(key.to_owned());
        }
    }
    pub fn fail(&mut self, message: String) {
        self.errors.push(Error::new(message));
    }
}
