//! Where a node comes from: a file and a JSON pointer, never a line (see [`super::locate`]).

use std::fmt;
use std::sync::Arc;

/// A file of [`super::Sources`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A JSON pointer (RFC 6901) with a leading `#`, as it stands in a `$ref` before percent-encoding.
///
/// Cheap to clone. The default is the whole document, `#`.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer(Option<Arc<str>>);

impl Pointer {
    /// The whole document.
    pub const ROOT: Self = Self(None);

    /// Takes a pointer already written as `#/a/b`; anything else than a leading `#/` is the root.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text.starts_with("#/") {
            Self(Some(Arc::from(text)))
        } else {
            Self::ROOT
        }
    }

    /// `#/paths/~1client/get`
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or("#")
    }

    /// The pointer of an entry of this object.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        let base = self.as_str();
        let mut text = String::with_capacity(base.len() + key.len() + 3);
        text.push_str(base);
        text.push('/');
        escape_into(&mut text, key);
        Self(Some(text.into()))
    }

    /// The pointer of an item of this array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        self.child(&index.to_string())
    }

    /// The pointer of the node around this one; the root is its own parent.
    #[must_use]
    pub fn parent(&self) -> Self {
        match self.as_str().rsplit_once('/') {
            Some((parent, _)) => Self::parse(parent),
            None => Self::ROOT,
        }
    }

    /// The unescaped steps from the root.
    pub fn segments(&self) -> impl Iterator<Item = String> + '_ {
        self.as_str().split('/').skip(1).map(unescape)
    }

    /// The last step, unescaped.
    #[must_use]
    pub fn last(&self) -> Option<String> {
        self.as_str()
            .rsplit_once('/')
            .map(|(_, last)| unescape(last))
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

/// Undoes `~1` and `~0`, in the order the standard asks for.
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

/// Where a node of a document stands. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The node in it.
    pub pointer: Pointer,
}

impl Origin {
    /// A node of a file.
    #[must_use]
    pub const fn new(file: FileId, pointer: Pointer) -> Self {
        Self { file, pointer }
    }

    /// `#/paths/~1client/get`
    #[must_use]
    pub fn pointer(&self) -> &str {
        self.pointer.as_str()
    }

    /// The origin of an entry of this object.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        Self::new(self.file, self.pointer.child(key))
    }

    /// The origin of an item of this array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self::new(self.file, self.pointer.item(index))
    }

    /// The origin of the node around this one.
    #[must_use]
    pub fn parent(&self) -> Self {
        Self::new(self.file, self.pointer.parent())
    }
}

/// Undoes `%7B` and the like; what is no escape, or would not be UTF-8, stays as it is.
pub(crate) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escape = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let value = escape
            .and_then(|hex| str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match value {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}
