//! The operations of the axum server whose bodies are large or streamed.

use crate::server::Problem;
use crate::types::{Account, Entry, Receipt};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::Multipart;
use axum::extract::rejection::JsonRejection;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use bench_inputs::transfer;
use futures_util::{StreamExt, stream};
use std::convert::Infallible;

pub async fn replace_accounts(
    body: Result<Json<Vec<Account>>, JsonRejection>,
) -> Result<Json<Receipt>, Problem> {
    let Json(accounts) = body?;
    Ok(Json(Receipt {
        items: accounts.len() as i64,
        bytes: accounts.iter().map(|account| account.id).sum(),
    }))
}

pub async fn add_document(mut form: Multipart) -> Result<Json<Receipt>, Problem> {
    let (mut title, mut pages, mut file) = (None, None, None);
    while let Some(field) = form.next_field().await.map_err(Problem::new)? {
        match field.name() {
            Some("title") => title = Some(field.text().await.map_err(Problem::new)?),
            Some("pages") => {
                let text = field.text().await.map_err(Problem::new)?;
                pages = Some(text.parse::<i32>().map_err(Problem::new)?);
            }
            Some("file") => file = Some(field.bytes().await.map_err(Problem::new)?),
            _ => {}
        }
    }
    let _title = title.ok_or_else(|| Problem::new("title is missing"))?;
    let pages = pages.ok_or_else(|| Problem::new("pages is missing"))?;
    let file: Bytes = file.ok_or_else(|| Problem::new("file is missing"))?;
    Ok(Json(Receipt {
        items: i64::from(pages) * 1_000 + file.last().copied().map_or(0, i64::from),
        bytes: file.len() as i64,
    }))
}

pub async fn read_journal() -> Response {
    let lines = (1..=transfer::LINES as i64).map(|id| {
        let mut text = serde_json::to_vec(&line(id))?;
        text.push(b'\n');
        Ok::<_, serde_json::Error>(Bytes::from(text))
    });
    let body = Body::from_stream(stream::iter(lines));
    ([(CONTENT_TYPE, "application/jsonl")], body).into_response()
}

/// Returns a line of the journal.
fn line(id: i64) -> Entry {
    Entry {
        id,
        account: "acct-0193".to_owned(),
        title: "Standing order".to_owned(),
        amount: id,
        currency: "EUR".to_owned(),
        category: "housing".to_owned(),
        labels: vec!["home".to_owned(), "monthly".to_owned()],
        memo: None,
    }
}

pub async fn put_blob(body: Body) -> Result<Json<Receipt>, Problem> {
    let mut pieces = body.into_data_stream();
    let mut bytes = 0;
    while let Some(piece) = pieces.next().await {
        bytes += piece.map_err(Problem::new)?.len() as i64;
    }
    Ok(Json(Receipt { items: 1, bytes }))
}

pub async fn get_blob() -> Response {
    let pieces = (0..transfer::PIECES).map(|_| Ok::<_, Infallible>(transfer::piece()));
    let body = Body::from_stream(stream::iter(pieces));
    ([(CONTENT_TYPE, "application/octet-stream")], body).into_response()
}
