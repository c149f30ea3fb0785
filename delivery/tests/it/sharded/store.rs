//! A store of one's own: several databases as one store. Everything of an owner is in one of them.

use bothends_delivery::delivery::{Attempt, Delivery, DeliveryId, EndpointId};
use bothends_delivery::store::{
    Backlog, CircuitPolicy, ClaimRequest, Claimed, DeliveryFilter, DeliveryStore, EndpointStatus,
    Enqueued, Isolation, Lease, Outcome, Recorded, Reschedule, StoreError, StoreErrorKind,
};
use bothends_delivery::{Message, MessageId, Subscription, Timestamp};
use std::ops::RangeBounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// Several stores as one. The ids of deliveries and endpoints contain the number of their shard.
#[derive(Clone)]
pub(super) struct Sharded<S> {
    shards: Arc<[S]>,
    /// The shard that the next claim asks first.
    first: Arc<AtomicUsize>,
    changes: watch::Sender<u64>,
}

/// Returns the shard of an owner: FNV-1a, which is the same in every process and version.
pub(super) fn shard_of(owner: &str, shards: usize) -> usize {
    let hash = owner.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::try_from(hash % shards as u64).unwrap()
}

impl<S: DeliveryStore> Sharded<S> {
    pub(super) fn new(shards: impl Into<Arc<[S]>>) -> Self {
        let shards: Arc<[S]> = shards.into();
        let changes = watch::Sender::new(0_u64);
        for shard in shards.iter() {
            let (mut of_shard, all) = (shard.changes(), changes.clone());
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        () = all.closed() => return,
                        changed = of_shard.changed() => if changed.is_err() { return },
                    }
                    all.send_modify(|count| *count = count.wrapping_add(1));
                }
            });
        }
        Self {
            shards,
            first: Arc::default(),
            changes,
        }
    }

    fn count(&self) -> i64 {
        i64::try_from(self.shards.len()).unwrap()
    }

    fn of_owner(&self, owner: &str) -> (i64, &S) {
        let index = shard_of(owner, self.shards.len());
        (i64::try_from(index).unwrap(), &self.shards[index])
    }

    fn all(&self) -> impl Iterator<Item = (i64, &S)> {
        (0..).zip(self.shards.iter())
    }

    /// Returns the shard of a delivery, and its id there.
    fn of_delivery(&self, id: DeliveryId) -> (i64, &S, DeliveryId) {
        let shard = id.0.rem_euclid(self.count());
        let local = DeliveryId(id.0.div_euclid(self.count()));
        (shard, &self.shards[usize::try_from(shard).unwrap()], local)
    }

    fn id(&self, shard: i64, local: DeliveryId) -> DeliveryId {
        DeliveryId(local.0 * self.count() + shard)
    }

    /// Returns the last id in a shard that is not after `id`.
    fn not_after(&self, shard: i64, id: Option<DeliveryId>) -> Option<DeliveryId> {
        id.map(|id| DeliveryId((id.0 - shard).div_euclid(self.count())))
    }

    /// Returns the first id in a shard that is not before `id`.
    fn not_before(&self, shard: i64, id: Option<DeliveryId>) -> Option<DeliveryId> {
        let before = id.map(|id| DeliveryId(id.0 - 1));
        let last = self.not_after(shard, before);
        last.map(|last| DeliveryId(last.0 + 1))
    }

    fn listed(&self, shard: i64, mut found: Vec<Delivery>) -> Vec<Delivery> {
        for delivery in &mut found {
            delivery.id = self.id(shard, delivery.id);
            delivery.replay_of = delivery.replay_of.map(|id| self.id(shard, id));
        }
        found
    }

    fn lease(&self, shard: i64, mut lease: Lease) -> Lease {
        lease.delivery = self.id(shard, lease.delivery);
        lease.endpoint = EndpointId(lease.endpoint.0 * self.count() + shard);
        lease
    }

    /// Claims from one shard what earlier shards left of the limits.
    async fn claim_from(
        &self,
        shard: i64,
        request: &ClaimRequest,
        claimed: &[Lease],
    ) -> Result<Claimed, StoreError> {
        let count = |is: fn(&Lease) -> bool| claimed.iter().filter(|lease| is(lease)).count();
        let left = |limit: usize, used: usize| limit.saturating_sub(used);
        let of_shard = |id: &&EndpointId| id.0.rem_euclid(self.count()) == shard;
        let unresponsive = request.unresponsive.iter().filter(of_shard);
        let request = ClaimRequest {
            limit: left(request.limit, claimed.len()),
            idle: request.idle && claimed.is_empty(),
            suspect_limit: left(
                request.suspect_limit,
                count(|lease| lease.epoch > 0 || lease.lost > 0),
            ),
            slow_limit: left(request.slow_limit, count(|lease| lease.slow)),
            unresponsive: unresponsive
                .map(|id| EndpointId(id.0.div_euclid(self.count())))
                .collect(),
            ..request.clone()
        };
        self.shards[usize::try_from(shard).unwrap()]
            .claim(request)
            .await
    }
}

