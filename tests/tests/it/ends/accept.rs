//! `Accept`, before the handler is called.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use bothends_runtime::server::{Context, Error, Router};
use bothends_runtime::{ByteStream, Bytes, Event, NoError, Streamed};

use super::generated;
use super::wire::ask;
use accept::operations::*;
use accept::server::{DefaultApi, router};

generated!(accept "accept");

/// Counts calls of handlers.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicI64>);

impl Counter {
    fn count(&self) -> i64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl DefaultApi for Counter {
    async fn get_count(
        &self,
        ctx: Context,
        _: GetCountRequest,
    ) -> Result<GetCountResponse, Error<GetCountError>> {
        let count = self.count();
        match ctx.uri().query() {
            Some("gone") => Err(GetCountError::NotFound(GetCountNotFoundBody::new()))?,
            _ => Ok(GetCountResponse::new(count)),
        }
    }

    async fn add_count(
        &self,
        _: Context,
        _: AddCountRequest,
    ) -> Result<AddCountResponse, Error<NoError>> {
        Ok(AddCountResponse::new(self.count()))
    }

    async fn get_ticks(
        &self,
        _: Context,
        _: GetTicksRequest,
    ) -> Result<GetTicksResponse, Error<NoError>> {
        self.count();
        let events = vec![Event::new("tick".to_owned())];
        Ok(GetTicksResponse::new(Streamed::from_items(events)))
    }

    async fn get_report(
        &self,
        _: Context,
        _: GetReportRequest,
    ) -> Result<GetReportResponse, Error<NoError>> {
        self.count();
        let csv = GetReportOkContent::TextCsv("a,b".to_owned());
        Ok(GetReportResponse::new(csv))
    }

    async fn get_file(
        &self,
        _: Context,
        _: GetFileRequest,
    ) -> Result<GetFileResponse, Error<NoError>> {
        self.count();
        let bytes = ByteStream::from(Bytes::from_static(b"file"));
        Ok(GetFileResponse::new(bytes))
    }

    async fn get_nothing(
        &self,
        _: Context,
        _: GetNothingRequest,
    ) -> Result<GetNothingResponse, Error<NoError>> {
        self.count();
        Ok(GetNothingResponse::new(()))
    }
}

/// The status, and how often a handler was called.
async fn asked(
    request: &str,
    accept: &str,
    with: fn(Router<Counter>) -> Router<Counter>,
) -> (u16, i64) {
    let counter = Counter::default();
    let request = format!("{request} HTTP/1.1\nAccept: {accept}");
    let (status, _, _) = ask(with(router(counter.clone())), &request).await;
    (status, counter.0.load(Ordering::SeqCst))
}

#[tokio::test]
async fn what_nobody_takes_is_refused_before_the_handler() {
    for (request, accept) in [
        ("GET /count", "text/html"),
        ("GET /count", "application/json;q=0, */*;q=0"),
        ("GET /count?gone", "application/xml"),
        ("HEAD /count", "text/html"),
        ("GET /ticks", "application/json"),
        ("HEAD /ticks", "application/json"),
        ("GET /report", "application/xml, text/html"),
        ("GET /file", "*/*;q=0"),
    ] {
        let came = asked(request, accept, Router::enforce_accept).await;
        assert_eq!(came, (406, 0), "{request} {accept}");
        let came = asked(request, accept, |router| router).await;
        let status = if request.contains("gone") { 404 } else { 200 };
        assert_eq!(came, (status, 1), "{request} {accept}");
    }
}

#[tokio::test]
async fn what_practice_sends_is_taken() {
    for (request, accept, status) in [
        ("GET /count", "application/vnd.github.v3+json", 200),
        (
            "GET /count",
            "text/html, image/gif, *; q=.2, */*; q=.2",
            200,
        ),
        ("GET /count", "application/*", 200),
        ("HEAD /count", "application/vnd.github.v3+json", 200),
        // The media type of an error is not asked about.
        ("GET /count?gone", "application/json", 404),
        ("GET /count?gone", "application/vnd.github.v3+json", 404),
        // What has an effect is done.
        ("POST /count", "text/html", 200),
        ("GET /ticks", "text/event-stream", 200),
        ("GET /report", "application/json", 200),
        ("GET /report", "text/csv;q=0.1", 200),
        // The handler has been called, so its choice counts.
        ("GET /report", "application/vnd.report+json", 200),
        ("GET /file", "application/pdf", 200),
        ("GET /nothing", "text/html", 204),
    ] {
        let came = asked(request, accept, Router::enforce_accept).await;
        assert_eq!(came, (status, 1), "{request} {accept}");
    }
}
