//! Official clients of a container engine, as recorded bytes (`recorded/`), against a generated server, and responses that
//! a generated client receives.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{
    ContainerCreateBody, ContainerCreateError, ContainerCreateRequest, ContainerCreateResponse,
    ContainerDeleteError, ContainerDeleteRequest, ContainerDeleteResponse, ContainerListError,
    ContainerListRequest, ContainerListResponse, ContainerLogsError, ContainerLogsRequest,
    ContainerLogsResponse, ContainerStopError, ContainerStopRequest, ContainerStopResponse,
    ImageCreateError, ImageCreateRequest, ImageCreateResponse, ImageInspectError,
    ImageInspectRequest, ImageInspectResponse, ImageListError, ImageListRequest, ImageListResponse,
};
use api::server::{DefaultApi, router};
use api::types::{Created, Image};
use bothends_runtime::ByteStream;
use bothends_runtime::server::{Context, Error, Leniency, Router};
use bothends_test_peers::{answering, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "engine");

const DOCKER_CLI: &str = include_str!("../recorded/docker-cli.txt");
const DOCKER_PY: &str = include_str!("../recorded/docker-py.txt");
/// Responses of dockerd 20.10.24 (API version 1.41) to `GET /images/small:1/json` and `POST /containers/create`.
const INSPECTED: &str = include_str!("../recorded/dockerd-image-inspect.txt");
const CREATED: &str = include_str!("../recorded/dockerd-container-create.txt");

/// Keeps the debug text of each request that reaches a handler.
#[derive(Default, Clone)]
struct Engine {
    reached: Arc<Mutex<Vec<String>>>,
    created: Arc<Mutex<Option<ContainerCreateBody>>>,
}

impl Engine {
    fn keep(&self, request: &impl std::fmt::Debug) {
        let mut reached = self.reached.lock().expect("a lock");
        reached.push(format!("{request:?}"));
    }
}

impl DefaultApi for Engine {
    async fn container_list(
        &self,
        _: Context,
        request: ContainerListRequest,
    ) -> Result<ContainerListResponse, Error<ContainerListError>> {
        self.keep(&request);
        Ok(Vec::new().into())
    }

    async fn container_create(
        &self,
        _: Context,
        request: ContainerCreateRequest,
    ) -> Result<ContainerCreateResponse, Error<ContainerCreateError>> {
        *self.created.lock().expect("a lock") = Some(request.body);
        Ok(Created::new("1".to_owned(), Vec::new()).into())
    }

    async fn container_delete(
        &self,
        _: Context,
        request: ContainerDeleteRequest,
    ) -> Result<ContainerDeleteResponse, Error<ContainerDeleteError>> {
        self.keep(&request);
        Ok(().into())
    }

    async fn container_stop(
        &self,
        _: Context,
        request: ContainerStopRequest,
    ) -> Result<ContainerStopResponse, Error<ContainerStopError>> {
        self.keep(&request);
        Ok(().into())
    }

    async fn container_logs(
        &self,
        _: Context,
        request: ContainerLogsRequest,
    ) -> Result<ContainerLogsResponse, Error<ContainerLogsError>> {
        self.keep(&request);
        Ok(ByteStream::from(Vec::new()).into())
    }

    async fn image_list(
        &self,
        _: Context,
        request: ImageListRequest,
    ) -> Result<ImageListResponse, Error<ImageListError>> {
        self.keep(&request);
        Ok(Vec::new().into())
    }

    async fn image_create(
        &self,
        _: Context,
        request: ImageCreateRequest,
    ) -> Result<ImageCreateResponse, Error<ImageCreateError>> {
        self.keep(&request);
        Ok(().into())
    }

    async fn image_inspect(
        &self,
        _: Context,
        request: ImageInspectRequest,
    ) -> Result<ImageInspectResponse, Error<ImageInspectError>> {
        self.keep(&request);
        Ok(Image::new("sha256:1".to_owned()).into())
    }
}

/// Sends the recorded requests, and returns the target and the status of each.
fn replay(recorded: &str, router: Router<Engine>) -> Vec<(String, u16)> {
    let to = serve(router);
    let (_, requests) = recorded.split_once("-----\n").expect("a title");
    let requests = requests
        .split("\n-----\n")
        .filter(|request| !request.is_empty());
    requests
        .map(|request| {
            let (head, body) = request.split_once("\n\n").expect("a head");
            // `send` adds these two.
            let lines = head.lines().filter(|line| {
                let line = line.to_ascii_lowercase();
                !line.starts_with("host:") && !line.starts_with("connection:")
            });
            let head: Vec<&str> = lines.collect();
            let answer = send(to, &format!("{}\r\n\r\n{body}", head.join("\r\n")));
            let status = answer
                .split(' ')
                .nth(1)
                .and_then(|status| status.parse().ok());
            let target = head[0].split(' ').take(2).collect::<Vec<_>>().join(" ");
            (target, status.expect("a status"))
        })
        .collect()
}

fn rejected(all: &[(String, u16)]) -> Vec<&str> {
    let rejected = all.iter().filter(|(_, status)| *status == 400);
    let targets = rejected.map(|(target, _)| target.split('?').next().unwrap_or_default());
    targets.collect()
}

