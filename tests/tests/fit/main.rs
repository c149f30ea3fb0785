//! What fits generated code to a project: filters, derives, overlays that repair a document.

mod derives;
mod documents;
mod examples;
mod features;
mod filter;
mod imports;
mod kept;
mod own;
mod own_values;
mod parts;
mod repairs;
mod router;
mod stated;
