//! Operations with servers of their own are called there, with what they ask for and nothing else; a
//! user has the last word.

use std::sync::{Arc, Mutex};

use bothends_runtime::client::{Body, InProcess, Transport, TransportError};
use bothends_runtime::http::{Request, Response};
use bothends_runtime::server::{self, Context, Error};
use bothends_tests::in_process::block_on;
use generated::client::servers as named;
use generated::client::{BASE_URL, Client, Credentials};
use generated::operations::*;
use generated::server::{DefaultApi, router};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/servers.rs"));
}

/// Notes where requests went, and whether with a key.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<(String, bool)>>>);

impl Transport for Notes {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let keyed = request.headers().contains_key("x-key");
        let noted = (request.uri().to_string(), keyed);
        self.0.lock().expect("no poison").push(noted);
        let mut response = Response::new(Body::empty());
        *response.status_mut() = server::RejectionKind::NotFound.status();
        Ok(response)
    }
}

fn call_all<T: Transport>(client: &Client<T>) {
    let name = || "a b".to_owned();
    block_on(async {
        let _ = client.get_file(GetFileRequest::new(name())).await;
        let _ = client.put_file(PutFileRequest::new(name())).await;
        let _ = client.delete_file(DeleteFileRequest::new(name())).await;
        let _ = client.get_here().await;
    });
}

fn client(base: &str) -> (Client<Notes>, Notes) {
    let notes = Notes::default();
    let client = Client::with_transport(base, notes.clone()).expect("a client");
    let credentials = Credentials {
        key: Some("k".into()),
    };
    (client.with_credentials(credentials), notes)
}

/// The client, which may show its credentials to the document's other server.
fn trusting(client: &Client<Notes>) -> Client<Notes> {
    let core = client.core().clone();
    let core = core.trust_origin("https://eu.files.example.com:8443");
    Client::from_core(core.expect("an origin"))
}

fn went(notes: &Notes) -> Vec<(String, bool)> {
    std::mem::take(&mut notes.0.lock().expect("no poison"))
}

fn expected<const N: usize>(all: [(&str, bool); N]) -> Vec<(String, bool)> {
    all.map(|(url, keyed)| (url.to_owned(), keyed)).to_vec()
}

#[test]
fn operations_are_called_at_their_servers() {
    let (client, notes) = client("https://api.example.com/v1");
    call_all(&trusting(&client));
    let all = expected([
        ("https://eu.files.example.com:8443/store/files/a%20b", true),
        ("https://api.example.com/v2/files/a%20b", false),
        ("https://api.example.com/v1/files/a%20b", true),
        ("https://api.example.com/v1/here", true),
    ]);
    assert_eq!(went(&notes), all);
}

/// A document directs credentials to another host: they stay here, and nothing goes there.
#[test]
fn a_server_of_the_document_gets_no_credentials_unasked() {
    let (client, notes) = client("https://api.example.com/v1");
    let outcome = block_on(client.get_file(GetFileRequest::new("a".to_owned())));
    let Err(bothends_runtime::client::Error::UntrustedOrigin(error)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.origin(), "https://eu.files.example.com:8443");
    assert_eq!(error.sender(), "getFile");
    assert!(went(&notes).is_empty());
}

#[test]
fn what_is_relative_is_meant_from_where_the_client_is() {
    let (client, notes) = client("http://localhost:8080/deep/v1");
    call_all(&trusting(&client));
    let all = expected([
        ("https://eu.files.example.com:8443/store/files/a%20b", true),
        ("http://localhost:8080/v2/files/a%20b", false),
        ("http://localhost:8080/deep/v1/files/a%20b", true),
        ("http://localhost:8080/deep/v1/here", true),
    ]);
    assert_eq!(went(&notes), all);
}

#[test]
fn a_user_has_the_last_word() {
    let (client, notes) = client("http://localhost/v1");
    let files = "https://eu.files.example.com:8443/store";
    let core = client.core().clone();
    let core = core
        .override_server(files, "http://localhost:9000")
        .expect("a URL");
    call_all(&Client::from_core(core));
    assert_eq!(went(&notes)[0].0, "http://localhost:9000/files/a%20b");

    call_all(&Client::from_core(
        client.core().clone().override_all_servers(),
    ));
    let all = expected([
        ("http://localhost/v1/files/a%20b", true),
        ("http://localhost/v1/files/a%20b", false),
        ("http://localhost/v1/files/a%20b", true),
        ("http://localhost/v1/here", true),
    ]);
    assert_eq!(went(&notes), all);
    assert!(
        client
            .core()
            .clone()
            .override_server(files, "nowhere")
            .is_err()
    );
}

