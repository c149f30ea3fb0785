use bothends_runtime::{Json, Map};
use financial_data::types::CodeId;

// SNIPPET
