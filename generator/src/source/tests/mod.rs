//! Tests of reading.

mod files;
mod places;
mod texts;
