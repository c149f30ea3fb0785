//! JSON values drawn from a schema, with a fixed seed.

use serde_json::{Map, Value, json};

/// Random numbers from a seed (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `count`, which is not zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(1).max(1);
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<'v, T>(&mut self, all: &'v [T]) -> Option<&'v T> {
        match all {
            [] => None,
            _ => all.get(self.below(all.len())),
        }
    }
}

/// The maximum depth of a value.
const DEEPEST: usize = 12;

/// Draws values from schemas of one document.
pub(crate) struct Draw<'d> {
    pub(crate) root: &'d Value,
    pub(crate) random: Random,
}

impl Draw<'_> {
    /// Draws a value, which mostly matches the schema. Returns `None` if there is none at this
    /// depth.
    pub(crate) fn value(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let schema = self.flat(schema, 0)?;
        let Some(keywords) = schema.as_object() else {
            return (schema == json!(true)).then(|| self.any());
        };
        if let Some(value) = keywords.get("const").or_else(|| keywords.get("x-drawn")) {
            return Some(value.clone());
        }
        if let Some(Value::Array(all)) = keywords.get("enum") {
            return self.random.pick(all).cloned();
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(all)) = keywords.get(key) {
                return self.choice(&schema, key, all, depth);
            }
        }
        match self.kind(keywords)?.as_str() {
            "null" => Some(Value::Null),
            "boolean" => Some(json!(self.random.chance(2))),
            "integer" => Some(self.number(keywords, true)),
            "number" => Some(self.number(keywords, false)),
            "string" => Some(self.string(keywords)),
            "array" => self.array(keywords, depth),
            _ => self.object(keywords, depth),
        }
    }

    /// Follows references, and merges `allOf` into one schema.
    fn flat(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let Some(keywords) = schema.as_object() else {
            return Some(schema.clone());
        };
        let mut all = Map::new();
        let mut parts = Vec::new();
        for (key, value) in keywords {
            match (key.as_str(), value) {
                ("$ref", Value::String(pointer)) => {
                    let pointer = pointer.strip_prefix('#')?;
                    parts.push(self.root.pointer(pointer)?.clone());
                }
                ("allOf", Value::Array(schemas)) => parts.extend(schemas.iter().cloned()),
                _ => _ = all.insert(key.clone(), value.clone()),
            }
        }
        for part in parts {
            let part = self.flat(&part, depth + 1)?;
            merge(&mut all, part.as_object()?);
        }
        Some(Value::Object(all))
    }

    fn choice(&mut self, schema: &Value, key: &str, all: &[Value], depth: usize) -> Option<Value> {
        let alternative = self.random.pick(all)?.clone();
        let mut rest = schema.as_object()?.clone();
        rest.remove(key);
        rest.remove("discriminator");
        let mut both = self.flat(&alternative, 0)?.as_object()?.clone();
        merge(&mut both, &rest);
        let mut value = self.value(&Value::Object(both), depth + 1)?;
        // The discriminator has the value of the schema.
        if let Some(property) = schema["discriminator"]["propertyName"].as_str()
            && let Some(name) = alternative["$ref"].as_str()
            && value.is_object()
        {
            let mapping = schema["discriminator"]["mapping"].as_object();
            let mapped = mapping.into_iter().flatten();
            let mapped: Vec<&String> = mapped
                .filter(|(_, to)| to.as_str() == Some(name))
                .map(|(from, _)| from)
                .collect();
            let tag = match self.random.pick(&mapped) {
                Some(tag) => (*tag).clone(),
                None => name.rsplit('/').next()?.to_owned(),
            };
            value[property] = json!(tag);
        }
        Some(value)
    }

    fn kind(&mut self, keywords: &Map<String, Value>) -> Option<String> {
        match keywords.get("type") {
            Some(Value::String(kind)) => Some(kind.clone()),
            Some(Value::Array(kinds)) => {
                let kind = self.random.pick(kinds)?;
                kind.as_str().map(str::to_owned)
            }
            _ => {
                let has = |keys: &[&str]| keys.iter().any(|key| keywords.contains_key(*key));
                let kind = match () {
                    () if has(&["properties", "required", "additionalProperties"]) => "object",
                    () if has(&["items", "prefixItems"]) => "array",
                    () if has(&["minLength", "maxLength", "pattern"]) => "string",
                    () if has(&["minimum", "maximum", "multipleOf"]) => "integer",
                    () => *self
                        .random
                        .pick(&["string", "integer", "null", "boolean"])?,
                };
                Some(kind.to_owned())
            }
        }
    }

    fn any(&mut self) -> Value {
        let all = [
            json!("text"),
            json!(7),
            json!(null),
            json!({ "a": 1 }),
            json!([1]),
        ];
        self.random.pick(&all).cloned().unwrap_or_default()
    }

    fn number(&mut self, keywords: &Map<String, Value>, integer: bool) -> Value {
        let bound = |key: &str| keywords.get(key).and_then(Value::as_f64);
        let mut all = vec![0.0, 1.0, -1.0, 3.0, 100.0, 70_000.0, 3e9, -3e9];
        for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if let Some(bound) = bound(key) {
                all.extend([bound, bound - 1.0, bound + 1.0]);
            }
        }
        if let Some(step) = bound("multipleOf") {
            all.extend([step, 2.0 * step, -step]);
        }
        if !integer {
            all.extend([0.5, 1e20]);
        }
        let fits = |value: &f64| {
            bound("minimum").is_none_or(|bound| *value >= bound)
                && bound("maximum").is_none_or(|bound| *value <= bound)
        };
        all.retain(fits);
        let value = self.random.pick(&all).copied().unwrap_or(0.0);
        #[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return json!(value as i64);
        }
        json!(value)
    }

    fn string(&mut self, keywords: &Map<String, Value>) -> Value {
        match keywords.get("format").and_then(Value::as_str) {
            Some("uuid") => return json!("0188d7f5-6c4a-7a3e-9d3c-0a1b2c3d4e5f"),
            Some("date") => return json!("2026-02-03"),
            Some("ipv4") => return json!("192.0.2.1"),
            Some("ipv6") => return json!("2001:db8::1"),
            Some("date-time") => return json!("2026-02-03T04:05:06Z"),
            _ => {}
        }
        if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str)
            && let Ok(strategy) = proptest::string::string_regex(pattern.trim_matches(['^', '$']))
        {
            use proptest::strategy::{Strategy as _, ValueTree as _};
            use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&self.random.next().to_le_bytes());
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
            let mut runner = TestRunner::new_with_rng(Config::default(), rng);
            if let Ok(tree) = strategy.new_tree(&mut runner) {
                return json!(tree.current());
            }
        }
        let length = |key: &str| {
            let number = keywords.get(key).and_then(Value::as_u64);
            number.and_then(|number| usize::try_from(number).ok())
        };
        let (least, most) = (length("minLength").unwrap_or(0), length("maxLength"));
        let mut all = vec![0, 1, 4, 12, 60, least, least + 1];
        all.extend(most);
        all.retain(|length| *length >= least && most.is_none_or(|most| *length <= most));
        let length = self.random.pick(&all).copied().unwrap_or(least);
        json!(
            "abcdefghij"
                .chars()
                .cycle()
                .take(length)
                .collect::<String>()
        )
    }

    fn array(&mut self, keywords: &Map<String, Value>, depth: usize) -> Option<Value> {
        let count = |key: &str| {
            let number = keywords.get(key).and_then(Value::as_u64);
            number.and_then(|number| usize::try_from(number).ok())
        };
        let (least, most) = (count("minItems").unwrap_or(0), count("maxItems"));
        let mut all = vec![0, 1, 2, 5, least, least + 1];
        all.extend(most);
        all.retain(|length| *length >= least && most.is_none_or(|most| *length <= most));
        let length = self.random.pick(&all).copied().unwrap_or(least).min(40);
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let mut items = Vec::new();
        for index in 0..length {
            let own = prefix.and_then(|all| all.get(index));
            let schema = own
                .or_else(|| keywords.get("items"))
                .cloned()
                .unwrap_or(json!(true));
            match self.value(&schema, depth + 1) {
                Some(value) => items.push(value),
                None if items.len() >= least => break,
                None => return None,
            }
        }
        Some(Value::Array(items))
    }

    fn object(&mut self, keywords: &Map<String, Value>, depth: usize) -> Option<Value> {
        let required = keywords.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut object = Map::new();
        let properties = keywords.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            if !is_required && self.random.chance(2) {
                continue;
            }
            match self.value(schema, depth + 1) {
                Some(value) => _ = object.insert(name.clone(), value),
                None if is_required => return None,
                None => {}
            }
        }
        for name in required {
            if !object.contains_key(name) {
                let schema = keywords.get("additionalProperties").cloned();
                let value = self.value(&schema.unwrap_or(json!(true)), depth + 1)?;
                object.insert(name.to_owned(), value);
            }
        }
        let additional = keywords
            .get("additionalProperties")
            .cloned()
            .unwrap_or(json!(true));
        let least = keywords
            .get("minProperties")
            .and_then(Value::as_u64)
            .unwrap_or(0);
        let is_map = properties.is_none_or(Map::is_empty) && additional.is_object();
        if additional != json!(false) && (is_map || least > 0 || self.random.chance(5)) {
            let least = usize::try_from(least).unwrap_or(0);
            for index in 0..(least + 1 + self.random.below(2)) {
                if let Some(value) = self.value(&additional, depth + 1) {
                    object.insert(format!("additional-{index}"), value);
                }
            }
        }
        Some(Value::Object(object))
    }
}

/// Adds the keywords of a schema to another one, as in `allOf`.
fn merge(all: &mut Map<String, Value>, part: &Map<String, Value>) {
    for (key, value) in part {
        match (all.get_mut(key), value) {
            (Some(Value::Object(known)), Value::Object(more)) if key == "properties" => {
                for (name, schema) in more {
                    let both = match known.remove(name) {
                        Some(own) => json!({ "allOf": [own, schema] }),
                        None => schema.clone(),
                    };
                    known.insert(name.clone(), both);
                }
            }
            (Some(Value::Array(known)), Value::Array(more)) if key == "required" => {
                known.extend(more.iter().cloned());
            }
            (Some(Value::Array(known)), Value::Array(more)) if key == "enum" => {
                known.retain(|value| more.contains(value));
            }
            (Some(_), _) => {}
            (None, value) => _ = all.insert(key.clone(), value.clone()),
        }
    }
}
