//! Callbacks: webhooks whose URL the caller of an operation has given.

use crate::{
    DeliveryStore, Enqueued, InvalidSubscription, Message, Signing, StoreError, Subscription,
};
use bothends_runtime::Outgoing;
use std::fmt;

/// Enqueues a callback for its own URL, the one that [`Outgoing::to`] has set.
///
/// Each URL has a subscription of its own, `callback:{url}`, which this adds or updates before it enqueues
/// the message; its owner has the same name, so that no other message is sent there. The policy of the
/// worker, its destinations and its signatures are those of any other delivery. Remove the subscription when
/// no more callbacks follow.
///
/// Not one transaction: a process that ends in between leaves a subscription without a message.
///
/// ```
/// # use bothends_delivery::{DeliveryStore, Signing, callback, sqlite::SqliteStore};
/// # use bothends_runtime::Outgoing;
/// # async fn send(store: &SqliteStore, event: Outgoing, url: String) -> Result<(), callback::CallbackError> {
/// callback::enqueue(store, event.to(url), Signing::None).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the callback has no URL, if its URL is not one that can be sent to, or if the store
/// fails.
pub async fn enqueue<S: DeliveryStore>(
    store: &S,
    callback: Outgoing,
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

/// Why a callback is not enqueued.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallbackError {
    /// [`Outgoing::to`] was not called.
    NoUrl,
    /// Nothing can be sent to the URL.
    Url(InvalidSubscription),
    /// The store fails.
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
            Self::NoUrl => "the callback has no URL: `Outgoing::to` sets it",
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
