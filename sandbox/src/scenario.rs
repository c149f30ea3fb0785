//! Scenario files: a whole project in one description.
//!
//! A file is YAML. Everything but the name is optional:
//!
//! ```yaml
//! name: Nightly tests
//! seed: 7
//! products: [connection, payments]
//! settings:
//!   completion: { mode: manual }
//! customers:
//!   - name: Grace Example
//!     consents:
//!       - { provider: example-bank, status: active, expires_in_days: 30 }
//! subscriptions:
//!   - url: http://127.0.0.1:9000/hooks
//!     events: [refreshCompleted]
//!     signing_token: a token of more than 32 characters
//! faults:
//!   - target: { on: api, operation: createToken, fault: { type: internal-error } }
//!     remaining: 2
//! clock: { frozen: true }
//! events:
//!   - { kind: refreshCompleted, set: { status: Failed } }
//! ```

use crate::model::{
    Consent, ConsentStatus, Customer, FaultTarget, Millis, Product, Project, Settings,
};
use crate::seed::{CONSENT_VALIDITY, PROVIDER};
use crate::{ids, seed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A day in milliseconds.
const DAY: Millis = 24 * 60 * 60 * 1000;

/// A whole project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The name of the project.
    pub name: String,
    /// The number from which ids and secrets are derived.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The products that the client uses; all of them by default.
    #[serde(default)]
    pub products: Option<Vec<Product>>,
    /// The settings that differ from those of a new project.
    #[serde(default)]
    pub settings: Settings,
    /// Customers beside the first one.
    #[serde(default)]
    pub customers: Vec<ScenarioCustomer>,
    /// Webhook subscriptions.
    #[serde(default)]
    pub subscriptions: Vec<ScenarioSubscription>,
    /// Faults that are injected.
    #[serde(default)]
    pub faults: Vec<ScenarioFault>,
    /// The clock.
    #[serde(default)]
    pub clock: ScenarioClock,
    /// Events that are triggered at the end.
    #[serde(default)]
    pub events: Vec<ScenarioEvent>,
}

/// A customer of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioCustomer {
    /// The name for people.
    pub name: String,
    /// The id; derived from seed and place by default.
    #[serde(default)]
    pub id: Option<String>,
    /// The secret; derived from seed and place by default.
    #[serde(default)]
    pub secret: Option<String>,
    /// The client's own identifier of the customer.
    #[serde(default)]
    pub user_id: Option<String>,
    /// The consents.
    #[serde(default)]
    pub consents: Vec<ScenarioConsent>,
}

/// A consent of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioConsent {
    /// The id; derived from seed and place by default.
    #[serde(default)]
    pub id: Option<String>,
    /// The provider.
    #[serde(default)]
    pub provider: Option<String>,
    /// The status; active by default.
    #[serde(default)]
    pub status: Option<ConsentStatus>,
    /// Whether the consent covers the data of a refresh; it does by default.
    #[serde(default)]
    pub permits_refresh: Option<bool>,
    /// The days until its end; 90 by default.
    #[serde(default)]
    pub expires_in_days: Option<i32>,
}

/// A subscription of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSubscription {
    /// The URL for events without a URL of their own.
    #[serde(default)]
    pub url: Option<String>,
    /// URLs of single kinds.
    #[serde(default)]
    pub urls: BTreeMap<String, String>,
    /// The selected kinds; empty for all.
    #[serde(default)]
    pub events: Vec<String>,
    /// The additional headers.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The signing token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signing_token: Option<String>,
    /// Whether webhooks are sent; they are by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
}

/// A fault of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFault {
    /// The fault, and where it is injected.
    pub target: FaultTarget,
    /// The probability of each call or webhook to be hit, 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The seed of the random decisions; that of the project by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many hits there will be; any number by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<u32>,
}

/// The clock of a scenario.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScenarioClock {
    /// Whether the clock stands.
    pub frozen: bool,
    /// How far the clock is ahead, in milliseconds.
    pub advance_milliseconds: u32,
}

/// An event of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioEvent {
    /// The webhook of the OpenAPI document.
    pub kind: String,
    /// The body; the example of the kind by default.
    #[serde(default)]
    pub body: Option<Value>,
    /// Fields that are set in the `data` of the body.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// The id of the message; a new one by default.
    #[serde(default)]
    pub message_id: Option<String>,
}

/// An error of a scenario file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// The field and the reason.
    pub message: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ScenarioError {}