impl<S: DeliveryStore> DeliveryStore for Sharded<S> {
    async fn put_subscription(&self, subscription: Subscription) -> Result<(), StoreError> {
        let (home, store) = self.of_owner(subscription.owner());
        for (shard, other) in self.all() {
            if shard != home && other.subscription(subscription.id()).await?.is_some() {
                other.remove_subscription(subscription.id()).await?;
            }
        }
        store.put_subscription(subscription).await
    }

    async fn subscription(&self, id: &str) -> Result<Option<Subscription>, StoreError> {
        for shard in self.shards.iter() {
            if let Some(found) = shard.subscription(id).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn subscriptions(&self, owner: &str) -> Result<Vec<Subscription>, StoreError> {
        self.of_owner(owner).1.subscriptions(owner).await
    }

    async fn owners(&self, after: Option<&str>, limit: u32) -> Result<Vec<String>, StoreError> {
        let mut owners = Vec::new();
        for shard in self.shards.iter() {
            owners.extend(shard.owners(after, limit).await?);
        }
        owners.sort_unstable();
        owners.truncate(limit as usize);
        Ok(owners)
    }

    async fn endpoints(&self, owner: &str) -> Result<Vec<EndpointStatus>, StoreError> {
        let (shard, store) = self.of_owner(owner);
        let mut endpoints = store.endpoints(owner).await?;
        for endpoint in &mut endpoints {
            endpoint.id = EndpointId(endpoint.id.0 * self.count() + shard);
        }
        Ok(endpoints)
    }

    async fn set_active(&self, id: &str, active: bool) -> Result<(), StoreError> {
        for shard in self.shards.iter() {
            match shard.set_active(id, active).await {
                Err(error) if error.kind() == StoreErrorKind::NotFound => {}
                done => return done,
            }
        }
        Err(StoreError::new(StoreErrorKind::NotFound))
    }

    async fn remove_subscription(&self, id: &str) -> Result<(), StoreError> {
        for shard in self.shards.iter() {
            match shard.remove_subscription(id).await {
                Err(error) if error.kind() == StoreErrorKind::NotFound => {}
                done => return done,
            }
        }
        Err(StoreError::new(StoreErrorKind::NotFound))
    }

    async fn enqueue(&self, message: Message) -> Result<Enqueued, StoreError> {
        let (shard, store) = self.of_owner(&message.owner);
        let mut enqueued = store.enqueue(message).await?;
        for id in &mut enqueued.deliveries {
            *id = self.id(shard, *id);
        }
        Ok(enqueued)
    }

    /// The claims of the shards follow each other. If a shard needs isolation, no further one is asked.
    async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        let first = self.first.fetch_add(1, Ordering::Relaxed);
        let mut all = Claimed::default();
        for index in 0..self.shards.len() {
            let index = (first + index) % self.shards.len();
            let shard = i64::try_from(index).unwrap();
            let claimed = match self.claim_from(shard, &request, &all.leases).await {
                Ok(claimed) => claimed,
                // The leases of earlier shards are valid.
                Err(_) if !all.leases.is_empty() => continue,
                Err(error) => return Err(error),
            };
            all.now = all.now.max(claimed.now);
            all.next = all.next.into_iter().chain(claimed.next).min();
            let leases = claimed.leases.into_iter();
            all.leases
                .extend(leases.map(|lease| self.lease(shard, lease)));
            if claimed.isolation != Isolation::None {
                all.isolation = claimed.isolation;
                // The next claim, with nothing in progress, asks this shard first.
                self.first.store(index, Ordering::Relaxed);
                break;
            }
        }
        Ok(all)
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let mut recorded = vec![Recorded::Fenced; outcomes.len()];
        for (shard, store) in self.all() {
            let (indices, of_shard): (Vec<usize>, Vec<Outcome>) = (0..)
                .zip(&outcomes)
                .filter(|(_, outcome)| self.of_delivery(outcome.delivery).0 == shard)
                .map(|(index, outcome)| {
                    let mut outcome = outcome.clone();
                    outcome.delivery = self.of_delivery(outcome.delivery).2;
                    (index, outcome)
                })
                .unzip();
            if !of_shard.is_empty() {
                for (index, result) in indices
                    .into_iter()
                    .zip(store.record(of_shard, circuit).await?)
                {
                    recorded[index] = result;
                }
            }
        }
        Ok(recorded)
    }

    async fn replay(&self, delivery: DeliveryId) -> Result<DeliveryId, StoreError> {
        let (shard, store, local) = self.of_delivery(delivery);
        Ok(self.id(shard, store.replay(local).await?))
    }

    async fn replay_failed(
        &self,
        owner: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError> {
        let (shard, store) = self.of_owner(owner);
        let made = store.replay_failed(owner, since, limit).await?;
        Ok(made.into_iter().map(|id| self.id(shard, id)).collect())
    }

    async fn delivery(&self, delivery: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let (shard, store, local) = self.of_delivery(delivery);
        let found = store.delivery(local).await?;
        Ok(self.listed(shard, found.into_iter().collect()).pop())
    }

    async fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let mut all = Vec::new();
        for (shard, store) in self.all() {
            let found = store
                .deliveries(self.not_after(shard, after), limit)
                .await?;
            all.extend(self.listed(shard, found));
        }
        all.sort_by_key(|delivery| delivery.id);
        all.truncate(limit as usize);
        Ok(all)
    }

    async fn deliveries_of(
        &self,
        owner: &str,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let (shard, store) = self.of_owner(owner);
        let after = self.not_after(shard, after);
        Ok(self.listed(shard, store.deliveries_of(owner, after, limit).await?))
    }

    async fn latest_deliveries_of(
        &self,
        owner: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let (shard, store) = self.of_owner(owner);
        let before = self.not_before(shard, before);
        let found = store.latest_deliveries_of(owner, before, limit).await?;
        Ok(self.listed(shard, found))
    }

    async fn find_deliveries(
        &self,
        owner: &str,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let (shard, store) = self.of_owner(owner);
        let before = self.not_before(shard, before);
        let found = store.find_deliveries(owner, filter, before, limit).await?;
        Ok(self.listed(shard, found))
    }

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        let (_, store, local) = self.of_delivery(delivery);
        let mut attempts = store.attempts(local).await?;
        for attempt in &mut attempts {
            attempt.delivery = delivery;
        }
        Ok(attempts)
    }

