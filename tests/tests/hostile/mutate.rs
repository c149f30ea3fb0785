//! Mutations of the values of a document.

use std::rc::Rc;

use bothends::source::{Number, Object, Value};

use crate::random::Random;
use crate::texts::TEXTS;

/// A node by the indices of entries and items on the way to it.
type NodePath = Vec<usize>;

/// What the mutations of one document draw from.
pub(crate) struct Stock {
    /// The document.
    pub(crate) root: Value,
    /// Keys with a value that stood there, from all documents.
    entries: Rc<[(String, Value)]>,
}

impl Stock {
    /// Every small entry of the documents is stock for each of them.
    pub(crate) fn from_roots(roots: Vec<Value>) -> Vec<Self> {
        let mut entries = Vec::new();
        for root in &roots {
            collect_entries(root, &mut entries);
        }
        let entries: Rc<[_]> = entries.into();
        let stock = |root| Self {
            root,
            entries: Rc::clone(&entries),
        };
        roots.into_iter().map(stock).collect()
    }

    /// The document after one to six mutations.
    pub(crate) fn mutant(&self, random: &mut Random) -> Value {
        let mut root = self.root.clone();
        for _ in 0..=random.below(6) {
            self.mutate(&mut root, random);
        }
        root
    }

    fn mutate(&self, root: &mut Value, random: &mut Random) {
        let paths = paths(root);
        let path = random.pick(&paths).clone();
        let other = random.pick(&paths).clone();
        let other_value = at(root, &other).cloned().unwrap_or_default();
        match random.below(17) {
            0 => remove(root, &path),
            1 => put(root, &path, scalar(random)),
            2 => put(root, &path, other_value),
            3 => {
                let value = at(root, &path).cloned().unwrap_or_default();
                put(root, &path, other_value);
                put(root, &other, value);
            }
            4 => {
                let (key, _) = random.pick(&self.entries).clone();
                add(root, &path, random, key, other_value);
            }
            5 => put(root, &path, reference(root, &other, random)),
            6 => {
                let value = reference(root, &other, random);
                let target = value.get("$ref").cloned().unwrap_or_default();
                add(root, &path, random, "$ref".to_owned(), target);
            }
            7 => wrap(root, &path, random, other_value, 1),
            8 => {
                let times = random.below(150);
                wrap(root, &path, random, other_value, times);
            }
            9 => {
                let (key, _) = random.pick(&self.entries).clone();
                rename(root, &path, &key);
            }
            10 => rename(root, &path, random.pick::<&str>(&TEXTS)),
            11 => put(root, &path, retyped(at(root, &path), random)),
            12 => {
                let value = at(root, &path).cloned().unwrap_or_default();
                let key = format!(
                    "{}{}",
                    name_of(root, &path),
                    random.pick(&["", "2", "_", "X"])
                );
                let around = path.split_last().map_or(&path[..], |(_, around)| around);
                add(root, around, random, key, value);
            }
            13 => {
                let key = name_of(root, &path);
                each_named(root, &key, &mut |value| {
                    if random.once_in(2) {
                        *value = Value::Null;
                    }
                });
            }
            14 => {
                let target = reference(root, &other, random);
                let target = target.get("$ref").cloned().unwrap_or_default();
                each_named(root, "$ref", &mut |value| {
                    if random.once_in(8) {
                        *value = target.clone();
                    }
                });
            }
            _ => {
                let (key, value) = random.pick(&self.entries).clone();
                add(root, &path, random, key, value);
            }
        }
    }
}

/// The key that a node stands under; nothing for an item.
fn name_of(root: &Value, path: &[usize]) -> String {
    let named = path.split_last().and_then(|(last, around)| {
        let object = at(root, around)?.as_object()?;
        object.get_index(*last).map(|(key, _)| key.clone())
    });
    named.unwrap_or_default()
}