struct Files;

impl DefaultApi for Files {
    async fn get_file(
        &self,
        _: Context,
        _: GetFileRequest,
    ) -> Result<GetFileResponse, Error<bothends_runtime::NoError>> {
        Ok(GetFileResponse::new(()))
    }

    async fn put_file(
        &self,
        _: Context,
        _: PutFileRequest,
    ) -> Result<PutFileResponse, Error<bothends_runtime::NoError>> {
        Ok(PutFileResponse::new(()))
    }

    async fn delete_file(
        &self,
        _: Context,
        _: DeleteFileRequest,
    ) -> Result<DeleteFileResponse, Error<bothends_runtime::NoError>> {
        Ok(DeleteFileResponse::new(()))
    }

    async fn get_here(
        &self,
        _: Context,
        _: GetHereRequest,
    ) -> Result<GetHereResponse, Error<bothends_runtime::NoError>> {
        Ok(GetHereResponse::new(()))
    }
}

#[test]
fn a_router_has_all_paths_where_it_stands() {
    let transport = InProcess::new(router(Files).allow_unauthenticated());
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    let client = client.with_credentials(Credentials {
        key: Some("k".into()),
    });
    let client = Client::from_core(client.core().clone().override_all_servers());
    let got = block_on(client.get_file(GetFileRequest::new("a".to_owned())));
    assert_eq!(got.expect("a response").status().as_u16(), 204);
    let put = block_on(client.put_file(PutFileRequest::new("a".to_owned())));
    assert_eq!(put.expect("a response").status().as_u16(), 204);
}

#[test]
fn every_server_of_the_document_has_a_constant() {
    let urls = [
        named::PRODUCTION,
        named::ONE_TENANT,
        named::SANDBOX,
        named::PRODUCTION2,
        named::REGION_FILES_EXAMPLE_COM_PORT_STORE,
        named::V2,
        named::API_EXAMPLE_COM_V1,
        named::BACKUP_EXAMPLE_COM,
    ]
    .map(|server| server.url());
    assert_eq!(
        urls,
        [
            BASE_URL,
            "https://demo.eu.example.com:443/v1/api",
            "/sandbox",
            "https://api.example.com/v3",
            "https://eu.files.example.com:8443/store",
            "/v2",
            "https://api.example.com/v1/",
            "https://backup.example.com",
        ]
    );
    let variables = named::ONE_TENANT.variables();
    let names: Vec<&str> = variables.iter().map(|variable| variable.name).collect();
    assert_eq!(names, ["tenant", "region", "port", "base"]);
    assert_eq!(variables[1].values, ["eu", "us"]);
}

#[test]
fn a_client_is_made_for_chosen_variables() {
    let server = named::ONE_TENANT.variable("tenant", "acme");
    let server = server.and_then(|server| server.variable("region", "us"));
    let url = server
        .and_then(|server| server.variable("base", "v2"))
        .expect("values");
    let (client, notes) = client(&url.url());
    // The files of the document's own server are in another region too.
    let files = named::REGION_FILES_EXAMPLE_COM_PORT_STORE;
    let american = files.clone().variable("region", "us").expect("a region");
    let core = client.core().clone();
    let core = core
        .override_server(&files.url(), &american.url())
        .expect("a URL");
    call_all(&Client::from_core(core));
    let went: Vec<String> = went(&notes).into_iter().map(|(url, _)| url).collect();
    assert_eq!(
        went[0],
        "https://us.files.example.com:8443/store/files/a%20b"
    );
    assert_eq!(went[3], "https://acme.us.example.com:443/v2/here");

    for (name, value) in [
        ("region", "mars"),
        ("tenant", "evil.example/"),
        ("who", "x"),
    ] {
        assert!(named::ONE_TENANT.variable(name, value).is_err(), "{name}");
    }
    let beside = named::SANDBOX.url_from("https://api.example.com/openapi.yaml");
    assert_eq!(beside.as_deref(), Ok("https://api.example.com/sandbox"));
}
