//! Values that fit the types of an API, made of a list of choices.
//!
//! The same choices always make the same value, and fewer and smaller ones a simpler value: so
//! whoever shrinks the choices shrinks the value.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends::ir::{
    Api, Bound, Codec, Literal, Object, Operation, Payload, Place, Primitive, Response, Rule,
    StatusSpec, StyleWord, TypeId, TypeKind, TypeRef, Union, Unknown,
};
use bothends_runtime::Json;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Number, json};

/// Below this depth nothing is made that could be left out.
const DEEP: u32 = 5;
/// Below this depth there is no value at all: the type holds itself in every one of its values.
const BOTTOM: u32 = 24;

/// What a text may hold: the simplest first.
const LETTERS: &[char] = &[
    'a', 'b', 'Z', '0', '-', ' ', '.', '_', '~', '/', '?', '#', '%', '&', '=', '+', ',', ';', ':',
    '|', '[', ']', '{', '}', '"', '\'', '\\', '<', '!', '*', '(', '@', '$', '^', '`', 'é', '中',
    '😀', '\t', '\n', '\r', '\u{1}', '\u{7f}', '\u{a0}', '\u{feff}',
];
/// Those of them, at the beginning, that a header or a cookie can hold.
const PLAIN_LETTERS: u32 = 5;

/// Where a value goes, as far as it limits what can be said there.
#[derive(Debug, Clone, Copy, Default)]
struct At {
    /// Within JSON, everything can be said.
    json: bool,
    /// In a header or cookie, most often only plain letters.
    plain: bool,
    /// Texts are never empty, nor all dots.
    filled: bool,
    /// Texts cannot be taken for anything else.
    plainly_text: bool,
    /// A list has items.
    some: bool,
}

const JSON: At = At {
    json: true,
    plain: false,
    filled: false,
    plainly_text: false,
    some: false,
};

/// Makes values of choices.
pub struct Inventor<'a> {
    api: &'a Api,
    choices: std::slice::Iter<'a, u32>,
    /// Whether a type had no value that ends.
    pub bottomless: bool,
    /// Only what the strictest of servers takes.
    plain: bool,
}

impl<'a> Inventor<'a> {
    /// For the types of an API.
    #[must_use]
    pub fn new(api: &'a Api, choices: &'a [u32]) -> Self {
        Self {
            api,
            choices: choices.iter(),
            bottomless: false,
            plain: false,
        }
    }

    /// Makes only what the strictest of servers takes: no value that an enum does not list, and no
    /// number that JavaScript does not have.
    #[must_use]
    pub const fn plain(self) -> Self {
        Self {
            plain: true,
            ..self
        }
    }

    /// The values of a request and of an outcome, in the order in which the driver takes them.
    pub fn case(&mut self, operation: &Operation) -> Vec<Json> {
        let mut parts = Vec::new();
        for param in &operation.params {
            let left_out = param.optional && self.coin();
            let at = match param.place {
                _ if param.style.contains(&StyleWord::Json) => JSON,
                Place::Header | Place::Cookie => At {
                    plain: self.below(4) > 0,
                    ..At::default()
                },
                Place::Path => At {
                    filled: true,
                    ..At::default()
                },
                Place::Query | Place::QueryString => At::default(),
            };
            parts.push(if left_out {
                Json::Null
            } else {
                let value = self.present(&param.ty, at.asked(&param.rules), 0);
                self.fit(value, &param.rules, at)
            });
        }
        if let Some(body) = &operation.body {
            let left_out = body.optional && self.coin();
            if body.optional {
                parts.push(Json::Bool(left_out));
            }
            if !left_out {
                self.payload(&body.payload, &mut parts);
            }
        }
        self.outcome(operation, &mut parts);
        parts
    }

