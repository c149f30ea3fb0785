//! One program for all cases: a module for each document.

mod case_16_odata_tags;
mod case_18_arbitrary_precision;
mod case_51_operation_in_middleware;
mod jupyterhub;
