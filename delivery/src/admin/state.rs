//! What the administration shows, read from the store.

use super::Failure;
use super::request::Parameters;
use crate::store::{Backlog, DeliveryFilter, DeliveryStore, EndpointStatus, Phase};
use crate::{Attempt, Delivery, DeliveryId, StoreError, StoreErrorKind};

/// The number of owners on a page.
const OWNERS: u32 = 100;

/// The open deliveries of all owners.
pub(super) struct Queue {
    pub(super) depth: u64,
    pub(super) owners: Vec<(String, Backlog)>,
    /// The last owner of a page that others may follow.
    pub(super) next: Option<String>,
}

pub(super) async fn queue(
    store: &impl DeliveryStore,
    parameters: &Parameters,
) -> Result<Queue, Failure> {
    let depth = store.depth().await?;
    let mut owners = Vec::new();
    for owner in store.owners(parameters.get("after"), OWNERS).await? {
        let backlog = store.backlog(&owner).await?;
        owners.push((owner, backlog));
    }
    let is_full = owners.len() == OWNERS as usize;
    let next = owners.last().filter(|_| is_full);
    let next = next.map(|(owner, _)| owner.clone());
    Ok(Queue {
        depth,
        owners,
        next,
    })
}

pub(super) async fn endpoints(
    store: &impl DeliveryStore,
    parameters: &Parameters,
) -> Result<Vec<EndpointStatus>, Failure> {
    Ok(store.endpoints(parameters.owner()?).await?)
}

/// The phases by the words of the API.
pub(super) const PHASES: [(&str, Phase); 4] = [
    ("waiting", Phase::Waiting),
    ("leased", Phase::Leased),
    ("delivered", Phase::Delivered),
    ("dead", Phase::Dead),
];

pub(super) async fn deliveries(
    store: &impl DeliveryStore,
    parameters: &Parameters,
) -> Result<Vec<Delivery>, Failure> {
    let mut filter = DeliveryFilter::new();
    if let Some(word) = parameters.get("phase") {
        let phase = PHASES.iter().find(|(known, _)| *known == word);
        let (_, phase) = phase.ok_or(Failure::Parameter("phase"))?;
        filter = filter.phase(*phase);
    }
    if let Some(subscription) = parameters.get("subscription") {
        filter = filter.subscription(subscription);
    }
    if let Some(kind) = parameters.get("kind") {
        filter = filter.kind(kind);
    }
    let before = parameters.number("before")?.map(DeliveryId);
    let (owner, limit) = (parameters.owner()?, parameters.limit()?);
    let found = store.find_deliveries(owner, &filter, before, limit).await?;
    Ok(found)
}

pub(super) async fn delivery(
    store: &impl DeliveryStore,
    parameters: &Parameters,
) -> Result<(Delivery, Vec<Attempt>), Failure> {
    let id = parameters.number("id")?.map(DeliveryId);
    let id = id.ok_or(Failure::Parameter("id"))?;
    let missing = || Failure::Store(StoreError::new(StoreErrorKind::NotFound));
    let delivery = store.delivery(id).await?.ok_or_else(missing)?;
    Ok((delivery, store.attempts(id).await?))
}
