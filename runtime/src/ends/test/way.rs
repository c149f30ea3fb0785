//! Ways from the response of an operation to a request of another: the links of the document, and the shape of paths.

use super::{Lead, Probe};
use crate::ends::client::Exchange;
use crate::message::StatedLink;
use crate::message::expression::{Expression, in_body};
use crate::message::operation::{SampledPart, SampledRequest};
use crate::values::{FieldError, Json};
use http::StatusCode;

/// A way from the response of an operation to a request of another.
#[derive(Debug)]
pub(super) struct Way {
    /// The index of the operation of the response.
    pub(super) from: usize,
    /// The index of the operation of the request.
    pub(super) to: usize,
    by: By,
}

/// A request of a sequence.
#[derive(Debug, Clone)]
pub(super) struct Step<'w> {
    /// The index of the operation.
    pub(super) operation: usize,
    /// The parts that are drawn.
    pub(super) request: SampledRequest,
    /// The earlier step whose messages give the other parts, and how.
    pub(super) by: Option<(usize, &'w Way)>,
    /// The rule that the request breaks.
    pub(super) broken: Option<FieldError>,
}

#[derive(Debug, Clone, Copy)]
enum By {
    Link(&'static StatedLink),
    /// The path of a `POST` and one variable more: this.
    Path(&'static str),
}

/// Returns the links between the operations, and for a `POST` without a link to it, the `GET` and the `DELETE` at its
/// path with one more variable.
pub(super) fn ways(probes: &[Probe], links: &'static [StatedLink]) -> Vec<Way> {
    let index = |id: &str| probes.iter().position(|probe| probe.meta().id == id);
    let linked = links.iter().filter_map(|link| {
        Some(Way {
            from: index(link.from)?,
            to: index(link.to)?,
            by: By::Link(link),
        })
    });
    let mut all: Vec<Way> = linked.collect();
    for (from, post) in probes.iter().enumerate() {
        for (to, probe) in probes.iter().enumerate() {
            let is_linked = all.iter().any(|way| (way.from, way.to) == (from, to));
            if is_linked
                || post.meta().method != "POST"
                || !matches!(probe.meta().method, "GET" | "DELETE")
            {
                continue;
            }
            if let Some(variable) = variable_below(post.meta().path, probe.meta().path) {
                let by = By::Path(variable);
                all.push(Way { from, to, by });
            }
        }
    }
    all
}

/// Returns the variable of a path that is another path and one segment more: `id` of `/books/{id}` below `/books`.
fn variable_below(above: &str, path: &'static str) -> Option<&'static str> {
    last_variable(path.strip_prefix(above.trim_end_matches('/'))?)
        .filter(|variable| path.len() == above.trim_end_matches('/').len() + variable.len() + 3)
}

/// Returns the variable that is the last segment of a path.
fn last_variable(path: &'static str) -> Option<&'static str> {
    let (_, last) = path.rsplit_once('/')?;
    let variable = last.strip_prefix('{')?.strip_suffix('}')?;
    (!variable.contains(['{', '}'])).then_some(variable)
}

impl Way {
    /// Returns whether a response with this status has the way.
    pub(super) fn is_of(&self, status: StatusCode) -> bool {
        match self.by {
            By::Link(link) => link.is_of(status),
            // What is accepted may be created later.
            By::Path(_) => status.is_success() && status != StatusCode::ACCEPTED,
        }
    }

    /// Returns the name of the link.
    pub(super) const fn link(&self) -> Option<&'static str> {
        match self.by {
            By::Link(link) => Some(link.name),
            By::Path(_) => None,
        }
    }

    /// Returns the way as a fault names it.
    pub(super) fn lead(&self, probes: &[Probe]) -> Lead {
        Lead {
            operation: probes.get(self.from).map_or("", |probe| probe.meta().id),
            link: self.link(),
        }
    }

    /// Returns whether the value of a part is given, and need not be drawn.
    pub(super) fn gives(&self, place: &str, name: &str) -> bool {
        match self.by {
            By::Link(link) => {
                let mut given = link.parameters.iter();
                given.any(|(location, key, _)| (*location, *key) == (place, name))
            }
            By::Path(_) => place == "path",
        }
    }

    /// Returns the value of a part as text; `None` if the messages do not have it.
    fn value(&self, exchange: &Exchange, probe: &Probe, place: &str, name: &str) -> Option<String> {
        let path = probe.meta().path;
        match self.by {
            By::Link(link) => {
                let mut given = link.parameters.iter();
                let row = given.find(|(location, key, _)| (*location, *key) == (place, name))?;
                exchange.value(row, path)
            }
            By::Path(variable) if variable == name => {
                let body = exchange.response.body.as_ref().map(|(_, body)| body);
                let member = |name: &str| in_body(body?, &format!("/{name}"));
                let header = ("path", variable, Expression::ResponseHeader("Location"));
                member(variable)
                    .or_else(|| member("id"))
                    .or_else(|| exchange.value(&header, path))
            }
            By::Path(_) => {
                let part = probe.parts().iter().find(|part| part.key == name)?;
                exchange.value(&("path", part.key, Expression::RequestPath(part.key)), path)
            }
        }
    }

    /// Returns a request with the values of an exchange; `None` if the messages lack one, or if the operation does not
    /// accept them.
    pub(super) fn bound(
        &self,
        exchange: &Exchange,
        probe: &Probe,
        drawn: &SampledRequest,
    ) -> Option<SampledRequest> {
        let (mut texts, mut typed) = (drawn.clone(), drawn.clone());
        for part in probe.parts() {
            if !self.gives(part.place, part.key) {
                continue;
            }
            let value = self.value(exchange, probe, part.place, part.key)?;
            let scalar = serde_json::from_str(&value).ok();
            let scalar = scalar.filter(|scalar: &Json| scalar.is_number() || scalar.is_boolean());
            let text = Json::from(value);
            let add = |request: &mut SampledRequest, value| {
                request.parts.push(SampledPart {
                    part,
                    content: None,
                    value,
                });
            };
            add(&mut typed, scalar.unwrap_or_else(|| text.clone()));
            add(&mut texts, text);
        }
        // Only a parameter that is written as JSON tells a number from its text.
        let is_valid = |request: &SampledRequest| probe.is_valid(request);
        [texts, typed].into_iter().find(is_valid)
    }

    /// Returns whether the path of the request is that of one object, which the values alone name.
    pub(super) fn names_object(&self, probe: &Probe) -> bool {
        let mut variables = probe.parts().iter().filter(|part| part.place == "path");
        last_variable(probe.meta().path).is_some()
            && variables.all(|part| self.gives("path", part.key))
    }

    /// Returns the member of a response that has another value than the last variable of the request's path.
    ///
    /// The member has the name of the variable; or it is `id`, if the value is an `id`, too.
    pub(super) fn other_member(
        &self,
        from: &Exchange,
        probe: &Probe,
        response: &Exchange,
    ) -> Option<String> {
        let variable = last_variable(probe.meta().path)?;
        let given = self.value(from, probe, "path", variable)?;
        let (_, body) = response.response.body.as_ref()?;
        let is_id = match self.by {
            By::Link(link) => link.parameters.iter().any(|(_, key, expression)| {
                let is_id = |pointer: &str| pointer.ends_with("/id");
                *key == variable
                    && matches!(expression, Expression::ResponseBody(pointer) if is_id(pointer))
            }),
            By::Path(_) => false,
        };
        let names = [variable].into_iter().chain(is_id.then_some("id"));
        let found = names.filter_map(|name| Some((name, in_body(body, &format!("/{name}"))?)));
        let (name, value) = found.into_iter().next()?;
        (value != given).then(|| name.to_owned())
    }
}
