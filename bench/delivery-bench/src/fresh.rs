//! The write-ahead log of a server that has run for a while: its segments are those of earlier checkpoints, renamed. A new
//! server fills each with zeros before it writes to it, and commits wait for that.

use crate::postgres::Postgres;
use bothends_delivery::tokio_postgres::NoTls;

/// Fills segments, and lets a checkpoint keep them for what is measured next.
pub async fn prepare(server: &Postgres) {
    let (client, connection) = server.database().await.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let fill = "SELECT pg_logical_emit_message(false, 'bench', repeat('x', 1000000)) FROM generate_series(1, 400)";
    client.batch_execute(fill).await.unwrap();
    client.batch_execute("CHECKPOINT").await.unwrap();
}
