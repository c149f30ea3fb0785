//! Functions that write common values.

use super::{Json, Map};
use crate::model::Extensions;
use crate::source::{Number, Value};

/// Returns a value as JSON. Integers beyond 64 bits become the nearest float.
pub(super) fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Number(number) => json_number(*number),
        Value::String(string) => Json::String(string.clone()),
        Value::Array(items) => Json::Array(items.iter().map(json).collect()),
        Value::Object(object) => Json::Object(
            object
                .iter()
                .map(|(key, value)| (key.clone(), json(value)))
                .collect(),
        ),
    }
}

fn json_number(number: Number) -> Json {
    if let Number::Int(int) = number {
        if let Ok(int) = i64::try_from(int) {
            return int.into();
        }
        if let Ok(int) = u64::try_from(int) {
            return int.into();
        }
    }
    Json::from(number.as_f64())
}

/// Methods that write into objects. Absent and default values are not written.
pub(super) trait Put {
    fn put(&mut self, key: &str, value: impl Into<Json>);

    fn put_text(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.put(key, text.as_str());
        }
    }

    fn put_flag(&mut self, key: &str, flag: bool) {
        if flag {
            self.put(key, true);
        }
    }

    fn put_list(&mut self, key: &str, list: Vec<Json>) {
        if !list.is_empty() {
            self.put(key, list);
        }
    }

    fn put_map(&mut self, key: &str, map: Map) {
        if !map.is_empty() {
            self.put(key, map);
        }
    }

    fn put_extensions(&mut self, extensions: &Extensions) {
        for (key, value) in extensions {
            self.put(key, json(value));
        }
    }
}

impl Put for Map {
    fn put(&mut self, key: &str, value: impl Into<Json>) {
        self.insert(key.to_owned(), value.into());
    }
}

/// Copies keys that have no effect on the generator and are useful to readers.
pub(super) fn copy(from: Option<&Value>, keys: &[&str], to: &mut Map) {
    for key in keys {
        if let Some(value) = from
            .and_then(|from| from.get(key))
            .filter(|it| !it.is_null())
        {
            to.put(key, json(value));
        }
    }
}

/// Copies the `x-` keys of an object whose extensions the model does not store.
pub(super) fn copy_extensions(from: Option<&Value>, to: &mut Map) {
    for (key, value) in from.and_then(Value::as_object).into_iter().flatten() {
        if key.starts_with("x-") {
            to.put(key, json(value));
        }
    }
}