impl Scenario {
    /// Reads a scenario file. JSON is YAML too.
    ///
    /// # Errors
    /// Returns an error that names the line and the field.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        serde_yaml::from_str(text).map_err(|error| {
            let line = error.location().map(|place| place.line());
            // The line is shown on its own.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            ScenarioError {
                line,
                message: message.to_owned(),
            }
        })
    }

    /// Returns the settings of the project. Operations whose customer headers are not stated have
    /// those of a new project.
    pub fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        for (operation, headers) in Settings::default().customer_headers {
            settings
                .customer_headers
                .entry(operation)
                .or_insert(headers);
        }
        settings
    }
}

/// A customer to insert, with the secret.
#[derive(Debug, Clone)]
pub struct NewCustomer {
    /// The customer.
    pub customer: Customer,
    /// The secret.
    pub secret: String,
    /// The consents.
    pub consents: Vec<Consent>,
}

impl ScenarioCustomer {
    /// Makes up the customer. The place in the file distinguishes customers whose ids are derived.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn make(
        &self,
        project: &Project,
        place: usize,
        now: Millis,
    ) -> Result<NewCustomer, ids::NoRandomness> {
        let seed = Some(project.seed).filter(|seed| *seed != 0);
        let id = |what: String| seed.map_or_else(ids::fresh, |seed| ids::derived(seed, &what));
        let seed_name = format!("scenario customer {place}");
        let secret = match (&self.secret, seed) {
            (Some(secret), _) => secret.clone(),
            (None, Some(seed)) => ids::derived_secret(seed, &seed_name),
            (None, None) => ids::secret()?,
        };
        let customer = Customer {
            project: project.id.clone(),
            id: self.id.clone().unwrap_or_else(|| id(seed_name.clone())),
            secret_hash: ids::hash(&secret),
            name: self.name.clone(),
            user_id: self.user_id.clone(),
            created_at: now,
        };
        let consents = self
            .consents
            .iter()
            .enumerate()
            .map(|(number, consent)| Consent {
                project: project.id.clone(),
                id: consent
                    .id
                    .clone()
                    .unwrap_or_else(|| id(format!("{seed_name} consent {number}"))),
                customer_id: customer.id.clone(),
                provider: consent
                    .provider
                    .clone()
                    .unwrap_or_else(|| PROVIDER.to_owned()),
                status: consent.status.unwrap_or(ConsentStatus::Active),
                permits_refresh: consent.permits_refresh.unwrap_or(true),
                expires_at: now
                    + consent
                        .expires_in_days
                        .map_or(CONSENT_VALIDITY, |days| i64::from(days) * DAY),
                created_at: now,
            });
        Ok(NewCustomer {
            consents: consents.collect(),
            secret,
            customer,
        })
    }
}

/// Returns the products of a scenario.
pub fn products(scenario: &Scenario) -> Vec<Product> {
    let all = || Product::ALL.to_vec();
    scenario.products.clone().unwrap_or_else(all)
}

/// Makes up the project of a scenario, without its faults and clock.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub fn project(scenario: &Scenario) -> Result<seed::Seeded, ids::NoRandomness> {
    let mut seeded = seed::generate(&scenario.name, &products(scenario), scenario.seed)?;
    seeded.project.settings = scenario.settings();
    Ok(seeded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_line_and_field() {
        let error = |text: &str| Scenario::parse(text).expect_err("an error");
        let unknown = error("name: A\ncustomers:\n  - name: B\n    nmae: C\n");
        assert_eq!(unknown.line, Some(4));
        assert!(unknown.message.contains("customers[0]"), "{unknown}");
        assert!(unknown.message.contains("`nmae`"), "{unknown}");
        let setting = error("name: A\nsettings:\n  token_lifetime: soon\n");
        assert_eq!(setting.line, Some(3));
        assert!(
            setting.message.contains("settings.token_lifetime"),
            "{setting}"
        );
        let missing = error("seed: 1\n");
        assert!(missing.message.contains("`name`"), "{missing}");
        let syntax = error("name: [\n");
        assert!(syntax.line.is_some(), "{syntax}");
    }

    #[test]
    fn settings_that_are_not_stated_are_those_of_a_new_project() {
        let text = "name: A\nsettings:\n  customer_headers: { startOpenBankingRefresh: none }\n";
        let settings = Scenario::parse(text).expect("a scenario").settings();
        assert_eq!(settings.token_lifetime, 3600);
        assert_eq!(settings.customer_headers.len(), 2);
    }
}
