//! What `bothends stubs` prints compiles as it is.

use std::fs;

use bothends::{Builder, Parts, scaffold};
use bothends_tests::root;
use bothends_tests::scratch::{check, manifest};

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn stubs_compile_beside_a_generated_module() {
    let parts = Parts {
        client: false,
        server: true,
        webhooks: false,
    };
    let documents = [
        "docs/guide/specs/shop.yaml",
        "spec/financial-data.yaml",
        "spec/features/response-headers.yaml",
        "spec/features/security-by-body.yaml",
    ];
    let dir = tempfile::tempdir().expect("a folder");
    let src = dir.path().join("src");
    fs::create_dir_all(&src).expect("a folder");
    let mut lib = String::from("//! Servers.\n");
    for (index, document) in documents.iter().enumerate() {
        let plan = Builder::new(root().join(document))
            .module(true)
            .parts(parts)
            .plan()
            .expect("a plan");
        assert!(!plan.has_errors(), "{}", plan.report());
        let api = format!("crate::api_{index}");
        let stubs = scaffold::stubs(&plan.api, &api, &[]).expect("no source is read");
        let again = scaffold::stubs(&plan.api, &api, std::slice::from_ref(&stubs));
        assert_eq!(again.as_deref(), Ok("// Every method is implemented.\n"));
        lib.push_str(&format!("pub mod api_{index};\npub mod service_{index};\n"));
        fs::write(src.join(format!("api_{index}.rs")), &plan.files[0].text).expect("written");
        let service = format!("//! A server.\n\n{stubs}");
        fs::write(src.join(format!("service_{index}.rs")), service).expect("written");
    }
    fs::write(src.join("lib.rs"), lib).expect("written");
    fs::write(dir.path().join("Cargo.toml"), manifest("stubs")).expect("written");
    let checked = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}
