//! One program for all cases: a module for each document.

mod case_16_odata_tags;
