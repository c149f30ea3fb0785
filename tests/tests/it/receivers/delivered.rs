//! From a typed webhook through `bothends-delivery` to its typed handler: signed, stored, sent over a
//! socket, verified, handled once.

use super::{Log, TOKEN, serve};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeliveryStore, Destinations, MESSAGE_ID, Message, Policy, Signing, SigningToken, State,
    Subscription, Worker,
};
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{MemoryDedupStore, Receiver, TokenSignature};
use bothends_runtime::{OutgoingWebhook, StatusCode};
use financial_data::types::{AggregationEvent, AggregationWebhook};
use financial_data::webhooks::{self, *};
use std::time::Duration;
use tokio::sync::mpsc;

#[derive(Clone)]
struct Handler(Log, mpsc::UnboundedSender<()>);

impl WebhookHandler for Handler {
    async fn refresh_completed(
        &self,
        _: Context,
        request: RefreshCompletedRequest,
    ) -> Result<RefreshCompletedResponse, Error<RefreshCompletedError>> {
        let first = self.0.0.lock().unwrap().is_empty();
        self.0.add(request.body.data.task_id.unwrap());
        let _ = self.1.send(());
        if first {
            // To be sent again.
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Err(RefreshCompletedError::Default { status }.into());
        }
        Ok(RefreshCompletedResponse::new(()).with_status(StatusCode::OK))
    }
}

#[tokio::test]
async fn a_typed_webhook_arrives_at_its_typed_handler() {
    let (reported, mut handled) = mpsc::unbounded_channel();
    let handler = Handler(Log::default(), reported);
    let seen = MemoryDedupStore::new(100, Duration::from_secs(3600));
    let verifier = TokenSignature::new([TOKEN]).unwrap();
    let receiver = Receiver::new(webhooks::router(handler.clone()), verifier)
        .deduplicate(seen)
        .message_id_header(MESSAGE_ID);
    let url = serve(receiver).await;

    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    let signing = Signing::Token(SigningToken::new(TOKEN).unwrap());
    let subscription = Subscription::builder("s")
        .url(format!("{url}/refreshCompleted"))
        .signing(signing);
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let mut event = AggregationEvent::new();
    event.task_id = Some("t-1".to_owned());
    let webhook = RefreshCompletedRequest::new(AggregationWebhook::new(event));
    let message = Message::from(OutgoingWebhook::new(&webhook).unwrap());
    let enqueued = store.enqueue(message).await.unwrap();

    let policy = Policy {
        initial_backoff: Duration::from_millis(1),
        ..Policy::from(webhooks::DELIVERY)
    };
    let worker = Worker::builder(store.clone())
        .policy(policy)
        .destinations(Destinations::public().allow_loopback())
        .build()
        .unwrap();
    let both = async {
        handled.recv().await.unwrap();
        handled.recv().await.unwrap();
    };
    // A worker that is told to stop records what is under way first.
    worker.run(both).await;
    let delivery = store.delivery(enqueued.deliveries[0]).await.unwrap();
    let state = delivery.unwrap().state;
    assert!(matches!(state, State::Delivered { .. }), "{state:?}");
    assert_eq!(handler.0.take(), ["t-1", "t-1"]);
}
