//! Documents that are stored in batches.

use financial_data_sandbox::model::Call;
use financial_data_sandbox::store::{Changes, Page, Store, Written};

fn call(id: &str) -> Call {
    let call = serde_json::json!({
        "project": "log", "id": id, "at": 0, "project_time": 0, "microseconds": 0, "client_id": null,
        "operation": null, "method": "GET", "path": "/", "request_headers": [], "request_body": "",
        "status": 200, "response_headers": [], "response_body": "", "checks": [],
    });
    serde_json::from_value(call).unwrap()
}

async fn append(store: &Store, ids: &str) {
    let calls = ids.split(' ').map(|id| Written::new(&call(id)).unwrap());
    let calls: Vec<Written<Call>> = calls.collect();
    let mut changes = Changes::new();
    changes.append(&calls.iter().collect::<Vec<_>>());
    store.commit(changes).await.unwrap();
}

/// Returns the ids of all calls, read in pages, in both directions.
async fn pages(store: &Store, limit: u32) -> [String; 2] {
    let mut read = [String::new(), String::new()];
    for (page, read) in [Page::first(limit), Page::last(limit)]
        .into_iter()
        .zip(&mut read)
    {
        let mut after: Option<String> = None;
        loop {
            let page = page.clone().after(after.as_deref());
            let calls = store.list::<Call>("log", page).await.unwrap();
            assert!(calls.len() <= limit as usize);
            let Some(last) = calls.last() else { break };
            after = Some(last.id.clone());
            read.extend(calls.iter().map(|call| call.id.as_str()));
        }
    }
    read
}

pub(super) async fn a_log_is_read_across_batches(store: &Store) {
    // The third batch has a call that began before those of the others and ended after them; `d` and `g`
    // were written by two instances at the same time.
    for ids in ["b", "c e f", "a h", "d g", "i", "k j"] {
        append(store, ids).await;
    }
    for limit in [1, 2, 3, 5, 20] {
        let read = pages(store, limit).await;
        assert_eq!(read, ["abcdefghijk", "kjihgfedcba"], "{limit}");
    }
    let skipped = store.list::<Call>("log", Page::last(2).skip(3)).await;
    let skipped: String = skipped
        .unwrap()
        .iter()
        .map(|call| call.id.as_str())
        .collect();
    assert_eq!(skipped, "hg");
    for id in ["a", "d", "g", "h", "k"] {
        let found = store.get::<Call>("log", id).await.unwrap();
        assert_eq!(found.unwrap().id, id);
    }
    for id in ["", "aa", "dd", "z"] {
        assert!(
            store.get::<Call>("log", id).await.unwrap().is_none(),
            "{id}"
        );
    }
    assert!(store.get::<Call>("p", "a").await.unwrap().is_none());
    // A row is kept as long as one of the last calls is in it.
    assert_eq!(store.trim::<Call>("log", 12).await.unwrap(), 0);
    assert_eq!(store.trim::<Call>("log", 4).await.unwrap(), 3);
    assert_eq!(pages(store, 2).await[0], "ahijk");
    let mut changes = Changes::new();
    changes.replace("log", &["call"], Vec::new());
    store.commit(changes).await.unwrap();
    assert_eq!(pages(store, 2).await[0], "");
}

/// The first version of the tables had a row for each call.
#[tokio::test]
async fn calls_of_earlier_tables_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let url = format!("sqlite:{}", file.display());
    drop(Store::open(&url).await.unwrap());
    let connection = rusqlite::Connection::open(&file).unwrap();
    for id in ["a", "b"] {
        let body = serde_json::to_string(&call(id)).unwrap();
        let sql = "INSERT INTO sandbox_records (project, kind, id, version, body) VALUES ('log', 'call', ?1, 3, ?2)";
        connection.execute(sql, [id, &body]).unwrap();
    }
    let sql = "UPDATE sandbox_schema SET version = 1";
    connection.execute(sql, []).unwrap();
    let store = Store::open(&url).await.unwrap();
    append(&store, "c").await;
    assert_eq!(pages(&store, 2).await[1], "cba");
    assert_eq!(store.trim::<Call>("log", 2).await.unwrap(), 1);
}

/// Many calls that resemble each other take little room in the file, and are read as they were written.
#[tokio::test]
async fn long_rows_are_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let store = Store::open(&format!("sqlite:{}", file.display()))
        .await
        .unwrap();
    let calls = (100..228).map(|number| Call {
        response_body: format!("{{\"äöü\": {number}}}"),
        ..call(&number.to_string())
    });
    let calls: Vec<Call> = calls.collect();
    let written: Vec<Written<Call>> = calls
        .iter()
        .map(|call| Written::new(call).unwrap())
        .collect();
    let mut changes = Changes::new();
    changes.append(&written.iter().collect::<Vec<_>>());
    store.commit(changes).await.unwrap();
    append(&store, "300").await;
    let connection = rusqlite::Connection::open(&file).unwrap();
    let sql = "SELECT typeof(body), length(body) FROM sandbox_records ORDER BY id";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let rows: Vec<(String, i64)> = rows.unwrap().map(Result::unwrap).collect();
    let length = serde_json::to_string(&calls).unwrap().len();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0].0, "blob");
    assert!(
        rows[0].1 * 5 < i64::try_from(length).unwrap(),
        "{} of {length}",
        rows[0].1
    );
    assert_eq!(rows[1].0, "text");
    let read = store.list::<Call>("log", Page::first(128)).await.unwrap();
    let read: Vec<Call> = read.into_iter().map(|call| call.value).collect();
    assert_eq!(read, calls);
}