    fn outcome(&mut self, operation: &Operation, parts: &mut Vec<Json>) {
        let all: Vec<&Response> = operation
            .successes
            .iter()
            .chain(&operation.errors)
            .collect();
        // Answers below 200 are not final: HTTP itself deals with them.
        let last = |response: &Response| {
            !matches!(
                response.status,
                StatusSpec::Code(..200) | StatusSpec::Range(1)
            )
        };
        let finals: Vec<usize> = (0..all.len()).filter(|index| last(all[*index])).collect();
        self.bottomless |= finals.is_empty();
        let at = self.below(u32::try_from(finals.len().max(1)).unwrap_or(1)) as usize;
        let index = finals.get(at).copied().unwrap_or_default();
        parts.push(json!(index));
        let Some(response) = all.get(index) else {
            return;
        };
        let wanted: &[u16] = match response.status {
            StatusSpec::Code(_) => &[],
            StatusSpec::Range(2) => &[218, 200, 299],
            StatusSpec::Range(3) => &[318, 399],
            StatusSpec::Range(4) => &[418, 400, 499],
            StatusSpec::Range(_) => &[518, 500, 599],
            StatusSpec::Default if index < operation.successes.len() => &[218, 200, 299],
            StatusSpec::Default => &[418, 500, 499, 599, 318],
        };
        let documented = |status: u16| {
            all.iter().any(|of| match of.status {
                StatusSpec::Code(code) => code == status,
                StatusSpec::Range(first) => {
                    response.status == StatusSpec::Default && u16::from(first) == status / 100
                }
                StatusSpec::Default => false,
            })
        };
        let free: Vec<u16> = wanted
            .iter()
            .copied()
            .filter(|of| !documented(*of))
            .collect();
        if !wanted.is_empty() {
            let status = self.pick(&free).copied().unwrap_or(wanted[0]);
            parts.push(json!(status));
        }
        for header in &response.headers {
            let left_out = header.optional && self.coin();
            let at = At {
                plain: self.below(4) > 0,
                ..At::default()
            };
            parts.push(if left_out {
                Json::Null
            } else {
                self.present(&header.ty, at, 0)
            });
        }
        if let Some(payload) = &response.payload {
            self.payload(payload, parts);
        }
    }

    fn payload(&mut self, payload: &Payload, parts: &mut Vec<Json>) {
        let media = match payload {
            Payload::One(media) => media,
            Payload::Many(_, media) => {
                let index = self.below(u32::try_from(media.len()).unwrap_or(1)) as usize;
                parts.push(json!(index));
                &media[index].1
            }
        };
        let at = match media.codec {
            Codec::Json => JSON,
            _ => At::default(),
        };
        let value = self.value(&media.ty, at.asked(&media.rules), 0);
        parts.push(self.fit(value, &media.rules, at));
    }

    /// A value changed so far that most rules are content with it.
    fn fit(&mut self, mut value: Json, rules: &[Rule], at: At) -> Json {
        for rule in rules {
            self.fit_one(&mut value, rule, at);
        }
        // A multiple may have come out below what it has to be.
        let step = rules.iter().find_map(|rule| match rule {
            Rule::MultipleOf(step) => Some(as_float(*step)),
            _ => None,
        });
        let too_low = |number: &Number| {
            rules.iter().any(|rule| match rule {
                Rule::Minimum(bound) => below(number, *bound),
                Rule::ExclusiveMinimum(bound) => !above(number, *bound),
                _ => false,
            })
        };
        if let (Some(step), Json::Number(number)) = (step, &mut value)
            && too_low(number)
        {
            let more = number.as_f64().unwrap_or_default() + step;
            *number = if number.is_f64() {
                exact(Bound::Float(more), 0)
            } else {
                exact(Bound::Int(more as i128), 0)
            };
        }
        value
    }

