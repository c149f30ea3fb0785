//! Callbacks: webhooks sent to a URL that the client of an operation provided.

use crate::{
    DeliveryStore, Enqueued, InvalidSubscription, Message, Signing, StoreError, Subscription,
};
use bothends_runtime::OutgoingWebhook;
use std::fmt;

/// Enqueues a callback for its own URL, set with [`OutgoingWebhook::to`].
///
/// Each URL has its own subscription, `callback:{url}`. This function adds or updates the
/// subscription before it enqueues the message. The owner of the subscription has the same name, so
/// other messages are not sent to the URL. The worker's policy, allowed destinations and signatures
/// apply as for any other delivery. Remove the subscription after the last callback.
///
/// The two steps are not one transaction: if the process stops between them, a subscription without
/// a message remains.
///
/// ```
/// # use bothends_delivery::{DeliveryStore, Signing, callback, sqlite::SqliteStore};
/// # use bothends_runtime::OutgoingWebhook;
/// # async fn send(store: &SqliteStore, event: OutgoingWebhook, url: String) -> Result<(), callback::CallbackError> {
/// callback::enqueue(store, event.to(url), Signing::None).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the callback has no URL, if the URL is not a valid destination, or if the
/// store fails.
pub async fn enqueue<S: DeliveryStore>(
    store: &S,
    callback: OutgoingWebhook,
    signing: Signing,
) -> Result<Enqueued, CallbackError> {
    let url = callback.url.clone().ok_or(CallbackError::NoUrl)?;
    let owner = format!("callback:{url}");
    let subscription = Subscription::builder(owner.clone())
        .owner(owner.clone())
        .url(url)
        .signing(signing)
        .build()?;
    store.put_subscription(subscription).await?;
    Ok(store.enqueue(Message::from(callback).owner(owner)).await?)
}

/// An error from [`enqueue`].
#[derive(Debug)]
#[non_exhaustive]
pub enum CallbackError {
    /// The callback has no URL: [`OutgoingWebhook::to`] was not called.
    NoUrl,
    /// The URL is not a valid destination.
    Url(InvalidSubscription),
    /// The store failed.
    Store(StoreError),
}

impl From<InvalidSubscription> for CallbackError {
    fn from(error: InvalidSubscription) -> Self {
        Self::Url(error)
    }
}

impl From<StoreError> for CallbackError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for CallbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoUrl => "the callback has no URL: `OutgoingWebhook::to` sets it",
            Self::Url(_) => "the callback cannot be sent to its URL",
            Self::Store(_) => "the callback cannot be stored",
        })
    }
}

impl std::error::Error for CallbackError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoUrl => None,
            Self::Url(error) => Some(error),
            Self::Store(error) => Some(error),
        }
    }
}
