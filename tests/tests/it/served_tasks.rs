//! Both sides of a task: a server that keeps its tasks in the store of delivery, a worker that sends the webhook over a
//! socket, and a client that awaits the end.

use std::time::Duration;

use bothends_delivery::sqlite::{SqliteStore, SqliteTasks};
use bothends_delivery::{DeliveryStore as _, Destinations, Policy, Subscription, Worker};
use bothends_runtime::NoError;
use bothends_runtime::client::{InProcess, PollOptions, TaskError};
use bothends_runtime::server::{Context, Error, Rejection, serve};
use bothends_runtime::tasks::Tasks;
use generated::client::Client;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::Status;
use generated::webhooks::{self, ExportDoneBody, ExportDoneRequest};
use serde_json::json;
use tokio::net::TcpListener;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/task-links.rs"));
}

#[derive(Clone)]
struct Service {
    exports: Tasks<Status, SqliteTasks>,
}

macro_rules! absent {
    ($($name:ident: $request:ty => $response:ty,)*) => {$(
        async fn $name(&self, _: Context, _: $request) -> Result<$response, Error<NoError>> {
            Err(Rejection::not_found().into())
        }
    )*};
}

impl DefaultApi for Service {
    async fn start_export(
        &self,
        _: Context,
        _: StartExportRequest,
    ) -> Result<StartExportResponse, Error<NoError>> {
        self.exports
            .start("17", &Status::new("running".to_owned()))
            .await?;
        let body = json!({ "export": { "id": 17 } });
        let body = serde_json::from_value(body).map_err(Error::internal)?;
        Ok(StartExportResponse::new(body))
    }

    async fn get_export(
        &self,
        _: Context,
        request: GetExportRequest,
    ) -> Result<GetExportResponse, Error<NoError>> {
        let status = self.exports.status(&request.id.to_string()).await?;
        Ok(GetExportResponse::new(
            status.ok_or_else(Rejection::not_found)?,
        ))
    }

    absent! {
        start_import: StartImportRequest => StartImportResponse,
        get_import: GetImportRequest => GetImportResponse,
        cancel_import: CancelImportRequest => CancelImportResponse,
        add_note: AddNoteRequest => AddNoteResponse,
        get_note: GetNoteRequest => GetNoteResponse,
    }
}

#[tokio::test]
async fn the_end_of_a_served_task_reaches_the_client_by_its_webhook() {
    let inbox = webhooks::inbox();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let here = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, webhooks::router(()).inbox(&inbox)).into_future());

    let store = SqliteStore::open(":memory:").await.expect("a store");
    let subscription = Subscription::builder("client").url(format!("http://{here}/exportDone"));
    let subscription = subscription.build().expect("a subscription");
    store.put_subscription(subscription).await.expect("a store");
    let worker = Worker::builder(store.clone())
        .policy(Policy::default())
        .destinations(Destinations::public().allow_loopback())
        .build()
        .expect("a worker");

    let exports = Tasks::new("export", store.tasks().await.expect("a table"))
        .on_end(|id, _: &Status| ExportDoneRequest::new(ExportDoneBody::new(id.to_owned())));
    let service = Service {
        exports: exports.clone(),
    };
    let transport = InProcess::new(router(service));
    let client = Client::with_transport("http://localhost", transport).expect("a client");

    // Polling alone would end the wait in weeks.
    let mut options = PollOptions::default();
    options.initial_interval = Duration::from_secs(1_000_000);
    options.max_interval = options.initial_interval;
    let mut task = client
        .start_export_task()
        .poll_options(options)
        .webhooks(&inbox);
    let first = task.try_next().await.expect("a status").expect("a status");
    assert_eq!(first.state, "running");
    let done = Status::new("done".to_owned());
    assert!(exports.end("17", &done).await.expect("a store"));
    let mut ended = None;
    worker.run(async { ended = Some(task.await) }).await;
    let ended = ended.expect("it ran").expect("an end");
    assert_eq!(ended.into_inner(), done);

    let unknown = client
        .resume_start_export(18)
        .await
        .expect_err("there is none");
    assert!(matches!(unknown, TaskError::Status { .. }), "{unknown:?}");
}