/// Changes every value that stands under a key.
fn each_named(value: &mut Value, name: &str, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                if key == name {
                    change(value);
                }
                each_named(value, name, change);
            }
        }
        Value::Array(items) => {
            for item in items {
                each_named(item, name, change);
            }
        }
        _ => {}
    }
}

/// The same said by a value of another type.
fn retyped(value: Option<&Value>, random: &mut Random) -> Value {
    match value.cloned().unwrap_or_default() {
        Value::Object(entries) if random.once_in(2) => {
            Value::Array(entries.into_iter().map(|(_, value)| value).collect())
        }
        Value::Object(entries) => {
            let named = entries
                .into_iter()
                .map(|(key, value)| object(vec![("name", key.into()), ("value", value)]));
            Value::Array(named.collect())
        }
        Value::Array(items) if random.once_in(2) => items.into_iter().next().unwrap_or_default(),
        Value::Array(items) => {
            let named = items.into_iter().enumerate();
            Value::Object(
                named
                    .map(|(index, item)| (index.to_string(), item))
                    .collect(),
            )
        }
        Value::String(text) if random.once_in(2) => Value::Array(vec![Value::String(text)]),
        Value::String(text) => object(vec![(&text, Value::Null)]),
        Value::Null => Value::Array(vec![Value::Null]),
        other => other.scalar_text().unwrap_or_default().into(),
    }
}

/// Entries whose value is small enough to be copied around.
fn collect_entries(value: &Value, entries: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                if value.to_json().len() < 400 {
                    entries.push((key.clone(), value.clone()));
                }
                collect_entries(value, entries);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| collect_entries(it, entries)),
        _ => {}
    }
}

/// The paths to all nodes but the root, or to the root of a document without any.
fn paths(root: &Value) -> Vec<NodePath> {
    fn visit(value: &Value, path: &mut NodePath, paths: &mut Vec<NodePath>) {
        let children: Vec<&Value> = match value {
            Value::Object(object) => object.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => return,
        };
        for (index, child) in children.into_iter().enumerate() {
            path.push(index);
            paths.push(path.clone());
            visit(child, path, paths);
            path.pop();
        }
    }
    let mut paths = Vec::new();
    visit(root, &mut Vec::new(), &mut paths);
    if paths.is_empty() {
        paths.push(Vec::new());
    }
    paths
}

fn at<'v>(root: &'v Value, path: &[usize]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, index| match value {
        Value::Object(object) => object.get_index(*index).map(|(_, value)| value),
        Value::Array(items) => items.get(*index),
        _ => None,
    })
}

fn at_mut<'v>(root: &'v mut Value, path: &[usize]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, index| match value {
        Value::Object(object) => object.get_index_mut(*index).map(|(_, value)| value),
        Value::Array(items) => items.get_mut(*index),
        _ => None,
    })
}

fn put(root: &mut Value, path: &[usize], value: Value) {
    if let Some(place) = at_mut(root, path) {
        *place = value;
    }
}

fn remove(root: &mut Value, path: &[usize]) {
    let Some((last, parent)) = path.split_last() else {
        return;
    };
    match at_mut(root, parent) {
        Some(Value::Object(object)) => {
            object.shift_remove_index(*last);
        }
        Some(Value::Array(items)) if *last < items.len() => {
            items.remove(*last);
        }
        _ => {}
    }
}

fn rename(root: &mut Value, path: &[usize], name: &str) {
    let Some((last, parent)) = path.split_last() else {
        return;
    };
    if let Some(Value::Object(object)) = at_mut(root, parent) {
        let entries = std::mem::take(object);
        *object = entries
            .into_iter()
            .enumerate()
            .map(|(index, (key, value))| {
                let key = if index == *last { name.to_owned() } else { key };
                (key, value)
            })
            .collect();
    }
}

