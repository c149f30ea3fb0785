//! The positions of the variables in a path that a router has matched.

use super::percent::find_near;
use super::template::{Variables, variables};
use std::borrow::Cow;
use std::ops::Range;

/// The number of variables whose positions are recorded.
const CAPTURES: usize = 8;

/// The positions of a path's segments that variables match, in their order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Captures {
    count: usize,
    ranges: [(u16, u16); CAPTURES],
    /// Whether a segment has to be matched with the template again: it consists of several
    /// variables, or of a variable and text, or is not recorded.
    is_partial: bool,
}

impl Captures {
    /// Adds a segment that is the value of one variable.
    pub(crate) fn push(&mut self, range: Range<usize>) {
        let range = (u16::try_from(range.start), u16::try_from(range.end));
        match (self.ranges.get_mut(self.count), range) {
            (Some(place), (Ok(start), Ok(end))) => *place = (start, end),
            _ => self.is_partial = true,
        }
        self.count += 1;
    }

    /// Adds a segment that a template with several variables, or with a variable and text, matches.
    pub(crate) fn push_part(&mut self, range: Range<usize>) {
        self.push(range);
        self.is_partial = true;
    }

    /// Returns the raw values of a template's variables in the raw path, like [`variables`].
    pub(crate) fn bind<'p>(&self, path: &'p str, template: &'static str) -> Option<Variables<'p>> {
        if self.is_partial {
            return variables(path, template);
        }
        let ranges = self.ranges.get(..self.count)?;
        let mut found = Vec::with_capacity(self.count);
        let mut names = names(template);
        for (start, end) in ranges {
            let value = path.get(usize::from(*start)..usize::from(*end))?;
            if value.is_empty() {
                return None;
            }
            found.push((names.next()?, Cow::Borrowed(value)));
        }
        names.next().is_none().then_some(found)
    }

    /// Returns whether a recorded segment is empty, which no variable matches.
    pub(crate) fn has_empty(&self) -> bool {
        let ranges = self.ranges.get(..self.count).unwrap_or_default();
        ranges.iter().any(|(start, end)| start == end)
    }

    /// Returns whether a segment has to be matched with the template again.
    pub(crate) const fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// Returns the names of the variables in the path of a template, without those of its query.
fn names(template: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = template;
    std::iter::from_fn(move || {
        let mut bytes = rest.bytes();
        let at = bytes.position(|byte| matches!(byte, b'{' | b'?' | b'#'))?;
        let after = rest.get(at..)?.strip_prefix('{')?;
        let (name, after) = after.split_at_checked(find_near(b'}', after.as_bytes())?)?;
        rest = after;
        Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_segments_are_the_values_of_the_variables() {
        let path = "/owners/a%2Fb/pets/7";
        let mut captures = Captures::default();
        captures.push(8..13);
        captures.push(19..20);
        for template in [
            "/owners/{owner}/pets/{pet}",
            "/owners/{owner}/pets/{pet}?x={y}#{z}",
        ] {
            let found = captures.bind(path, template);
            assert_eq!(found, variables(path, template));
            let values = [("owner", "a%2Fb".into()), ("pet", "7".into())];
            assert_eq!(found.as_deref(), Some(&values[..]));
        }
        assert_eq!(captures.bind(path, "/owners/{owner}/pets/7"), None);
        assert_eq!(captures.bind(path, "/{a}/{b}/pets/{c}"), None);
        captures.push(20..20);
        assert!(captures.has_empty());
        assert_eq!(captures.bind(path, "/{a}/{b}/{c}"), None);
    }

    #[test]
    fn more_variables_than_are_recorded_are_matched_again() {
        let path = "/1/2/3/4/5/6/7/8/9";
        let template = "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}";
        let mut captures = Captures::default();
        for start in (1..path.len()).step_by(2) {
            captures.push(start..start + 1);
        }
        assert!(captures.is_partial());
        assert_eq!(captures.bind(path, template), variables(path, template));
        assert_eq!(
            captures.bind(path, template).map(|found| found.len()),
            Some(9)
        );
    }
}
