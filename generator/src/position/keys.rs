//! Keys: how settings name the nodes of a document.

use super::{FileId, Origin};

/// The keys of the nodes of a document: a JSON pointer for a node of the root document, and
/// `FILE#POINTER` for a node of any file. Files are named by their paths from the folder of the root
/// document.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    root: FileId,
    files: Vec<String>,
}

impl Keys {
    /// Creates the keys of a document from the paths of its files, in the order of their ids.
    pub(crate) const fn new(root: FileId, files: Vec<String>) -> Self {
        Self { root, files }
    }

    /// Returns the key of a file.
    pub(crate) fn file(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", String::as_str)
    }

    /// Returns the keys of a node.
    pub(crate) fn of_node(&self, origin: &Origin) -> Vec<String> {
        let pointer = origin.pointer();
        let file = self.files.get(origin.file.0 as usize);
        let file = file.map(|file| format!("{file}{pointer}"));
        let root = (origin.file == self.root).then(|| pointer.to_owned());
        let keys = file.into_iter().chain(root);
        keys.map(|key| plain(&key).to_owned()).collect()
    }

    /// Returns whether a key names a node.
    pub(crate) fn is(&self, key: &str, origin: &Origin) -> bool {
        let key = plain(key);
        // Most nodes differ in their last segment already.
        let end = origin.pointer().rsplit(['/', '#']).next();
        key.ends_with(end.unwrap_or_default()) && self.of_node(origin).iter().any(|own| own == key)
    }
}

/// Returns whether a key names a node by its position: whether it has a pointer.
pub(crate) fn is_position(key: &str) -> bool {
    key.starts_with('/') || key.contains('#')
}

/// Returns a key without what may be left out: a `#` that begins or ends it, or `./` before the file.
pub(crate) fn plain(key: &str) -> &str {
    let key = key.strip_prefix('#').unwrap_or(key);
    let key = key.strip_prefix("./").unwrap_or(key);
    key.strip_suffix('#').unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::{Keys, is_position};
    use crate::position::{FileId, Origin, Pointer};

    #[test]
    fn nodes_have_keys_by_file_and_pointer() {
        let keys = Keys::new(FileId(0), vec!["api.yaml".into(), "../common.yaml".into()]);
        let at = |file| Origin::new(FileId(file), Pointer::parse("#/a/b~1c"));
        for key in [
            "/a/b~1c",
            "#/a/b~1c",
            "api.yaml#/a/b~1c",
            "./api.yaml#/a/b~1c",
        ] {
            assert!(keys.is(key, &at(0)), "{key}");
            assert!(!keys.is(key, &at(1)), "{key}");
            assert!(is_position(key), "{key}");
        }
        assert!(keys.is("../common.yaml#/a/b~1c", &at(1)));
        assert!(!keys.is("common.yaml#/a/b~1c", &at(1)));
        assert!(!keys.is("/a/b", &at(0)));
        let whole = Origin::new(FileId(1), Pointer::default());
        assert!(keys.is("../common.yaml", &whole) && keys.is("../common.yaml#", &whole));
        assert!(!is_position("Pet.class"));
    }
}
