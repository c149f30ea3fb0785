//! JSON pointers.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A JSON pointer (RFC 6901) with a leading `#`, in the form of a `$ref` before percent-encoding.
///
/// Clones are cheap, and a child costs only its own name, regardless of the length of its path: a
/// document may contain a name of one megabyte with thousands of nodes below. The default is the
/// whole document, `#`.
#[derive(Clone, Default)]
pub struct Pointer(Option<Arc<Step>>);

/// The last segment of a pointer.
struct Step {
    parent: Pointer,
    name: Box<str>,
    /// The hash of the whole pointer.
    hash: u64,
    /// The pointer as text, computed on first use.
    text: OnceLock<Box<str>>,
}

impl Drop for Pointer {
    /// Drops a long chain of steps in a loop instead of recursively.
    fn drop(&mut self) {
        let mut last = self.0.take();
        while let Some(mut step) = last.and_then(Arc::into_inner) {
            last = step.parent.0.take();
        }
    }
}

impl PartialEq for Pointer {
    fn eq(&self, other: &Self) -> bool {
        let (mut left, mut right) = (&self.0, &other.0);
        loop {
            match (left, right) {
                (None, None) => return true,
                (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return true,
                (Some(a), Some(b)) if a.hash == b.hash && a.name == b.name => {
                    (left, right) = (&a.parent.0, &b.parent.0);
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Pointer {}

impl Hash for Pointer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.sum());
    }
}

impl PartialOrd for Pointer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pointer {
    /// Compares the segments from the root.
    fn cmp(&self, other: &Self) -> Ordering {
        let (count, others) = (self.count(), other.count());
        let (mut left, mut right) = (self, other);
        for _ in others..count {
            left = left.above();
        }
        for _ in count..others {
            right = right.above();
        }
        if left == right {
            return count.cmp(&others);
        }
        // The first segments that differ are below the last common node.
        while left.above() != right.above() {
            (left, right) = (left.above(), right.above());
        }
        left.name().cmp(&right.name())
    }
}

impl Pointer {
    /// The whole document.
    pub const ROOT: Self = Self(None);

    /// Parses a pointer such as `#/a/b`. A text without a leading `#/` is the root.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let steps = text.strip_prefix("#/").map(|text| text.split('/'));
        let steps = steps.into_iter().flatten();
        steps.fold(Self::ROOT, |pointer, step| pointer.child(&unescape(step)))
    }

    /// Returns the pointer as text, such as `#/paths/~1client/get`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let Some(step) = &self.0 else { return "#" };
        step.text.get_or_init(|| {
            let mut text = String::from("#");
            for name in self.names() {
                text.push('/');
                escape_into(&mut text, name);
            }
            text.into_boxed_str()
        })
    }

    /// Returns the pointer to an entry of this object.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        self.sum().hash(&mut hasher);
        key.hash(&mut hasher);
        Self(Some(Arc::new(Step {
            parent: self.clone(),
            name: key.into(),
            hash: hasher.finish(),
            text: OnceLock::new(),
        })))
    }

    /// Returns the pointer to an item of this array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        self.child(&index.to_string())
    }

    /// Returns the pointer to the parent node. The root is its own parent.
    #[must_use]
    pub fn parent(&self) -> Self {
        let step = self.0.as_ref();
        step.map_or(Self::ROOT, |step| step.parent.clone())
    }

    /// Returns the unescaped segments from the root.
    pub fn segments(&self) -> impl Iterator<Item = String> + '_ {
        self.names().into_iter().map(str::to_owned)
    }

    /// Returns the last segment, unescaped.
    #[must_use]
    pub fn last(&self) -> Option<String> {
        self.name().map(str::to_owned)
    }

    /// Returns the pointer as text, or `None` if the text is too long for people to read.
    #[must_use]
    pub fn readable(&self) -> Option<&str> {
        const LONGEST: usize = 2_000;
        let mut left = LONGEST;
        let mut here = self;
        while let Some(step) = &here.0 {
            left = left.checked_sub(step.name.len() + 1)?;
            here = &step.parent;
        }
        Some(self.as_str())
    }

    /// Returns `true` if the pointer refers to the same node or a descendant.
    #[must_use]
    pub(crate) fn is_at_or_below(&self, other: &Self) -> bool {
        let mut here = self;
        loop {
            if here == other {
                return true;
            }
            let Some(step) = &here.0 else { return false };
            here = &step.parent;
        }
    }

    /// Returns the last segment, borrowed.
    fn name(&self) -> Option<&str> {
        self.0.as_ref().map(|step| &*step.name)
    }

    /// Returns the number of segments.
    fn count(&self) -> usize {
        let (mut count, mut here) = (0, self);
        while let Some(step) = &here.0 {
            (count, here) = (count + 1, &step.parent);
        }
        count
    }

    /// Returns the parent node, borrowed.
    fn above(&self) -> &Self {
        self.0.as_ref().map_or(self, |step| &step.parent)
    }

    fn sum(&self) -> u64 {
        self.0.as_ref().map_or(0, |step| step.hash)
    }

    /// Returns the unescaped segments from the root, borrowed.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut here = self;
        while let Some(step) = &here.0 {
            names.push(&*step.name);
            here = &step.parent;
        }
        names.reverse();
        names
    }
}

fn escape_into(text: &mut String, key: &str) {
    for char in key.chars() {
        match char {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            other => text.push(other),
        }
    }
}

/// Escapes `~` and `/` in a segment, as RFC 6901 requires.
pub(crate) fn escape(segment: &str) -> String {
    let mut text = String::new();
    escape_into(&mut text, segment);
    text
}

/// Unescapes `~1` and `~0`, in the order that RFC 6901 requires.
pub(crate) fn unescape(segment: &str) -> String {
    if segment.contains('~') {
        segment.replace("~1", "/").replace("~0", "~")
    } else {
        segment.to_owned()
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
