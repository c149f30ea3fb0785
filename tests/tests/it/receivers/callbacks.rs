//! Callbacks: a caller gives a URL, the server evaluates where to send, and the receiver handles it.

include_api! { api "callbacks" }

use super::{Log, TOKEN, send, serve, statuses};
use api::operations::{
    OpenStreamRequest, OpenStreamResponse, PutStreamsByIdRequest, PutStreamsByIdResponse,
};
use api::server::DefaultApi;
use api::webhooks::{self, *};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{Destinations, Signing, SigningToken, Worker, callback};
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{Receiver, TokenSignature};
use bothends_runtime::{NoError, OutgoingWebhook};
use bothends_tests::has_python;
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;

/// Notes where each callback would be sent.
#[derive(Clone, Default)]
struct Service(Log);

impl DefaultApi for Service {
    async fn open_stream(
        &self,
        ctx: Context,
        request: OpenStreamRequest,
    ) -> Result<OpenStreamResponse, Error<NoError>> {
        for url in [
            OPEN_STREAM_ON_DATA_URL.of(&ctx, &request),
            OPEN_STREAM_ON_END_POST_URL.of(&ctx, &request),
        ] {
            self.0.add(url.unwrap_or_else(|error| error.to_string()));
        }
        Ok(OpenStreamResponse::new(()))
    }

    async fn put_streams_by_id(
        &self,
        ctx: Context,
        request: PutStreamsByIdRequest,
    ) -> Result<PutStreamsByIdResponse, Error<NoError>> {
        let url = PUT_STREAMS_BY_ID_ON_DATA_URL.of(&ctx, &request);
        self.0.add(url.unwrap_or_else(|error| error.to_string()));
        Ok(PutStreamsByIdResponse::new(()))
    }
}

#[tokio::test]
async fn the_url_of_a_callback_is_that_of_the_call() {
    if !has_python("the_url_of_a_callback_is_that_of_the_call") {
        return;
    }
    let service = Service::default();
    let url = serve(api::server::router(service.clone())).await;
    let open = |query: &str| json!({ "path": format!("/streams?callbackUrl={query}") });
    let requests = vec![
        open("https%3A%2F%2Fme.example%3A8443%2Fcb%3Fa%3D1"),
        open("ftp%3A%2F%2Fme.example"),
        // What stands within a URL stays within its segment.
        json!({ "path": "/streams/a%2F..%2Fb%3Fc", "method": "PUT", "body": "{}" }),
    ];
    let responses = send(&url, requests).await;
    assert_eq!(statuses(&responses), [201, 201, 204]);
    assert_eq!(
        service.0.take(),
        [
            "https://me.example:8443/cb?a=1/data",
            "https://me.example:8443/cb?a=1/closed",
            "`ftp://me.example/data` is not an absolute http or https URL",
            "`ftp://me.example/closed` is not an absolute http or https URL",
            "http://example.com/a%2F..%2Fb%3Fc",
        ]
    );
}

/// The caller's side.
#[derive(Clone, Default)]
struct Handler(Log, Option<UnboundedSender<()>>);

impl WebhookHandler for Handler {
    async fn open_stream_on_data(
        &self,
        ctx: Context,
        request: OpenStreamOnDataRequest,
    ) -> Result<OpenStreamOnDataResponse, Error<NoError>> {
        self.0
            .add(format!("{} at {}", request.body.text, ctx.uri().path()));
        if let Some(reported) = &self.1 {
            let _ = reported.send(());
        }
        let body = match request.body.text.as_str() {
            "last" => OpenStreamOnDataResponseBody::NoContent,
            _ => OpenStreamOnDataResponseBody::Accepted,
        };
        Ok(body.into())
    }
}

