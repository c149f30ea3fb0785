//! One program for all cases: a module for each document.

mod case_07_closed_composition;
mod case_16_odata_tags;
mod case_18_arbitrary_precision;
mod case_22_form_deep_objects;
mod case_27_reserved_headers;
mod case_32_query_values;
mod case_34_token_endpoints;
mod case_41_typed_events;
mod case_42_stream_or_json;
mod case_51_operation_in_middleware;
mod case_53_yaml_scalars;
mod deviations;
mod engine;
mod jupyterhub;
mod sdk_streams;
