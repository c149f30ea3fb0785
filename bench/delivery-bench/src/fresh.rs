//! A server as one that has run for a while, and has nothing else to do.

use crate::postgres::Postgres;
use bothends_delivery::tokio_postgres::{NoTls, SimpleQueryMessage};

/// Removes the databases of what was measured before, whose tables autovacuum would work on, and makes segments of the
/// write-ahead log that a checkpoint keeps: a new server fills each with zeros before it writes to it, and commits
/// wait for that.
pub async fn prepare(server: &Postgres) {
    let (client, connection) = server.database().await.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let drop = "SELECT format('DROP DATABASE %I WITH (FORCE)', datname) FROM pg_database
        WHERE datname LIKE 'test%' AND datname <> current_database()";
    for message in client.simple_query(drop).await.unwrap() {
        if let SimpleQueryMessage::Row(row) = message {
            client.batch_execute(row.get(0).unwrap()).await.unwrap();
        }
    }
    let fill = "SELECT pg_logical_emit_message(false, 'bench', repeat('x', 1000000)) FROM generate_series(1, 400)";
    client.batch_execute(fill).await.unwrap();
    client.batch_execute("CHECKPOINT").await.unwrap();
}