    fn fit_one(&mut self, value: &mut Json, rule: &Rule, at: At) {
        let length = |of: &u64| usize::try_from(*of).unwrap_or(usize::MAX).min(2000);
        match (rule, value) {
            (Rule::MinLength(least), Json::String(text)) => {
                let missing = length(least).saturating_sub(text.chars().count());
                text.extend(std::iter::repeat_n('a', missing));
            }
            (Rule::MaxLength(most), Json::String(text)) => {
                *text = text.chars().take(length(most)).collect()
            }
            (Rule::Pattern(pattern), Json::String(text)) => {
                if let Some(fitting) = self.matching(pattern) {
                    *text = fitting;
                }
            }
            (Rule::Format(format), Json::String(text)) => {
                if let Some(example) = example(format) {
                    *text = example.to_owned();
                }
            }
            (Rule::Minimum(bound), Json::Number(number)) if below(number, *bound) => {
                *number = exact(*bound, 0)
            }
            (Rule::Maximum(bound), Json::Number(number)) if above(number, *bound) => {
                *number = exact(*bound, 0)
            }
            (Rule::ExclusiveMinimum(bound), Json::Number(number)) if !above(number, *bound) => {
                *number = exact(*bound, 1)
            }
            (Rule::ExclusiveMaximum(bound), Json::Number(number)) if !below(number, *bound) => {
                *number = exact(*bound, -1)
            }
            (Rule::MultipleOf(step), Json::Number(number)) if number.is_f64() => {
                let (of, step) = (number.as_f64().unwrap_or_default(), as_float(*step));
                *number = exact(Bound::Float((of / step).trunc() * step), 0);
            }
            (Rule::MultipleOf(Bound::Int(step)), Json::Number(number)) => {
                let of = number.as_i64().map(i128::from).unwrap_or_default();
                *number = exact(Bound::Int(of / (*step).max(1) * step), 0);
            }
            (Rule::MinItems(least), Json::Array(items)) => {
                let first = items.first().cloned().unwrap_or_else(|| json!("x"));
                let missing = length(least).saturating_sub(items.len());
                items.extend(std::iter::repeat_n(first, missing));
            }
            (Rule::MaxItems(most), Json::Array(items)) => items.truncate(length(most)),
            (Rule::UniqueItems, Json::Array(items)) => {
                let mut seen: Vec<Json> = Vec::new();
                items.retain(|item| {
                    !seen.contains(item) && {
                        seen.push(item.clone());
                        true
                    }
                });
            }
            (Rule::Items(rules), Json::Array(items)) => {
                for item in items {
                    *item = self.fit(item.take(), rules, at);
                }
            }
            (Rule::Values(rules), Json::Object(fields)) => {
                for (_, value) in fields {
                    *value = self.fit(value.take(), rules, at);
                }
            }
            _ => {}
        }
    }

    /// A text that a pattern takes; most patterns have some that begin and end with them.
    fn matching(&mut self, pattern: &str) -> Option<String> {
        let strategy =
            proptest::string::string_regex(pattern.trim_start_matches('^').trim_end_matches('$'))
                .ok()?;
        let seed = [self.next().to_le_bytes()[0]; 32];
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        Some(strategy.new_tree(&mut runner).ok()?.current())
    }

    fn next(&mut self) -> u32 {
        self.choices.next().copied().unwrap_or_default()
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit.max(1)
    }

    /// The simplest choice leaves things out.
    fn coin(&mut self) -> bool {
        self.next() & 1 == 0
    }

