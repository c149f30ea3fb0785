//! An axum server with the checks of the document, called in process.

use crate::accepts::AcceptsJson;
use crate::transfer;
use crate::types::{Entry, NewEntry, Order};
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use bench_inputs::cases::{Case, Prepare, case, drive};
use bench_inputs::requests::{self, Template};
use bench_inputs::serve;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use tower_service::Service;

pub const CASES: &[(&str, Prepare)] = &[
    ("server-get", |_| in_process(requests::get_requests())),
    ("server-get-many", |_| {
        in_process(requests::get_many_requests())
    }),
    ("server-post", |_| in_process(requests::post_requests())),
    ("server-get-checked", |_| {
        in_process(requests::get_requests())
    }),
    ("server-upload", |_| framed(requests::upload())),
    ("server-multipart", |_| framed(requests::document())),
    ("server-journal", |_| in_process(vec![requests::journal()])),
];

/// A refused request: 400 with all field errors.
#[derive(Debug, Default, Serialize)]
pub struct Problem {
    message: String,
    fields: Vec<FieldError>,
}

#[derive(Debug, Serialize)]
struct FieldError {
    field: &'static str,
    message: String,
}

impl Problem {
    pub fn new(message: impl ToString) -> Self {
        Self {
            message: message.to_string(),
            fields: Vec::new(),
        }
    }

    fn check(&mut self, valid: bool, field: &'static str, message: impl FnOnce() -> String) {
        if !valid {
            let message = message();
            self.fields.push(FieldError { field, message });
        }
    }

    fn finish(mut self) -> Result<(), Self> {
        if self.fields.is_empty() {
            return Ok(());
        }
        self.message = "the request is invalid".to_owned();
        Err(self)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(self)).into_response()
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Self::new(rejection)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection)
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection)
    }
}

#[derive(Debug, Deserialize)]
struct SummaryQuery {
    limit: i32,
    order: Option<Order>,
}

#[derive(Debug, Deserialize)]
struct EntryQuery {
    limit: i32,
    order: Option<Order>,
    search: Option<String>,
    archived: Option<bool>,
    min_amount: Option<f64>,
}

fn check_account(problem: &mut Problem, account: &str) {
    let length = account.chars().count();
    problem.check(length >= 1, "account_id", || "is too short".to_owned());
    problem.check(length <= 36, "account_id", || "is too long".to_owned());
}

fn check_limit(problem: &mut Problem, limit: i32) {
    problem.check(limit >= 1, "limit", || "is less than 1".to_owned());
    problem.check(limit <= 500, "limit", || "is more than 500".to_owned());
}

async fn get_summary(
    _: AcceptsJson,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<SummaryQuery>, QueryRejection>,
) -> Result<Json<Entry>, Problem> {
    let Path(account) = path?;
    let Query(query) = query?;
    let mut problem = Problem::default();
    check_account(&mut problem, &account);
    check_limit(&mut problem, query.limit);
    problem.finish()?;
    let category = match query.order {
        Some(Order::Oldest) => "oldest",
        _ => "newest",
    };
    Ok(Json(Entry {
        id: 1,
        account,
        title: "Summary".to_owned(),
        amount: i64::from(query.limit),
        currency: "EUR".to_owned(),
        category: category.to_owned(),
        labels: Vec::new(),
        memo: None,
    }))
}

