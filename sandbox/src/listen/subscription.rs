//! The subscription of a listener: one receiver for each kind, because most bodies do not name
//! their kind.

use super::{ConsoleClient, ListenError};
use crate::console::api::operations::{
    CreateSubscriptionRequest, ReplaceSubscriptionRequest, ReplaceSubscriptionRequestInit,
};
use crate::console::api::types::{Subscription, SubscriptionInput};
use bothends_runtime::Map;

/// The subscription that a listener needs.
pub(super) struct Request<'a> {
    /// The URL of the receiver, with `{kind}`.
    pub(super) receiver: &'a str,
    /// The kinds.
    pub(super) kinds: &'a [String],
    /// The token that signs.
    pub(super) signing_token: Option<String>,
}

impl Request<'_> {
    /// Returns the URL for a kind.
    fn url(&self, kind: &str) -> String {
        format!("{}?mode=forward", self.receiver.replace("{kind}", kind))
    }

    /// Returns `true` if the subscription belongs to a listener with the same receiver.
    fn is_for(&self, subscription: &Subscription) -> bool {
        let mut urls = subscription.urls.iter();
        urls.any(|(kind, url)| *url == self.url(kind))
    }

    fn input(self) -> SubscriptionInput {
        let urls = self.kinds.iter().map(|kind| (kind.clone(), self.url(kind)));
        let input = SubscriptionInput::new()
            .urls(urls.collect::<Map<String>>())
            .events(self.kinds.to_vec())
            .active(true);
        match self.signing_token {
            Some(token) => input.signing_token(token),
            None => input,
        }
    }
}

/// Returns the selected kinds, or all that are available to the project.
pub(super) async fn kinds(
    client: &ConsoleClient,
    project: &str,
    selected: &[String],
) -> Result<Vec<String>, ListenError> {
    let known = client.list_event_kinds(project).await;
    let known = known.map_err(ListenError::from)?.into_inner();
    let available = known
        .iter()
        .filter(|kind| kind.available)
        .map(|kind| &kind.kind);
    if selected.is_empty() {
        return Ok(available.cloned().collect());
    }
    let available: Vec<&String> = available.collect();
    match selected.iter().find(|kind| !available.contains(kind)) {
        Some(missing) => {
            let available: Vec<&str> = available.iter().map(|kind| kind.as_str()).collect();
            Err(ListenError::new(format!(
                "the project has no webhook `{missing}`; it has `{}`",
                available.join("`, `")
            )))
        }
        None => Ok(selected.to_vec()),
    }
}

/// Creates the subscription, or replaces the one of an earlier listener with the same name. Returns its
/// id.
pub(super) async fn put(
    client: &ConsoleClient,
    project: &str,
    request: Request<'_>,
) -> Result<String, ListenError> {
    let subscriptions = client.list_subscriptions(project).await;
    let subscriptions = subscriptions.map_err(ListenError::from)?.into_inner();
    let earlier = subscriptions
        .into_iter()
        .find(|subscription| request.is_for(subscription));
    let input = request.input();
    let subscription = match earlier {
        Some(earlier) => {
            let request = ReplaceSubscriptionRequest::from(ReplaceSubscriptionRequestInit {
                project: project.to_owned(),
                subscription: earlier.id,
                body: input,
            });
            let replaced = client.replace_subscription(request).await;
            replaced.map_err(ListenError::from)?.into_inner()
        }
        None => {
            let request = CreateSubscriptionRequest::new(project.to_owned(), input);
            let created = client.create_subscription(request).await;
            created.map_err(ListenError::from)?.into_inner()
        }
    };
    Ok(subscription.id)
}
