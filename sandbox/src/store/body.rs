//! The bodies of rows in SQLite. Long ones are compressed: most are of the log, whose calls resemble each other, and the
//! fewer pages a commit writes, the sooner the next one begins. PostgreSQL compresses long values itself.

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};

/// The length from which a body is compressed, in bytes: that of a page.
const LONG: usize = 4096;

/// A body to be stored: as text, or as a blob in LZ4's block format after its length (four bytes, the lowest first).
pub(super) struct Body<'a>(pub(super) &'a str);

impl ToSql for Body<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        if self.0.len() < LONG {
            return self.0.to_sql();
        }
        let compressed = compress_prepend_size(self.0.as_bytes());
        Ok(ToSqlOutput::Owned(Value::Blob(compressed)))
    }
}

/// A body that was read.
pub(super) struct Text(pub(super) String);

impl FromSql for Text {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let ValueRef::Blob(compressed) = value else {
            return String::column_result(value).map(Self);
        };
        let text = decompress_size_prepended(compressed).map_err(FromSqlError::other)?;
        String::from_utf8(text)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}