#[test]
fn the_docker_cli_is_accepted_by_a_lenient_server() {
    let engine = Engine::default();
    let lenient = router(engine.clone()).base_path("/v1.50").lenient();
    let all = replay(DOCKER_CLI, lenient);
    assert_eq!(all.len(), 9);
    assert_eq!(rejected(&all), [""; 0], "{all:?}");
    let reached = engine.reached.lock().expect("a lock").join("\n");
    for expected in [
        "ContainerListRequest { all: Some(true), limit: None, size: None, filters: None }",
        "size: Some(true), filters: Some(\"{\\\"status\\\":{\\\"exited\\\":true}}\")",
        "ContainerDeleteRequest { id: \"web\", v: Some(true), force: Some(true), link: None }",
        "ImageListRequest { all: Some(true), digests: None }",
        "x_registry_auth: Some(\"e30=\")",
        "stdout: Some(true), stderr: Some(true), timestamps: Some(true), tail: Some(\"all\")",
    ] {
        assert!(reached.contains(expected), "{expected}\n{reached}");
    }
    let body = engine
        .created
        .lock()
        .expect("a lock")
        .take()
        .expect("a body");
    assert_eq!((body.entrypoint, body.on_build), (None, None));
    assert_eq!(body.env.expect("a list"), ["A=1"]);
    let host = body.host_config.expect("a configuration");
    assert_eq!((host.binds, host.memory_swappiness), (None, Some(-1)));
    let networks = body.networking_config.expect("networks").endpoints_config;
    let networks = networks.expect("networks");
    let endpoint = networks.get("default").expect("a network");
    assert_eq!((&endpoint.ipam_config, &endpoint.aliases), (&None, &None));
}

#[test]
fn docker_py_is_accepted_by_a_lenient_server() {
    let engine = Engine::default();
    let lenient = router(engine.clone()).base_path("/v1.45").lenient();
    let all = replay(DOCKER_PY, lenient);
    assert_eq!(all.len(), 7);
    assert_eq!(rejected(&all), [""; 0], "{all:?}");
    let reached = engine.reached.lock().expect("a lock").join("\n");
    for expected in [
        "ContainerListRequest { all: Some(true), limit: Some(-1), size: Some(true), filters: None }",
        "ContainerDeleteRequest { id: \"web\", v: Some(true), force: Some(true), link: Some(false) }",
    ] {
        assert!(reached.contains(expected), "{expected}\n{reached}");
    }
}

#[test]
fn each_leniency_is_needed_for_its_requests_alone() {
    let strict = replay(DOCKER_CLI, router(Engine::default()).base_path("/v1.50"));
    let booleans = [
        "GET /v1.50/containers/json",
        "GET /v1.50/containers/json",
        "DELETE /v1.50/containers/web",
        "GET /v1.50/images/json",
        "GET /v1.50/containers/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/logs",
    ];
    let nulls = ["POST /v1.50/containers/create"];
    let mut all = nulls.to_vec();
    all.extend(booleans);
    assert_eq!(rejected(&strict), all);
    for (leniency, rest) in [
        (Leniency::BooleanTexts, &nulls[..]),
        (Leniency::NullAsAbsent, &booleans[..]),
    ] {
        let router = router(Engine::default())
            .base_path("/v1.50")
            .leniency(leniency);
        assert_eq!(rejected(&replay(DOCKER_CLI, router)), rest, "{leniency:?}");
    }
}

#[test]
fn an_image_without_its_required_names_is_read() {
    let body = r#"{"Id":"sha256:1","RepoTags":null,"Config":{"Entrypoint":null,"Labels":{"a":"b","c":null}},"GraphDriver":{"Name":"overlay2"},"Metadata":{}}"#;
    let headers =
        "Content-Type: application/json\r\nX-Experimental: 1\r\nX-Flags: T, False, true\r\n";
    let (url, _peer) = answering(&response("200 OK", headers, body));
    let client = Client::new(&url).expect("a client");
    let image = block_on(client.image_inspect("alpine")).expect("an image");
    assert_eq!((&image.container, &image.virtual_size), (&None, &None));
    let driver = image.graph_driver.as_ref().expect("a driver");
    assert_eq!((driver.name.as_str(), &driver.data), ("overlay2", &None));
    assert_eq!(image.repo_tags, None);
    let labels = image
        .config
        .as_ref()
        .and_then(|config| config.labels.as_ref());
    let labels: Vec<&String> = labels.expect("labels").keys().collect();
    assert_eq!(labels, ["a"]);
    let headers = image.documented_headers();
    assert_eq!(headers.x_experimental, Some(true));
    assert_eq!(headers.x_flags.as_deref(), Some(&[true, false, true][..]));
}

#[test]
fn a_closed_response_may_have_further_members() {
    let headers = "Content-Type: application/json\r\n";
    let body = r#"{"Id":"1","Warnings":[],"Added":{"x":1}}"#;
    let (url, _peer) = answering(&response("201 Created", headers, body));
    let client = Client::new(&url).expect("a client");
    let created = block_on(client.container_create(ContainerCreateBody::new()));
    assert_eq!(created.expect("a container").id, "1");
}

#[test]
fn the_responses_of_dockerd_are_read() {
    let (url, _peer) = answering(INSPECTED);
    let client = Client::new(&url).expect("a client");
    let image = block_on(client.image_inspect("small:1")).expect("an image");
    assert_eq!(
        image.repo_tags.as_deref(),
        Some(&["small:1".to_owned()][..])
    );
    let config = image.config.as_ref().expect("a configuration");
    assert_eq!((&config.env, &config.labels), (&None, &None));
    assert_eq!(config.cmd.as_deref(), Some(&["/hello".to_owned()][..]));
    // `"Data": null`, where the document requires `Data` and has no such property.
    let driver = image.graph_driver.as_ref().expect("a driver");
    assert_eq!(driver.name, "vfs");
    let (url, _peer) = answering(CREATED);
    let client = Client::new(&url).expect("a client");
    let created = block_on(client.container_create(ContainerCreateBody::new()));
    assert_eq!(created.expect("a container").id.len(), 64);
}