async fn get_entry(
    _: AcceptsJson,
    path: Result<Path<(String, i64)>, PathRejection>,
    query: Result<Query<EntryQuery>, QueryRejection>,
) -> Result<Json<Entry>, Problem> {
    let Path((account, id)) = path?;
    let Query(query) = query?;
    let mut problem = Problem::default();
    check_account(&mut problem, &account);
    problem.check(id >= 1, "entry_id", || "is less than 1".to_owned());
    check_limit(&mut problem, query.limit);
    if let Some(search) = &query.search {
        problem.check(search.chars().count() <= 100, "search", || {
            "is too long".to_owned()
        });
    }
    problem.finish()?;
    let amount = query.min_amount.unwrap_or_default() * f64::from(query.limit);
    let category = match query.order {
        Some(Order::Oldest) => "oldest",
        _ => "newest",
    };
    let labels = match query.archived {
        Some(true) => vec!["archived".to_owned()],
        _ => Vec::new(),
    };
    Ok(Json(Entry {
        id,
        account,
        title: query.search.unwrap_or_else(|| "entry".to_owned()),
        amount: amount as i64,
        currency: "EUR".to_owned(),
        category: category.to_owned(),
        labels,
        memo: None,
    }))
}

async fn add_entry(
    path: Result<Path<String>, PathRejection>,
    body: Result<Json<NewEntry>, JsonRejection>,
) -> Result<(StatusCode, Json<Entry>), Problem> {
    let Path(account) = path?;
    let Json(new) = body?;
    let mut problem = Problem::default();
    check_account(&mut problem, &account);
    let title = new.title.chars().count();
    problem.check(title >= 1, "title", || "is too short".to_owned());
    problem.check(title <= 120, "title", || "is too long".to_owned());
    problem.check(new.amount >= 1, "amount", || "is less than 1".to_owned());
    problem.check(new.amount <= 1_000_000_000, "amount", || {
        "is too large".to_owned()
    });
    let currency = new.currency.chars().count();
    problem.check(currency >= 3, "currency", || "is too short".to_owned());
    let category = new.category.chars().count();
    problem.check(category <= 40, "category", || "is too long".to_owned());
    problem.check(new.labels.len() <= 16, "labels", || {
        "has too many items".to_owned()
    });
    problem.finish()?;
    let entry = Entry {
        id: 7,
        account,
        title: new.title,
        amount: new.amount,
        currency: new.currency,
        category: new.category,
        labels: new.labels,
        memo: new.memo,
    };
    Ok((StatusCode::CREATED, Json(entry)))
}

/// Returns the router of the whole document.
pub fn router() -> Router {
    Router::new()
        .route("/accounts/{account_id}/summary", get(get_summary))
        .route("/accounts/{account_id}/entries/{entry_id}", get(get_entry))
        .route("/accounts/{account_id}/entries", post(add_entry))
        .route("/accounts", put(transfer::replace_accounts))
        .route("/journal", get(transfer::read_journal))
        .route("/documents", post(transfer::add_document))
        .route("/blobs", get(transfer::get_blob).post(transfer::put_blob))
}

/// The limit for the bodies of requests, which are up to 100 MB.
const LIMIT: usize = 256 << 20;

/// Serves the API over loopback.
pub fn serve(once: bool) -> Result<(), Box<dyn std::error::Error>> {
    serve::serve(router().layer(DefaultBodyLimit::max(LIMIT)), once)
}

/// Calls the router in process with a body that arrives in frames.
fn framed(request: Template) -> Box<dyn Case> {
    let mut service = router().layer(DefaultBodyLimit::max(LIMIT));
    let (mut other, again) = (service.clone(), request.clone());
    let show = move || {
        let Ok(response) = drive(other.call(again.framed()));
        requests::shown(response)
    };
    let run = move || {
        let Ok(response) = drive(service.call(black_box(&request).framed()));
        black_box(requests::drain(response));
    };
    case(show, run)
}

/// Calls the router in process. Every request is shown, and the first is measured.
fn in_process(requests: Vec<Template>) -> Box<dyn Case> {
    let mut service = router();
    let first = requests[0].clone();
    let mut other = service.clone();
    let show = move || {
        let shown = requests.iter().map(|request| {
            let Ok(response) = drive(other.call(request.request()));
            requests::shown(response)
        });
        shown.collect()
    };
    let run = move || {
        let Ok(response) = drive(service.call(black_box(&first).request()));
        black_box(requests::drain(response));
    };
    case(show, run)
}