#[tokio::test]
async fn a_callback_reaches_its_handler() {
    if !has_python("a_callback_reaches_its_handler") {
        return;
    }
    let handler = Handler::default();
    // The receiver chooses the URL that it gives: one for each of its streams.
    let router = webhooks::router(handler.clone());
    let router = router.path(WebhookKind::OpenStreamOnData, "/streams/{id}/data");
    let url = serve(router).await;
    let data =
        |path: &str, text: &str| json!({ "path": path, "body": format!(r#"{{"text":"{text}"}}"#) });
    let requests = vec![
        data("/streams/7/data", "more"),
        data("/streams/8/data", "last"),
        data("/streams/8/end", "x"),
    ];
    let responses = send(&url, requests).await;
    assert_eq!(statuses(&responses), [202, 204, 404]);
    assert_eq!(
        handler.0.take(),
        ["more at /streams/7/data", "last at /streams/8/data"]
    );

    // What is sent has the URL with it.
    let body = OpenStreamOnDataBody {
        text: "more".to_owned(),
    };
    let sent = OutgoingWebhook::new(&OpenStreamOnDataRequest::new(body)).unwrap();
    assert_eq!(sent.url, None);
    let sent = sent.to("https://me.example/cb/data");
    assert_eq!(sent.url.as_deref(), Some("https://me.example/cb/data"));
    assert_eq!(
        (sent.method, &sent.body[..]),
        ("POST", &br#"{"text":"more"}"#[..])
    );
}

/// Opens streams, and sends their first data as the document says.
#[derive(Clone)]
struct Sends(SqliteStore);

impl DefaultApi for Sends {
    async fn open_stream(
        &self,
        ctx: Context,
        request: OpenStreamRequest,
    ) -> Result<OpenStreamResponse, Error<NoError>> {
        let url = OPEN_STREAM_ON_DATA_URL.of(&ctx, &request);
        let body = OpenStreamOnDataBody {
            text: "first".to_owned(),
        };
        let callback = OutgoingWebhook::new(&OpenStreamOnDataRequest::new(body));
        let callback = callback.map_err(Error::internal)?;
        let callback = callback.to(url.map_err(Error::internal)?);
        let signing = Signing::Token(SigningToken::new(TOKEN).map_err(Error::internal)?);
        let enqueued = callback::enqueue(&self.0, callback, signing).await;
        assert!(enqueued.map_err(Error::internal)?.is_created());
        Ok(OpenStreamResponse::new(()))
    }

    async fn put_streams_by_id(
        &self,
        _: Context,
        _: PutStreamsByIdRequest,
    ) -> Result<PutStreamsByIdResponse, Error<NoError>> {
        Ok(PutStreamsByIdResponse::new(()))
    }
}

#[tokio::test]
async fn a_callback_is_delivered_to_the_url_of_its_caller() {
    if !has_python("a_callback_is_delivered_to_the_url_of_its_caller") {
        return;
    }
    let (reported, mut handled) = tokio::sync::mpsc::unbounded_channel();
    let handler = Handler(Log::default(), Some(reported));
    let verifier = TokenSignature::new([TOKEN]).unwrap();
    // Each caller has a URL of its own.
    let router = webhooks::router(handler.clone());
    let router = router.path(WebhookKind::OpenStreamOnData, "/{caller}/data");
    let receiver = Receiver::new(router, verifier);
    let caller = serve(receiver).await;

    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    let server = serve(api::server::router(Sends(store.clone()))).await;
    let open = |id: &str| {
        let url = format!("{caller}/{id}")
            .replace(':', "%3A")
            .replace('/', "%2F");
        json!({ "path": format!("/streams?callbackUrl={url}") })
    };
    let responses = send(&server, vec![open("one"), open("two")]).await;
    assert_eq!(statuses(&responses), [201, 201]);
    let worker = Worker::builder(store)
        .destinations(Destinations::public().allow_loopback())
        .build()
        .unwrap();
    let both = async {
        handled.recv().await.unwrap();
        handled.recv().await.unwrap();
    };
    worker.run(both).await;
    let mut notes = handler.0.take();
    notes.sort();
    assert_eq!(notes, ["first at /one/data", "first at /two/data"]);
}
