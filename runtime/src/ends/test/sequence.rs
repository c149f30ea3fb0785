//! Sequences of requests by the shape of paths: what a `POST` creates is read, deleted, and read again.

use super::fault::faults;
use super::report::Sent;
use super::run::Run;
use super::{Fault, Probe};
use crate::ends::client::{Transport, UntypedResponse};
use crate::message::operation::SampledRequest;
use crate::values::Json;
use http::StatusCode;
use http::header::LOCATION;

/// The number of sequences of each `POST`.
const SEQUENCES: u32 = 8;

/// An operation at the path of a created object.
struct Member<'p> {
    probe: &'p Probe,
    /// The variable of the path that the object has more than the `POST`.
    variable: &'p str,
}

impl<T: Transport> Run<T> {
    pub(super) async fn sequences(&mut self, probes: &[Probe], cases: u32) {
        for post in probes.iter().filter(|probe| probe.meta().method == "POST") {
            let member = |method: &str| {
                let mut members = probes.iter().filter(|probe| probe.meta().method == method);
                members.find_map(|probe| {
                    let variable = variable_below(post.meta().path, probe.meta().path)?;
                    Some(Member { probe, variable })
                })
            };
            let (get, delete) = (member("GET"), member("DELETE"));
            let Some(get) = get else { continue };
            for case in 0..cases.min(SEQUENCES) {
                // The numbers of a sequence are not those of a single request.
                self.sequence(post, &get, delete.as_ref(), u32::MAX - case)
                    .await;
            }
        }
    }

    async fn sequence(
        &mut self,
        post: &Probe,
        get: &Member<'_>,
        delete: Option<&Member<'_>>,
        case: u32,
    ) {
        let mut random = self.random(post, case);
        let mut sent = Vec::new();
        let Ok(request) = post.draw(&mut random) else {
            return;
        };
        let Some(created) = self.step(post, &request, &mut sent).await else {
            return;
        };
        if !created.status.is_success() {
            return;
        }
        let Some(id) = id_of(&created, get.variable) else {
            return;
        };
        let mut at = |member: &Member<'_>| {
            let drawn = member.probe.draw(&mut random).ok()?;
            Some(placed(drawn, &request, member.variable, &id))
        };
        let Some(read) = at(get) else { return };
        match self.step(get.probe, &read, &mut sent).await {
            Some(found) if is_missing(found.status) => {
                return self.found(get.probe, Fault::NotFound, &sent);
            }
            Some(_) => {}
            None => return,
        }
        let Some(delete) = delete else { return };
        let Some(gone) = at(delete) else { return };
        match self.step(delete.probe, &gone, &mut sent).await {
            Some(deleted)
                if deleted.status.is_success() && deleted.status != StatusCode::ACCEPTED => {}
            _ => return,
        }
        if let Some(found) = self.step(get.probe, &read, &mut sent).await
            && found.status.is_success()
        {
            self.found(get.probe, Fault::NotDeleted(found.status), &sent);
        }
    }
}

impl<T: Transport> Run<T> {
    /// Sends the next request of a sequence, and reports the faults of its response; `None` if there is no response.
    async fn step(
        &mut self,
        probe: &Probe,
        request: &SampledRequest,
        sent: &mut Vec<Sent>,
    ) -> Option<UntypedResponse> {
        let (form, received) = self.send(probe, request).await?;
        sent.push(form);
        match received {
            Ok(received) => {
                for fault in faults(probe, None, &received) {
                    self.found(probe, fault, sent);
                }
                Some(received)
            }
            Err(why) => {
                self.found(probe, Fault::NoResponse(why), sent);
                None
            }
        }
    }
}

fn is_missing(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

/// Returns the variable of a path that is another path and one segment more: `id` of `/books/{id}` below `/books`.
fn variable_below<'p>(above: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(above.trim_end_matches('/'))?;
    let variable = rest.strip_prefix("/{")?.strip_suffix('}')?;
    (!variable.contains(['{', '}', '/'])).then_some(variable)
}

/// Returns the id of a created object: the member of the body with the name of the variable, or `id`, or the last
/// segment of `Location`.
fn id_of(created: &UntypedResponse, variable: &str) -> Option<Json> {
    let body: Option<Json> = created
        .body
        .as_ref()
        .and_then(|body| serde_json::from_slice(body).ok());
    let member = |name: &str| {
        body.as_ref()?
            .get(name)
            .filter(|id| id.is_string() || id.is_number())
    };
    if let Some(id) = member(variable).or_else(|| member("id")) {
        return Some(id.clone());
    }
    let location = created.headers.get(LOCATION)?.to_str().ok()?;
    let path = location.split(['?', '#']).next()?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    Some(Json::from(last)).filter(|_| !last.is_empty())
}

/// Sets the variables of a path: the id of the created object, and those of the request that has created it.
fn placed(
    mut request: SampledRequest,
    created_by: &SampledRequest,
    variable: &str,
    id: &Json,
) -> SampledRequest {
    for part in request
        .parts
        .iter_mut()
        .filter(|part| part.place() == "path")
    {
        let name = part.name();
        let mut same = created_by.parts().iter();
        let same = same.find(|other| other.place() == "path" && other.name() == name);
        let value = match same {
            _ if name == variable => Some(id),
            Some(same) => Some(same.value()),
            None => None,
        };
        if let Some(value) = value {
            // The segment of a URL is text, and the variable may be a number.
            let number = value.as_str().filter(|_| part.value.is_number());
            let number = number.and_then(|text| serde_json::from_str(text).ok());
            part.value = number.unwrap_or_else(|| value.clone());
        }
    }
    request
}
