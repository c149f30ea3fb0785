//! The state of a project in a file.
//!
//! A file has a version. Files of earlier versions are upgraded step by step when they are read, so
//! that a later release reads them forever. A file of each version is kept with the tests.

use crate::app::App;
use crate::ids;
use crate::model::{
    AccessTokens, Call, Consent, Credential, Customer, Event, Millis, Payment, Project, Received,
    SentWebhook, Task, TokenFamily,
};
use crate::store::{Document, Row, StorageError};
use crate::subscriptions::Subscription;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The word in every file.
pub const FORMAT: &str = "financial-data-sandbox/snapshot";
/// The version that this program writes.
pub const VERSION: i64 = 1;

/// The types of documents that a snapshot contains.
pub const KEPT: [&str; 9] = [
    Credential::KIND,
    Customer::KIND,
    Consent::KIND,
    Task::KIND,
    Payment::KIND,
    TokenFamily::KIND,
    AccessTokens::KIND,
    Event::KIND,
    Subscription::KIND,
];

/// All types of documents of a project.
pub const EVERYTHING: [&str; 12] = [
    Credential::KIND,
    Customer::KIND,
    Consent::KIND,
    Task::KIND,
    Payment::KIND,
    TokenFamily::KIND,
    AccessTokens::KIND,
    Event::KIND,
    Subscription::KIND,
    Call::KIND,
    SentWebhook::KIND,
    Received::KIND,
];

/// The state of a project, in the present version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: i64,
    /// When it was taken, by the system clock.
    pub taken_at: Millis,
    /// The project with settings, clock and faults.
    pub project: Project,
    /// The documents of the project, by type.
    pub documents: BTreeMap<String, Vec<Value>>,
}

/// Why a file is not a snapshot that can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotError {
    /// The place in the file, such as `documents.customer[3]`.
    pub place: String,
    /// The reason.
    pub message: String,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SnapshotError {}

fn wrong(place: impl Into<String>, message: impl fmt::Display) -> SnapshotError {
    SnapshotError {
        place: place.into(),
        message: message.to_string(),
    }
}

/// Takes a snapshot of a project.
///
/// # Errors
/// Returns an error of the database.
pub async fn take(app: &App, project: &Project) -> Result<Snapshot, StorageError> {
    let mut documents: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in app.store.export(&project.id, &KEPT).await? {
        let document = serde_json::from_str(&row.body).map_err(StorageError::new)?;
        documents.entry(row.kind).or_default().push(document);
    }
    Ok(Snapshot {
        format: FORMAT.to_owned(),
        version: VERSION,
        taken_at: App::system_now(),
        // Ids of deliveries have no meaning in another database.
        project: Project {
            forgotten_deliveries: 0,
            ..project.clone()
        },
        documents,
    })
}

/// Reads a snapshot of any version.
///
/// # Errors
/// Returns an error if the file is not a snapshot, or one of a later version.
pub fn read(file: Value) -> Result<Snapshot, SnapshotError> {
    let format = file.get("format").and_then(Value::as_str);
    if format != Some(FORMAT) {
        return Err(wrong("format", format!("is not `{FORMAT}`")));
    }
    let version = file.get("version").and_then(Value::as_i64);
    let version = version.ok_or_else(|| wrong("version", "is not a number"))?;
    // Each later version adds a step from the one before it.
    match version {
        1 => serde_json::from_value(file).map_err(|error| wrong("the file", error)),
        _ => Err(wrong(
            "version",
            format!("{version} is not known: this program reads versions up to {VERSION}"),
        )),
    }
}

/// Returns the rows of a snapshot's documents, as documents of the project with this id.
///
/// # Errors
/// Returns an error that names the first document that cannot be read.
pub fn rows(snapshot: &Snapshot, project: &str) -> Result<Vec<Row>, SnapshotError> {
    let mut rows = Vec::new();
    for (kind, documents) in &snapshot.documents {
        for (index, document) in documents.iter().enumerate() {
            let place = || format!("documents.{kind}[{index}]");
            let mut document = document.clone();
            match document.get_mut("project") {
                Some(member) => *member = Value::from(project),
                None => return Err(wrong(place(), "is not a document of a project")),
            }
            // The ids of subscriptions are unique in the whole sandbox, unlike those of the others.
            if kind == Subscription::KIND && project != snapshot.project.id {
                document["id"] = ids::fresh().into();
            }
            let row = row_of_kind(kind, document);
            let row = row.map_err(|error| wrong(place(), error))?;
            rows.push(row.ok_or_else(|| wrong(format!("documents.{kind}"), "is not known"))?);
        }
    }
    Ok(rows)
}

/// Returns the row of a document in JSON; `None` for a type that snapshots do not contain.
fn row_of_kind(kind: &str, document: Value) -> Result<Option<Row>, serde_json::Error> {
    fn read<T: Document>(document: Value) -> Result<Option<Row>, serde_json::Error> {
        row(&serde_json::from_value::<T>(document)?).map(Some)
    }
    match kind {
        Credential::KIND => read::<Credential>(document),
        Customer::KIND => read::<Customer>(document),
        Consent::KIND => read::<Consent>(document),
        Task::KIND => read::<Task>(document),
        Payment::KIND => read::<Payment>(document),
        TokenFamily::KIND => read::<TokenFamily>(document),
        AccessTokens::KIND => read::<AccessTokens>(document),
        Event::KIND => read::<Event>(document),
        Subscription::KIND => read::<Subscription>(document),
        _ => Ok(None),
    }
}

/// Returns the row of a new document.
///
/// # Errors
/// Returns an error if the document cannot be written as JSON.
pub fn row<T: Document>(document: &T) -> Result<Row, serde_json::Error> {
    Ok(Row {
        project: document.project().to_owned(),
        kind: T::KIND.to_owned(),
        id: document.id().to_owned(),
        version: 1,
        tag: document.tag(),
        parent: document.parent().map(str::to_owned),
        due: document.due(),
        body: serde_json::to_string(document)?,
    })
}
