//! Bare handlers with the bodies of the sandbox, without checks and without storage. Prints its URL.

use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

async fn token() -> Json<Value> {
    Json(json!({
        "operation_id": "oauth_token_post",
        "data": {"access_token": "a", "token_type": "bearer", "expires_in": 3600, "refresh_token": "r"},
    }))
}

async fn refresh() -> Json<Value> {
    Json(json!({"task_id": "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c11"}))
}

async fn status() -> Json<Value> {
    Json(json!({"task_id": "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c11", "task_type": "refresh", "status": "Pending"}))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let router = Router::new()
        .route("/v1/oauth/token", post(token))
        .route("/v1/open-banking/refresh", post(refresh))
        .route("/v1/open-banking/refresh/{task_id}", get(status));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, router).await
}
