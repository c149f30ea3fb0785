//! Customers and consents, as preconditions of tasks.

use super::TaskError;
use crate::ids;
use crate::model::{Consent, ConsentStatus, Customer, Millis};
use crate::outcome::Outcome;
use crate::seed;
use crate::store::{Page, StorageError, Store, Stored};

/// How many consents of a customer are considered, the latest first.
const CONSENTS: u32 = 1_000;

/// The consent that permits a task, and its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The consent.
    pub consent_id: String,
    /// The provider.
    pub provider: String,
}

/// Returns `true` if the customer exists. Reserved customers exist in every project.
///
/// # Errors
/// Returns an error of the database.
pub async fn customer_exists(
    store: &Store,
    project: &str,
    customer: &str,
) -> Result<bool, StorageError> {
    if Outcome::of_customer(customer).is_some() {
        return Ok(true);
    }
    let look = store.look().await?;
    let customer = store.get_shared::<Customer>(look, project, customer);
    let customer = customer.await?;
    Ok(customer.is_some())
}

impl Access {
    /// Returns the consent with which the data of a customer can be refreshed, at this provider or
    /// at any.
    ///
    /// # Errors
    /// Returns an error with the code of the reason if there is no such consent.
    pub(super) async fn to_refresh(
        store: &Store,
        project: &str,
        customer: &str,
        provider: Option<&str>,
        now: Millis,
    ) -> Result<Self, TaskError> {
        let reserved = [
            Outcome::of_customer(customer),
            provider.and_then(Outcome::of_provider),
        ];
        for outcome in reserved.into_iter().flatten() {
            if let Outcome::Failure(code) = outcome
                && code.is_of_consent()
            {
                return Err(TaskError::Code(code));
            }
        }
        if reserved.iter().any(Option::is_some) {
            return Ok(Self::reserved(customer, provider));
        }
        let page = Page::last(CONSENTS).under(customer);
        let mut consents = store.list::<Consent>(project, page).await?;
        consents.retain(|consent| provider.is_none_or(|name| consent.provider == name));
        Self::choose(consents, now)
    }

    /// Returns the consent of a reserved identity, which is not stored.
    fn reserved(customer: &str, provider: Option<&str>) -> Self {
        let provider = provider.unwrap_or(seed::PROVIDER);
        Self {
            consent_id: ids::derived(0, &format!("consent {customer} {provider}")),
            provider: provider.to_owned(),
        }
    }

    /// Chooses the first consent that permits a refresh. If there is none, the latest consent gives
    /// the reason.
    fn choose(mut consents: Vec<Stored<Consent>>, now: Millis) -> Result<Self, TaskError> {
        consents.sort_by_key(|consent| std::cmp::Reverse(consent.created_at));
        let mut reason = None;
        for consent in consents {
            match refusal(&consent, now) {
                None => {
                    return Ok(Self {
                        consent_id: consent.value.id,
                        provider: consent.value.provider,
                    });
                }
                Some(code) => reason = reason.or(Some(code)),
            }
        }
        Err(TaskError::code(reason.unwrap_or("connection_not_found")))
    }
}

/// Returns the code of the reason why a consent does not permit a refresh.
fn refusal(consent: &Consent, now: Millis) -> Option<&'static str> {
    match consent.status {
        ConsentStatus::Pending => Some("connection_status"),
        ConsentStatus::Revoked => Some("connection_revoked"),
        ConsentStatus::Active if consent.expires_at <= now => Some("connection_expired"),
        ConsentStatus::Active if !consent.permits_refresh => Some("connection_permission"),
        ConsentStatus::Active => None,
    }
}
