//! Sends a webhook and receives it: `cargo run -p example-webhooks`.
//!
//! Both sides are in one program here. The sender commits the message to a database and a worker sends
//! it; the receiver verifies the signature and calls the handler. The program ends after the delivery.

use std::error::Error;
use std::time::Duration;

use api::types::Shipment;
use api::webhooks::{self, OrderShippedError, OrderShippedRequest, OrderShippedResponse};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeliveryStore, Destinations, MESSAGE_ID, Message, MessageId, SigningToken, State, Subscription,
    Worker,
};
use bothends_runtime::OutgoingWebhook;
use bothends_runtime::server::{Context, Error as ServerError, serve};
use bothends_runtime::webhook::{MemoryDedupStore, Receiver, TokenSignature};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

mod api {
    bothends_runtime::include_api!();
}

/// The secret of this sender and this receiver. Real ones are random and not part of the source.
const TOKEN: &str = "a secret of more than thirty-two characters";

/// Passes every shipment on.
struct Handler(mpsc::UnboundedSender<Shipment>);

impl webhooks::WebhookHandler for Handler {
    async fn order_shipped(
        &self,
        _: Context,
        request: OrderShippedRequest,
    ) -> Result<OrderShippedResponse, ServerError<OrderShippedError>> {
        self.0.send(request.body).map_err(ServerError::internal)?;
        Ok(().into())
    }
}

/// Starts the receiver and returns its URL.
async fn receive(handler: Handler) -> Result<String, Box<dyn Error>> {
    let seen = MemoryDedupStore::new(10_000, Duration::from_secs(24 * 60 * 60));
    let receiver = Receiver::new(webhooks::router(handler), TokenSignature::new([TOKEN])?)
        .deduplicate(seen)
        .message_id_header(MESSAGE_ID);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/orderShipped", listener.local_addr()?);
    tokio::spawn(serve(listener, receiver).into_future());
    Ok(url)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (handled, mut shipments) = mpsc::unbounded_channel();
    let url = receive(Handler(handled)).await?;

    // Who gets which webhooks, and the secret that signs them.
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("webhooks.db")).await?;
    let subscription = Subscription::builder("partner")
        .url(url)
        .token(SigningToken::new(TOKEN)?)
        .build()?;
    store.put_subscription(subscription).await?;

    // The id makes a second call for the same event a duplicate, which is not sent.
    let shipment = Shipment::new("order-7".to_owned(), 2);
    let webhook = OutgoingWebhook::new(&OrderShippedRequest::new(shipment))?;
    let message = Message::from(webhook).id(MessageId::new("order-7 shipped")?);
    let enqueued = store.enqueue(message).await?;

    // A real worker sends until `bothends_delivery::shutdown_signal()`, and to public addresses only.
    let worker = Worker::builder(store.clone())
        .destinations(Destinations::public().allow_loopback())
        .build()?;
    let mut received = None;
    worker
        .run(async { received = shipments.recv().await })
        .await;

    let shipment = received.ok_or("the receiver has stopped")?;
    println!(
        "received {} in {} parcels",
        shipment.order, shipment.parcels
    );
    for id in enqueued.deliveries {
        let delivery = store.delivery(id).await?.ok_or("the delivery is missing")?;
        match delivery.state {
            State::Delivered { .. } => println!("delivered in attempt {}", delivery.tries),
            state => return Err(format!("the delivery is {state:?}").into()),
        }
    }
    Ok(())
}