    fn pick<'v, T>(&mut self, of: &'v [T]) -> Option<&'v T> {
        let index = self.below(u32::try_from(of.len()).unwrap_or(u32::MAX));
        of.get(index as usize)
    }

    fn value(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        if depth > BOTTOM {
            self.bottomless = true;
            return Json::Null;
        }
        match ty {
            TypeRef::Named(id) => self.named(*id, at, depth),
            TypeRef::Primitive(primitive) => self.primitive(primitive, at, depth),
            TypeRef::Boxed(ty) => self.value(ty, at, depth),
            TypeRef::Option(ty) | TypeRef::Maybe(ty) => {
                if at.json && (depth > DEEP || self.coin()) {
                    Json::Null
                } else {
                    self.value(ty, at, depth)
                }
            }
            TypeRef::Vec(ty) => self.list(ty, at, depth),
            TypeRef::Map(ty) => {
                let count = if depth > DEEP { 0 } else { self.below(3) };
                let least = u32::from(!at.json);
                let entries = (0..count.max(least)).map(|index| {
                    (
                        format!("extra_{index}"),
                        self.value(ty, at.within(), depth + 1),
                    )
                });
                Json::Object(entries.collect())
            }
            TypeRef::Tuple(parts) => {
                let at = at.within();
                parts
                    .iter()
                    .map(|ty| self.value(ty, at, depth + 1))
                    .collect()
            }
        }
    }

    /// What may be left out, and is not: null is no value of its own there.
    fn present(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        match ty {
            TypeRef::Option(ty) => self.value(ty, at, depth),
            other => self.value(other, at, depth),
        }
    }

    fn list(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        let count = if depth > DEEP { 0 } else { self.below(4) };
        let least = u32::from(!at.json || at.some);
        let within = at.within();
        (0..count.max(least))
            .map(|_| self.value(ty, within, depth + 1))
            .collect()
    }

    fn named(&mut self, id: TypeId, at: At, depth: u32) -> Json {
        let api = self.api;
        let at = at.asked(&api.type_def(id).rules);
        let value = self.of_kind(&api.type_def(id).kind, at, depth);
        self.fit(value, &api.type_def(id).rules, at)
    }

    fn of_kind(&mut self, kind: &TypeKind, at: At, depth: u32) -> Json {
        match kind {
            TypeKind::Object(object) => self.object(object, at, depth),
            TypeKind::StringEnum(of) => {
                if of.fallback.is_some() && self.below(8) == 7 && !self.plain {
                    return Json::String(format!("x{}", self.text(at)));
                }
                let variant = self.pick(&of.variants);
                variant.map_or(Json::Null, |variant| json!(variant.name.wire))
            }
            TypeKind::LiteralEnum(of) => {
                let variant = self.pick(&of.variants);
                variant.map_or(Json::Null, |variant| literal(&variant.value))
            }
            TypeKind::Union(union) => self.union(union, at, depth),
            TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => self.value(ty, at, depth + 1),
            TypeKind::Pending => Json::Null,
        }
    }

    fn object(&mut self, object: &Object, at: At, depth: u32) -> Json {
        let mut fields = Map::new();
        let mut optional = Vec::new();
        for field in &object.fields {
            if field.optional && (depth > DEEP || self.coin()) {
                optional.push(field);
                continue;
            }
            let value = if field.optional {
                self.present(&field.ty, at.within().asked(&field.rules), depth + 1)
            } else {
                self.value(&field.ty, at.within().asked(&field.rules), depth + 1)
            };
            let value = self.fit(value, &field.rules, at);
            fields.insert(field.name.wire.clone(), value);
        }
        if let (Unknown::Kept(_, ty), true) = (&object.unknown, depth <= DEEP) {
            for index in 0..self.below(3) {
                let value = self.value(ty, at.within(), depth + 1);
                let value = self.fit(value, &object.each, at);
                fields.insert(format!("extra_{index}"), value);
            }
        }
        // Outside of JSON, an object without anything is nothing at all.
        if fields.is_empty() && !at.json {
            if let Some(field) = optional.first() {
                let value = self.present(&field.ty, at.within().asked(&field.rules), depth + 1);
                let value = self.fit(value, &field.rules, at);
                fields.insert(field.name.wire.clone(), value);
            } else if let Unknown::Kept(_, ty) = &object.unknown {
                let value = self.value(ty, at.within(), depth + 1);
                fields.insert("extra_0".to_owned(), value);
            }
        }
        Json::Object(fields)
    }

    fn union(&mut self, union: &Union, at: At, depth: u32) -> Json {
        let chosen = self.below(u32::try_from(union.variants.len()).unwrap_or(1)) as usize;
        let shallowest = || {
            let depth_of = |index: &usize| self.least(&union.variants[*index].ty, 8);
            (0..union.variants.len())
                .min_by_key(depth_of)
                .unwrap_or_default()
        };
        let index = if depth > DEEP { shallowest() } else { chosen };
        let Some(variant) = union.variants.get(index) else {
            return Json::Null;
        };
        let at = At {
            plainly_text: true,
            ..at
        };
        let value = self.value(&variant.ty, at, depth + 1);
        let mut value = self.fit(value, &variant.rules, at);
        if let (Some(tag), Json::Object(fields)) = (&union.tag, &mut value)
            && let Some(word) = self.pick(&variant.tags)
        {
            fields.insert(tag.clone(), json!(word));
        }
        value
    }

    /// Whether some value of these types can be taken for another variant of a union.
    #[must_use]
    pub fn is_ambiguous(&self, operation: &Operation) -> bool {
        let mut seen = Vec::new();
        let mut found = false;
        operation.parts(&mut |ty| found |= self.has_guesses(ty, &mut seen));
        found
    }

    fn has_guesses(&self, ty: &TypeRef, seen: &mut Vec<TypeId>) -> bool {
        match ty {
            TypeRef::Primitive(_) => false,
            TypeRef::Boxed(ty)
            | TypeRef::Vec(ty)
            | TypeRef::Map(ty)
            | TypeRef::Option(ty)
            | TypeRef::Maybe(ty) => self.has_guesses(ty, seen),
            TypeRef::Tuple(parts) => parts.iter().any(|ty| self.has_guesses(ty, seen)),
            TypeRef::Named(id) if seen.contains(id) => false,
            TypeRef::Named(id) => {
                seen.push(*id);
                let kind = &self.api.type_def(*id).kind;
                if matches!(kind, TypeKind::Union(union) if union.tag.is_none()) {
                    return true;
                }
                let mut found = false;
                kind.parts(&mut |ty| found |= self.has_guesses(ty, seen));
                found
            }
        }
    }

    /// How deep the least value of a type is.
    fn least(&self, ty: &TypeRef, fuel: u32) -> u32 {
        if fuel == 0 {
            return 0;
        }
        match ty {
            TypeRef::Boxed(ty) => self.least(ty, fuel),
            TypeRef::Tuple(parts) => parts
                .iter()
                .map(|of| 1 + self.least(of, fuel - 1))
                .max()
                .unwrap_or_default(),
            TypeRef::Named(id) => match &self.api.type_def(*id).kind {
                TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => self.least(ty, fuel - 1),
                TypeKind::Object(object) => {
                    let needed = object.fields.iter().filter(|field| !field.optional);
                    needed
                        .map(|field| 1 + self.least(&field.ty, fuel - 1))
                        .max()
                        .unwrap_or_default()
                }
                TypeKind::Union(union) => {
                    let variants = union.variants.iter();
                    variants
                        .map(|variant| 1 + self.least(&variant.ty, fuel - 1))
                        .min()
                        .unwrap_or_default()
                }
                TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) | TypeKind::Pending => 0,
            },
            TypeRef::Primitive(_)
            | TypeRef::Vec(_)
            | TypeRef::Map(_)
            | TypeRef::Option(_)
            | TypeRef::Maybe(_) => 0,
        }
    }

    fn primitive(&mut self, primitive: &Primitive, at: At, depth: u32) -> Json {
        match primitive {
            Primitive::Bool => Json::Bool(!self.coin()),
            Primitive::Number(name) => self.number(name),
            Primitive::String | Primitive::Custom(_) => Json::String(self.string(at)),
            Primitive::Json if at.json => self.json(depth),
            Primitive::Json => Json::String(format!("x{}", self.text(At { plain: true, ..at }))),
            Primitive::Uuid => {
                let high = u64::from(self.next()) << 32 | u64::from(self.next());
                json!(uuid::Uuid::from_u64_pair(high, u64::from(self.next())))
            }
            Primitive::Timestamp => {
                let second = i64::from(self.next() as i32) * 30;
                let nanosecond = (self.below(3) * 1_500_000) as i32;
                json!(jiff::Timestamp::new(second, nanosecond).unwrap_or_default())
            }
            Primitive::Date => {
                let year = 1 + self.below(9999) as i16;
                let [month, day] = [self.below(12), self.below(28)].map(|of| 1 + of as i8);
                json!(jiff::civil::Date::new(year, month, day).unwrap_or_default())
            }
            Primitive::Base64 => {
                let count = self.below(4);
                let bytes: Vec<u8> = (0..count).map(|_| self.next() as u8).collect();
                json!(STANDARD.encode(bytes))
            }
            Primitive::Binary => Json::String(self.text(JSON)),
            Primitive::Bytes => {
                let count = self.below(6);
                (0..count).map(|_| json!(self.next() as u8)).collect()
            }
        }
    }

    fn number(&mut self, name: &str) -> Json {
        let wide = i64::from(self.next() as i32);
        let all = match self.below(4) {
            0 => wide % 100,
            1 => wide,
            _ if self.plain => wide << 20,
            2 => wide << 32 | i64::from(self.next()),
            _ => [0, i64::MAX, i64::MIN][self.below(3) as usize],
        };
        match name {
            "f64" => json!(all as f64 / f64::from(1 << self.below(20))),
            "f32" => json!(all as f32 / 8.0),
            "i8" => json!(all as i8),
            "i16" => json!(all as i16),
            "i32" => json!(all as i32),
            "u8" => json!(all as u8),
            "u16" => json!(all as u16),
            "u32" => json!(all as u32),
            "u64" | "u128" => json!(all as u64),
            _ => json!(all),
        }
    }

    /// Any JSON value.
    fn json(&mut self, depth: u32) -> Json {
        match self.below(if depth > DEEP { 4 } else { 6 }) {
            0 => Json::Null,
            1 => Json::Bool(true),
            2 => Json::Number(Number::from(self.next())),
            3 => Json::String(self.text(JSON)),
            4 => (0..self.below(3)).map(|_| self.json(depth + 1)).collect(),
            _ => Json::Object(
                (0..self.below(3))
                    .map(|_| (self.text(JSON), self.json(depth + 1)))
                    .collect(),
            ),
        }
    }

    fn string(&mut self, at: At) -> String {
        let text = self.text(at);
        if at.plainly_text {
            format!("x{text}")
        } else {
            text
        }
    }

    fn text(&mut self, at: At) -> String {
        let count = self.below(6).max(u32::from(at.filled));
        let letters = if at.plain {
            PLAIN_LETTERS
        } else {
            LETTERS.len() as u32
        };
        (0..count)
            .filter_map(|_| LETTERS.get(self.below(letters) as usize))
            .collect()
    }
}

