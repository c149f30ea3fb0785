//! Documents that are stored in batches, many in one row: those of a log, which are written all the time,
//! never changed, and read in lists.
//!
//! The id of a row is that of its last document, the parent that of its first, and the version is the
//! number of its documents. The ids of two rows may overlap: a document gets its id before it is written,
//! and several instances write at the same time.

use super::{Document, Page, Row, StorageError, Store, Stored};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// How many rows are read at once at most.
const ROWS: u32 = 64;

/// A part of a list of rows. From the last to the first, rows are ordered by their last document, and
/// otherwise by their first.
#[derive(Debug, Clone)]
pub(super) struct Rows<'a> {
    /// Only rows with a document beyond this id.
    pub(super) beyond: Option<&'a str>,
    /// Only rows after the one that is ordered by this id.
    pub(super) after: Option<&'a str>,
    /// The maximum number of rows.
    pub(super) limit: u32,
    /// Whether the list goes from the last to the first.
    pub(super) newest_first: bool,
}

/// A document of a log as it is stored, which takes less memory than the document.
#[derive(Debug)]
pub struct Written<T> {
    /// The project.
    pub project: String,
    id: String,
    json: String,
    document: PhantomData<fn() -> T>,
}

impl<T: Document> Written<T> {
    /// Writes a document.
    ///
    /// # Errors
    /// Returns an error if it cannot be written as JSON.
    pub fn new(document: &T) -> Result<Self, StorageError> {
        Ok(Self {
            project: document.project().to_owned(),
            id: document.id().to_owned(),
            json: serde_json::to_string(document).map_err(StorageError::new)?,
            document: PhantomData,
        })
    }

    /// Reads the document.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn read(&self) -> Result<T, StorageError> {
        serde_json::from_str(&self.json).map_err(StorageError::new)
    }
}

impl Row {
    /// Creates the row of a batch.
    pub(super) fn batch<T: Document>(documents: &[&Written<T>]) -> Result<Self, StorageError> {
        let ids = || documents.iter().map(|document| &document.id);
        let (Some(first), Some(last), Some(any)) = (ids().min(), ids().max(), documents.first())
        else {
            return Err(StorageError::new("a batch has no documents"));
        };
        let texts: Vec<&str> = documents.iter().map(|document| &*document.json).collect();
        Ok(Self {
            project: any.project.clone(),
            kind: T::KIND.to_owned(),
            id: last.clone(),
            version: i64::try_from(documents.len()).map_err(StorageError::new)?,
            tag: None,
            parent: Some(first.clone()),
            due: None,
            body: format!("[{}]", texts.join(",")),
        })
    }

    /// Returns the id by which the row is ordered.
    fn place(&self, newest_first: bool) -> &str {
        match newest_first {
            true => &self.id,
            false => self.parent.as_deref().unwrap_or(&self.id),
        }
    }
}

/// Returns documents of a project, ordered by id.
pub(super) async fn list<T: Document>(
    store: &Store,
    project: &str,
    page: Page<'_>,
) -> Result<Vec<Stored<T>>, StorageError> {
    let wanted = (page.skip as usize).saturating_add(page.limit as usize);
    let is_before = |id: &str, other: &str| match page.newest_first {
        true => id > other,
        false => id < other,
    };
    let mut found: Vec<T> = Vec::new();
    let mut after: Option<String> = None;
    let mut limit = 1;
    loop {
        let rows = Rows {
            beyond: page.after,
            after: after.as_deref(),
            limit,
            newest_first: page.newest_first,
        };
        let rows = store.batches(T::KIND, project, &rows).await?;
        for row in &rows {
            let documents = documents::<T>(row)?.into_iter();
            let is_in = |id: &str| page.after.is_none_or(|after| is_before(after, id));
            found.extend(documents.filter(|document| is_in(document.id())));
        }
        found.sort_by(|document, other| match page.newest_first {
            true => other.id().cmp(document.id()),
            false => document.id().cmp(other.id()),
        });
        let is_all = (rows.len() as u64) < u64::from(limit);
        let Some(last) = rows.last().filter(|_| !is_all) else {
            break;
        };
        // The documents of further rows are not before this place.
        let place = last.place(page.newest_first);
        let complete = found.partition_point(|document| is_before(document.id(), place));
        if complete >= wanted {
            break;
        }
        let missing = i64::try_from(wanted - complete).unwrap_or(i64::MAX);
        let more = missing / last.version.max(1) + 1;
        limit = u32::try_from(more).unwrap_or(ROWS).min(ROWS);
        after = Some(place.to_owned());
    }
    let found = found.into_iter().skip(page.skip as usize);
    let found = found.take(page.limit as usize);
    Ok(found.map(|value| Stored { version: 1, value }).collect())
}

/// Returns a document.
pub(super) async fn get<T: Document>(
    store: &Store,
    project: &str,
    id: &str,
) -> Result<Option<Stored<T>>, StorageError> {
    // No id is between this one and the document.
    let above = format!("{id} ");
    let page = Page::last(1).after(Some(&above));
    let found = list::<T>(store, project, page).await?.pop();
    Ok(found.filter(|found| found.id() == id))
}

fn documents<T: DeserializeOwned>(row: &Row) -> Result<Vec<T>, StorageError> {
    serde_json::from_str(&row.body).map_err(|error| {
        let (kind, id) = (&row.kind, &row.id);
        StorageError::new(format!(
            "the batch {id} of type {kind} is not readable: {error}"
        ))
    })
}
