//! Looking ahead: the value of a member that may follow others.
//!
//! What is passed is not validated, because it is read afterwards. The ends of long arrays and objects are kept, so that
//! nested objects whose members are looked for do not pass the same text again.

use super::brackets::Brackets;
use super::{Cursor, DEEPEST, Rejected};
use std::borrow::Cow;

impl<'t> Cursor<'t> {
    /// Looks among the members of an object, the first of which is next, for a string under a name. The place stays the
    /// same.
    pub(super) fn string_ahead(&mut self, name: &str) -> Option<Cow<'t, str>> {
        let start = self.at;
        let found = self.find_string(name);
        self.at = start;
        if found.is_err() {
            self.brackets = Brackets::default();
        }
        found.ok().flatten()
    }

    fn find_string(&mut self, name: &str) -> Result<Option<Cow<'t, str>>, Rejected> {
        let mut is_first = true;
        while self.goes_on(is_first, b'}')? {
            is_first = false;
            let is_found = self.string()? == name;
            self.take(b':')?;
            match self.peek() {
                b'"' if is_found => return self.string().map(Some),
                _ if is_found => return Ok(None),
                b'{' | b'[' => self.pass()?,
                _ => drop(self.skip()?),
            }
        }
        Ok(None)
    }

    /// Moves behind an array or object.
    fn pass(&mut self) -> Result<(), Rejected> {
        if let Some(end) = self.brackets.end_of(self.at) {
            self.at = end + 1;
            return Ok(());
        }
        let mut open = Vec::new();
        loop {
            let plain = self.rest().iter().take_while(|byte| !is_mark(**byte));
            self.at += plain.count();
            let at = self.at;
            match self.rest().first() {
                Some(b'"') => {
                    self.skip_string()?;
                    continue;
                }
                Some(b'{' | b'[') if open.len() < usize::from(DEEPEST) => {
                    open.push(self.brackets.open(at))
                }
                Some(b'}' | b']') => {
                    let index = open.pop().ok_or(Rejected)?;
                    self.brackets.close(index, at);
                }
                _ => return Err(Rejected),
            }
            self.at = at + 1;
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Returns whether a byte begins a string, or is a bracket.
const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'}' | b'[' | b']')
}
