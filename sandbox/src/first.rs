//! The first project, and what later starts know of it.

use crate::model::{Credential, Customer, Product, Project};
use crate::seed::{self, Seeded};
use crate::start_error::StartError;
use crate::store::{Changes, CommitError, Document, Page, StorageError, Store, Stored};

/// How many documents are looked at for the oldest of them.
const READ: u32 = 1_000;

/// What is known of a project at every start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProject {
    /// The id.
    pub id: String,
    /// The client id of its oldest credentials that are not revoked.
    pub client_id: Option<String>,
    /// Its oldest customer.
    pub customer_id: Option<String>,
}

impl From<&Seeded> for KnownProject {
    fn from(seeded: &Seeded) -> Self {
        Self {
            id: seeded.project.id.clone(),
            client_id: Some(seeded.client_id.clone()),
            customer_id: Some(seeded.customer_id.clone()),
        }
    }
}

/// Returns the oldest project.
pub(crate) async fn oldest(store: &Store) -> Result<Option<KnownProject>, StorageError> {
    let projects = list::<Project>(store, "").await?;
    let Some(project) = projects.iter().min_by_key(|project| project.created_at) else {
        return Ok(None);
    };
    let credentials = list::<Credential>(store, &project.id).await?;
    let valid = credentials
        .iter()
        .filter(|credential| credential.revoked_at.is_none());
    let customers = list::<Customer>(store, &project.id).await?;
    Ok(Some(KnownProject {
        id: project.id.clone(),
        client_id: valid
            .min_by_key(|credential| credential.created_at)
            .map(|credential| credential.client_id.clone()),
        customer_id: customers
            .iter()
            .min_by_key(|customer| customer.created_at)
            .map(|customer| customer.id.clone()),
    }))
}

async fn list<T: Document>(store: &Store, project: &str) -> Result<Vec<Stored<T>>, StorageError> {
    store.list(project, Page::first(READ)).await
}

/// Creates the first project of an empty database.
pub(crate) async fn create(store: &Store, seed: Option<u64>) -> Result<Option<Seeded>, StartError> {
    let projects = store.list::<Project>("", Page::first(1)).await?;
    let mut changes = Changes::new();
    let seeded = seed::new_project(&mut changes, "First project", &Product::ALL, seed)?;
    if !projects.is_empty() {
        // With a seed, the secrets of the first project are known although only hashes are stored.
        let known = store
            .get::<Project>("", &seeded.project.id)
            .await?
            .is_some();
        return Ok(known.then_some(seeded));
    }
    match store.commit(changes).await {
        Ok(()) => Ok(Some(seeded)),
        // Another instance with the same seed was faster.
        Err(CommitError::Conflict) => Ok(Some(seeded)),
        Err(CommitError::Storage(error)) => Err(error.into()),
    }
}
