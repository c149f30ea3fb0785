use bothends_delivery::{DeliveryStore, Message, Policy, Worker};
use bothends_runtime::Outgoing;
use financial_data::webhooks::{self, RefreshCompletedRequest};

pub async fn send<S: DeliveryStore>(
    store: S,
    payload: financial_data::types::AggregationWebhook,
) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(())
}
