//! Values that fit the types of an API, made of a list of choices.
//!
//! The same choices always make the same value, and fewer and smaller ones a simpler value: so
//! whoever shrinks the choices shrinks the value.

mod fit;
mod guess;
mod scalar;
mod values;

use bothends::ir::{Api, Codec, Operation, Payload, Place, Response, Rule, StatusSpec, StyleWord};
use bothends_runtime::Json;
use serde_json::json;

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
            all.iter().any(|other| match other.status {
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
            .filter(|status| !documented(*status))
            .collect();
        if !wanted.is_empty() {
            let status = self.pick(&free).copied().unwrap_or(wanted[0]);
            parts.push(json!(status));
        }
        // Those of all successes stand beside the body of any.
        let headers = if index < operation.successes.len() {
            &operation.success_headers
        } else {
            // See `error` in build/driver.rs.
            &Vec::new()
        };
        for header in headers {
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

    fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let index = self.below(u32::try_from(values.len()).unwrap_or(u32::MAX));
        values.get(index as usize)
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