/// Adds to the object or array at a path, or to the one around it.
fn add(root: &mut Value, path: &[usize], random: &mut Random, key: String, value: Value) {
    let holds = |it: &Value| matches!(it, Value::Object(_) | Value::Array(_));
    let path = if at(root, path).is_some_and(holds) {
        path
    } else {
        path.split_last().map_or(path, |(_, parent)| parent)
    };
    match at_mut(root, path) {
        Some(Value::Object(object)) => {
            object.insert(key, value);
        }
        Some(Value::Array(items)) => {
            let place = random.below(items.len() + 1);
            items.insert(place, value);
        }
        _ => {}
    }
}

fn object(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value));
    Value::Object(entries.collect::<Object>())
}

/// Puts what is at a path into something around it.
fn wrap(root: &mut Value, path: &[usize], random: &mut Random, other: Value, times: usize) {
    let kind = random.below(11);
    for _ in 0..times {
        let Some(place) = at_mut(root, path) else {
            return;
        };
        let inner = std::mem::take(place);
        let other = if times == 1 {
            other.clone()
        } else {
            Value::Null
        };
        let both = |inner| Value::Array(vec![inner, other]);
        *place = match kind {
            0 => object(vec![("allOf", both(inner))]),
            1 => object(vec![("oneOf", both(inner))]),
            2 => object(vec![("anyOf", both(inner))]),
            3 => object(vec![("items", inner), ("type", "array".into())]),
            4 => object(vec![("properties", object(vec![("a", inner)]))]),
            5 => object(vec![("additionalProperties", inner)]),
            6 => object(vec![("prefixItems", both(inner))]),
            7 => object(vec![("not", inner)]),
            8 => object(vec![("schema", inner)]),
            9 => object(vec![("callbacks", object(vec![("a", inner)]))]),
            _ => Value::Array(vec![inner]),
        };
    }
}

/// A `$ref` to a node, written in one of many ways.
fn reference(root: &Value, path: &[usize], random: &mut Random) -> Value {
    let mut path = path;
    while path.len() > 3 && random.once_in(2) {
        path = &path[..path.len() - 1];
    }
    let mut text = match random.below(12) {
        0 => "api.json#".to_owned(),
        1 => "./api.json#".to_owned(),
        2 => "#nowhere".to_owned(),
        _ => "#".to_owned(),
    };
    let mut value = root;
    for index in path {
        text.push('/');
        match value {
            Value::Object(object) => {
                let Some((key, next)) = object.get_index(*index) else {
                    break;
                };
                let key = key.replace('~', "~0").replace('/', "~1");
                text.push_str(&if random.once_in(4) {
                    key.replace('{', "%7B").replace('}', "%7D")
                } else {
                    key
                });
                value = next;
            }
            Value::Array(items) => {
                let Some(next) = items.get(*index) else {
                    break;
                };
                text.push_str(&index.to_string());
                value = next;
            }
            _ => break,
        }
    }
    object(vec![("$ref", text.into())])
}

/// A value that stands in nobody's document.
fn scalar(random: &mut Random) -> Value {
    const INTS: [i128; 12] = [
        0,
        -1,
        1,
        i64::MAX as i128,
        i64::MIN as i128,
        i64::MAX as i128 + 1,
        u64::MAX as i128,
        u64::MAX as i128 + 1,
        i128::MAX,
        i128::MIN,
        255,
        4_294_967_296,
    ];
    const FLOATS: [f64; 8] = [
        0.5,
        -0.0,
        1e308,
        -1e308,
        5e-324,
        1e19,
        9_007_199_254_740_993.0,
        1e40,
    ];
    match random.below(8) {
        0 => Value::Null,
        1 => random.once_in(2).into(),
        2 => Value::Array(vec![]),
        3 => Value::Object(Object::new()),
        4 => (*random.pick(&INTS)).into(),
        5 => Value::Number(Number::Float(*random.pick(&FLOATS))),
        _ => (*random.pick(&TEXTS)).into(),
    }
}
