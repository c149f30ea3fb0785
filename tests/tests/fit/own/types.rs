//! Types that replace those of the schemas of `own.yaml`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A code that has only serde's traits.
#[derive(Debug, Clone, PartialEq)]
pub struct Code(pub String);

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // A server checks this before.
        assert!(text.len() <= 4, "{text}");
        match text.as_str() {
            "NO" => Err(serde::de::Error::custom("`NO` is no code of ours")),
            _ => Ok(Self(text)),
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_str() {
            "unwritable" => Err(serde::ser::Error::custom("unwritable")),
            text => text.serialize(serializer),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Id(u64);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    x: i8,
}

/// The tag of its union is not a field of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    mark: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}
