//! The content of a new project.

use crate::app::App;
use crate::ids::{self, NoRandomness};
use crate::model::{
    Consent, ConsentStatus, Credential, Customer, Product, Project, ProjectClock, Settings,
};
use crate::store::Changes;

/// All scopes. Their names are a choice of the sandbox.
pub const SCOPES: [&str; 2] = ["open-banking:read", "open-banking:write"];
/// The provider of the first consent.
pub const PROVIDER: &str = "example-bank";
/// The validity of a consent, in milliseconds: ninety days.
pub const CONSENT_VALIDITY: i64 = 90 * 24 * 60 * 60 * 1000;

/// A new project, with the secrets that are shown once.
#[derive(Debug, Clone)]
pub struct Seeded {
    /// The project.
    pub project: Project,
    /// The client id of its credentials.
    pub client_id: String,
    /// The client secret.
    pub client_secret: String,
    /// A customer who has given consent.
    pub customer_id: String,
    /// The secret of the customer.
    pub customer_secret: String,
    /// The id of the consent.
    pub consent_id: String,
}

/// Creates a project with credentials, and a customer who has given consent. With a seed, all ids
/// and secrets depend on the seed alone.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub fn new_project(
    changes: &mut Changes,
    name: &str,
    products: &[Product],
    seed: Option<u64>,
) -> Result<Seeded, NoRandomness> {
    let seeded = generate(name, products, seed)?;
    insert(changes, &seeded);
    Ok(seeded)
}

/// Makes up a project, without storing it.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub fn generate(
    name: &str,
    products: &[Product],
    seed: Option<u64>,
) -> Result<Seeded, NoRandomness> {
    let id = |what: &str| seed.map_or_else(ids::fresh, |seed| ids::derived(seed, what));
    let secret = |what: &str| match seed {
        Some(seed) => Ok(ids::derived_secret(seed, what)),
        None => ids::secret(),
    };
    let project = Project {
        id: id("project"),
        name: name.to_owned(),
        seed: seed.unwrap_or(0),
        products: products.to_vec(),
        settings: Settings::default(),
        clock: ProjectClock::default(),
        faults: Vec::new(),
        created_at: App::system_now(),
        forgotten_deliveries: 0,
    };
    Ok(Seeded {
        client_id: id("client"),
        client_secret: secret("client")?,
        customer_id: id("customer"),
        customer_secret: secret("customer")?,
        consent_id: id("consent"),
        project,
    })
}

/// Adds a project with its credentials, customer and consent.
pub fn insert(changes: &mut Changes, seeded: &Seeded) {
    changes.insert(&seeded.project);
    changes.insert(&credential(seeded));
    changes.insert(&customer(seeded));
    changes.insert(&consent(seeded));
}

/// Returns the credentials of a new project.
pub fn credential(seeded: &Seeded) -> Credential {
    Credential {
        project: seeded.project.id.clone(),
        client_id: seeded.client_id.clone(),
        secret_hash: ids::hash(&seeded.client_secret),
        name: "First credentials".to_owned(),
        scopes: SCOPES.map(str::to_owned).to_vec(),
        created_at: seeded.project.created_at,
        rotated_at: None,
        revoked_at: None,
    }
}

/// Returns the customer of a new project.
pub fn customer(seeded: &Seeded) -> Customer {
    Customer {
        project: seeded.project.id.clone(),
        id: seeded.customer_id.clone(),
        secret_hash: ids::hash(&seeded.customer_secret),
        name: "Ada Example".to_owned(),
        user_id: Some("user-1".to_owned()),
        created_at: seeded.project.created_at,
    }
}

/// Returns the consent of that customer.
pub fn consent(seeded: &Seeded) -> Consent {
    Consent {
        project: seeded.project.id.clone(),
        id: seeded.consent_id.clone(),
        customer_id: seeded.customer_id.clone(),
        provider: PROVIDER.to_owned(),
        status: ConsentStatus::Active,
        permits_refresh: true,
        expires_at: seeded.project.created_at + CONSENT_VALIDITY,
        created_at: seeded.project.created_at,
    }
}
