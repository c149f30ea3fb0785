//! Calls with an error, grouped by what has happened.

use super::calls::NONE;
use super::html::{status, table, thousands};
use super::layout::project_page;
use super::time::time;
use super::visit::{Page, Visit};
use crate::app::Shared;
use crate::console::actions::inspector;
use crate::model::{Call, Millis};
use crate::recorder::KEPT;
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use maud::{Markup, html};
use std::borrow::Cow;
use std::collections::BTreeMap;
use url::form_urlencoded::Serializer;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/projects/{id}/errors", get(show))
}

/// What calls of a group have in common.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    operation: Option<Cow<'static, str>>,
    status: Option<u16>,
    code: Option<String>,
}

impl Kind {
    fn new(call: &Call) -> Self {
        Self {
            operation: call.operation.clone(),
            status: call.status,
            code: call.code(),
        }
    }

    /// Returns the query with which the list of calls shows the group.
    fn query(&self) -> String {
        let status = self.status.map(|status| status.to_string());
        let mut query = Serializer::new(String::new());
        query
            .append_pair("operation", self.operation.as_deref().unwrap_or(NONE))
            .append_pair("status", status.as_deref().unwrap_or(NONE))
            .append_pair("code", self.code.as_deref().unwrap_or(NONE))
            .append_pair("failed", "1");
        query.finish()
    }
}

/// The calls of a kind.
struct Group {
    kind: Kind,
    count: u32,
    last: Millis,
}

/// Groups calls, the largest group first.
fn groups(calls: &[Call]) -> Vec<Group> {
    let mut groups: BTreeMap<Kind, (u32, Millis)> = BTreeMap::new();
    for call in calls {
        let (count, last) = groups.entry(Kind::new(call)).or_insert((0, call.at));
        *count += 1;
        *last = call.at.max(*last);
    }
    let groups = groups.into_iter();
    let mut groups: Vec<Group> = groups
        .map(|(kind, (count, last))| Group { kind, count, last })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let calls = inspector::newest(&visit.app, &id, None, KEPT, inspector::is_error).await?;
    let rows: Vec<Markup> = groups(&calls).iter().map(|group| row(&id, group)).collect();
    let content = html! {
        p { "Calls of the log that ended with an error status, or without a response. The log keeps the last " (thousands(KEPT)) " calls." }
        (table("Errors, the most frequent first", &["Operation", "Status", "Code", "Calls", "Last"], &rows, "The log has no call with an error."))
    };
    let title = "Errors by kind";
    Ok(project_page(&visit, &project, "/calls", title, &content))
}

fn row(id: &str, group: &Group) -> Markup {
    let kind = &group.kind;
    let calls = format!("/projects/{id}/calls?{}", kind.query());
    html! { tr {
        th scope="row" { a href=(calls) { (kind.operation.as_deref().unwrap_or("none of the document")) } }
        td { (status(kind.status)) }
        td { @if let Some(code) = &kind.code { code { (code) } } @else { "none" } }
        td.number { (group.count) }
        td { (time(group.last)) }
    } }
}