impl At {
    /// Where the parts of a value go.
    const fn within(self) -> Self {
        Self {
            some: false,
            ..self
        }
    }

    /// With what some rules ask for from the beginning.
    fn asked(self, rules: &[Rule]) -> Self {
        let some = rules.iter().any(|rule| matches!(rule, Rule::MinItems(1..)));
        Self {
            some: self.some || some,
            ..self
        }
    }
}

/// A text of a format.
fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "uri" | "url" | "uri-reference" | "iri" | "iri-reference" => "https://example.com/a?b=c#d",
        "email" | "idn-email" => "somebody@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uuid" => "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "date-time" => "2020-02-29T23:59:59Z",
        "date" => "2020-02-29",
        "time" => "23:59:59Z",
        "duration" => "P1DT2H",
        "byte" => "YQ==",
        _ => return None,
    })
}

fn as_float(bound: Bound) -> f64 {
    match bound {
        Bound::Int(bound) => bound as f64,
        Bound::Float(bound) => bound,
    }
}

fn below(number: &Number, bound: Bound) -> bool {
    number
        .as_f64()
        .is_some_and(|number| number < as_float(bound))
}

fn above(number: &Number, bound: Bound) -> bool {
    number
        .as_f64()
        .is_some_and(|number| number > as_float(bound))
}

fn exact(bound: Bound, more: i8) -> Number {
    match bound {
        Bound::Int(bound) => {
            i64::try_from(bound + i128::from(more)).map_or(Number::from(0), Number::from)
        }
        Bound::Float(bound) => Number::from_f64(bound + f64::from(more)).unwrap_or(Number::from(0)),
    }
}

fn literal(value: &Literal) -> Json {
    match value {
        Literal::Null => Json::Null,
        Literal::Bool(value) => json!(value),
        Literal::Int(value) => i64::try_from(*value).map_or(Json::Null, |value| json!(value)),
        Literal::Float(value) => json!(value),
        Literal::String(value) => json!(value),
    }
}
