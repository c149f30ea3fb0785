//! A router of a filtered document.

use bothends::Builder;
use bothends_tests::scratch;

use super::filter::{SHOP, kept, planned};

const SERVICE: &str = r#"
#[allow(dead_code)]
mod api;

use api::operations::*;
use api::server::{OrdersApi, router};
use bothends_runtime::server::{Body, Context, Error};
use tower_service::Service as _;

struct Service;

impl OrdersApi for Service {
    async fn list_orders(
        &self,
        _: Context,
        _: ListOrdersRequest,
    ) -> Result<ListOrdersResponse, Error<ListOrdersError>> {
        Ok(ListOrdersResponse::new(Vec::new()))
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (method, path, expected) in [
        ("GET", "/orders", 200),
        ("POST", "/orders", 405),
        ("GET", "/jobs/1", 404),
        ("GET", "/internal/health", 404),
    ] {
        let request = http::Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        let mut router = router(Service).allow_unauthenticated();
        let response = runtime.block_on(router.call(request)).unwrap();
        assert_eq!(response.status(), expected, "{method} {path}");
    }
}
"#;

#[test]
fn a_router_responds_404_to_what_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = planned(SHOP, &["listOrders"], &[]);
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, SHOP).expect("written");
    let module = Builder::new(&path)
        .module(true)
        .include("listOrders")
        .plan();
    let module = module.expect("a plan");
    assert_eq!(kept(&module), kept(&plan));
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("a folder");
    std::fs::write(source.join("api.rs"), &module.files[0].text).expect("written");
    std::fs::write(source.join("main.rs"), SERVICE).expect("written");
    let manifest = scratch::manifest_with("filtered", &["client", "server"]);
    let manifest = manifest.replace(
        "[lib]\ndoctest = false\n",
        "tokio = { version = \"1\", features = [\"rt\"] }\ntower-service = \"0.3\"\nhttp = \"1\"\n",
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
    assert!(run.clean, "{}", run.output);
}
