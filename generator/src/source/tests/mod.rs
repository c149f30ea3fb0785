//! Tests of reading.

mod files;
mod places;
mod suite;
mod tabs;
mod texts;
