//! The console API: types, server and client, generated from `spec/console.yaml`.

bothends_runtime::include_api!();
