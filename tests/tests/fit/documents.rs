//! Documents of the corpus, fitted to a project: what is kept, and that it compiles.

use std::path::Path;

use bothends::{Builder, Parts, Plan};
use bothends_test_environment::stripe;
use bothends_tests::{corpus, root, scratch};

const CLIENT: Parts = Parts {
    client: true,
    server: false,
    webhooks: false,
};

/// Generates a crate of types and client, compiles it, and returns its plan.
fn compiled(document: &Path, include: &[&str]) -> Plan {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = root().join("runtime");
    let builder = Builder::new(document)
        .out_dir(folder.path())
        .runtime_path(runtime)
        .name("fitted")
        .parts(CLIENT);
    let builder = include
        .iter()
        .fold(builder, |builder, selector| builder.include(*selector));
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let record = bothends::output::Record::Kept;
    bothends::output::write(folder.path(), &plan.files, record).expect("written");
    let checked = scratch::check(folder.path(), &["check", "--quiet"]).expect("cargo");
    assert!(checked.clean, "{}", checked.output);
    plan
}

fn lines(plan: &Plan) -> usize {
    let files = plan.files.iter().filter(|file| file.path.ends_with(".rs"));
    files.map(|file| file.text.lines().count()).sum()
}

fn names(plan: &Plan) -> Vec<&str> {
    let operations = plan.api.operations.iter();
    operations
        .map(|operation| operation.name.wire.as_str())
        .collect()
}

#[test]
#[ignore = "fit"]
fn one_operation_of_a_large_document_has_its_stream() {
    let Some(corpus) = corpus("one_operation_of_a_large_document_has_its_stream") else {
        return;
    };
    let plan = compiled(
        &corpus.join("openai-openapi/openapi.yaml"),
        &["createResponse"],
    );
    assert_eq!(names(&plan), ["createResponse"]);
    let counts = plan.kept.expect("counts");
    assert_eq!(counts.operations.0, 1);
    let client = plan.files.iter().find(|file| file.path == "src/client.rs");
    let client = &client.expect("a client").text;
    assert!(client.contains("pub fn create_response("), "{client}");
    let types = plan.files.iter().find(|file| file.path == "src/types.rs");
    let types = &types.expect("types").text;
    assert!(types.contains("pub enum ResponseStreamEvent"));
    println!("createResponse: {} lines, {counts}", lines(&plan));
}

#[test]
#[ignore = "fit"]
fn three_tags_of_a_large_document_compile() {
    let Some(corpus) = corpus("three_tags_of_a_large_document_compile") else {
        return;
    };
    let document = corpus.join("progenitor/sample_openapi.api.github.com.json");
    let plan = compiled(&document, &["tag:pulls", "tag:gists", "tag:git"]);
    let tags = plan.api.tags.iter().map(|tag| tag.name.wire.as_str());
    assert_eq!(tags.collect::<Vec<_>>(), ["gists", "git", "pulls"]);
    assert_eq!(names(&plan).len(), 27 + 20 + 13);
    println!("three tags: {} lines", lines(&plan));
}

#[test]
fn a_documented_header_link_makes_pages() {
    let Some(corpus) = corpus("a_documented_header_link_makes_pages") else {
        return;
    };
    let document = corpus.join("progenitor/sample_openapi.api.github.com.json");
    let plan = compiled(
        &document,
        &["issues/list-for-repo", "search/repos", "repos/get"],
    );
    let items = |id: &str| {
        let mut operations = plan.api.operations.iter();
        let operation = operations
            .find(|operation| operation.name.wire == id)
            .expect(id);
        let pages = operation.pages.as_ref()?;
        assert!(pages.item_path.is_some(), "{id}");
        pages.items.clone()
    };
    assert_eq!(items("issues/list-for-repo").as_deref(), Some(""));
    assert_eq!(items("repos/get"), None);
    let client = plan.files.iter().find(|file| file.path == "src/client.rs");
    let client = &client.expect("a client").text;
    let row = "        items: types::IssueSimple,\n        next: NextPage::url(Expression::ResponseHeader(\"Link\")),";
    assert!(client.contains(row), "{client}");
    assert!(
        client.contains("PagedCall<'_, T, IssuesListForRepoRequest>"),
        "{client}"
    );
}

#[test]
fn an_overlay_repairs_a_large_document() {
    let Some(document) = stripe("an_overlay_repairs_a_large_document") else {
        return;
    };
    let overlay = root().join("tests/tests/fit/stripe/repairs.overlay.yaml");
    let broken = Builder::new(document).module(true).parts(CLIENT);
    let broken = broken.include("path:/v1/charges*");
    let repaired = broken.clone().overlay(overlay);
    let [broken, repaired] = [broken, repaired].map(|builder| builder.plan().expect("a plan"));
    let misplaced = |plan: &Plan| {
        let codes = plan.diagnostics.iter().map(|diagnostic| diagnostic.code.id);
        codes.filter(|id| *id == "W0116").count()
    };
    assert!(!repaired.has_errors(), "{}", repaired.report());
    assert_eq!((misplaced(&broken) > 0, misplaced(&repaired)), (true, 0));
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("a folder");
    std::fs::write(source.join("api.rs"), &repaired.files[0].text).expect("written");
    std::fs::write(source.join("main.rs"), include_str!("stripe/call.rs")).expect("written");
    let manifest = scratch::manifest_with("charges", &["client"]);
    let manifest = manifest.replace("[lib]\ndoctest = false\n", "");
    std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
    assert!(run.clean, "{}", run.output);
}