    async fn message(&self, owner: &str, id: &MessageId) -> Result<Option<Message>, StoreError> {
        self.of_owner(owner).1.message(owner, id).await
    }

    async fn backlog(&self, owner: &str) -> Result<Backlog, StoreError> {
        self.of_owner(owner).1.backlog(owner).await
    }

    async fn depth(&self) -> Result<u64, StoreError> {
        let mut depth = 0;
        for shard in self.shards.iter() {
            depth += shard.depth().await?;
        }
        Ok(depth)
    }

    async fn reschedule(
        &self,
        owner: &str,
        due: impl RangeBounds<Timestamp> + Send,
        change: Reschedule,
    ) -> Result<u64, StoreError> {
        self.of_owner(owner).1.reschedule(owner, due, change).await
    }

    async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let mut pruned = 0;
        for shard in self.shards.iter() {
            let left = limit.saturating_sub(u32::try_from(pruned).unwrap_or(limit));
            pruned += shard.prune(age, left).await?;
        }
        Ok(pruned)
    }

    async fn repair_times(&self, slack: Duration) -> Result<u64, StoreError> {
        let mut repaired = 0;
        for shard in self.shards.iter() {
            repaired += shard.repair_times(slack).await?;
        }
        Ok(repaired)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.shards[0].now().await
    }
}
