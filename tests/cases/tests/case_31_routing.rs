//! Paths that overlap: texts come before variables (OpenAPI 3.0.3, "Path Templating Matching"), a variable may share
//! its segment with text, and an escaped slash does not end a segment.

use api::client::Client;
use api::operations::*;
use api::server::{DefaultApi, router};
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "31-routing");

struct Service;

impl DefaultApi for Service {
    async fn get_user(
        &self,
        _: Context,
        request: GetUserRequest,
    ) -> Result<GetUserResponse, Error<GetUserError>> {
        Ok(format!("getUser {}", request.id).into())
    }

    async fn delete_user(
        &self,
        _: Context,
        request: DeleteUserRequest,
    ) -> Result<DeleteUserResponse, Error<DeleteUserError>> {
        Ok(format!("deleteUser {}", request.id).into())
    }

    async fn get_me(
        &self,
        _: Context,
        _: GetMeRequest,
    ) -> Result<GetMeResponse, Error<GetMeError>> {
        Ok("getMe".to_owned().into())
    }

    async fn get_post(
        &self,
        _: Context,
        request: GetPostRequest,
    ) -> Result<GetPostResponse, Error<GetPostError>> {
        Ok(format!("getPost {} {}", request.id, request.post).into())
    }

    async fn get_latest(
        &self,
        _: Context,
        request: GetLatestRequest,
    ) -> Result<GetLatestResponse, Error<GetLatestError>> {
        Ok(format!("getLatest {}", request.name).into())
    }

    async fn activate_user(
        &self,
        _: Context,
        request: ActivateUserRequest,
    ) -> Result<ActivateUserResponse, Error<ActivateUserError>> {
        Ok(format!("activateUser {}", request.id).into())
    }

    async fn export(
        &self,
        _: Context,
        request: ExportRequest,
    ) -> Result<ExportResponse, Error<ExportError>> {
        Ok(format!("export {}", request.format).into())
    }

    async fn add_user(
        &self,
        _: Context,
        _: AddUserRequest,
    ) -> Result<AddUserResponse, Error<AddUserError>> {
        Ok("addUser".to_owned().into())
    }

    async fn list_users(
        &self,
        _: Context,
        _: ListUsersRequest,
    ) -> Result<ListUsersResponse, Error<ListUsersError>> {
        Ok("listUsers".to_owned().into())
    }
}

#[test]
fn each_path_has_its_operation() {
    let to = serve(router(Service));
    for (line, expected) in [
        ("GET /users/me", "getMe"),
        ("GET /users/m", "getUser m"),
        ("GET /users/me%20", "getUser me "),
        ("GET /users/a%2Fb", "getUser a/b"),
        ("GET /users/a%2Fposts%2F1", "getUser a/posts/1"),
        ("GET /users/%6De", "getMe"),
        ("DELETE /users/1", "deleteUser 1"),
        ("GET /users/1/posts/2", "getPost 1 2"),
        ("GET /users/1/posts/latest", "getLatest 1"),
        ("GET /users/me/posts/latest", "getLatest me"),
        ("POST /users/x:activate", "activateUser x"),
        ("POST /users/x:y:activate", "activateUser x:y"),
        ("GET /export.csv", "export csv"),
        ("POST /users/", "addUser"),
        ("GET /users", "listUsers"),
    ] {
        let answer = send(to, &format!("{line} HTTP/1.1\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{line}: {answer}");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        assert_eq!(body, expected, "{line}");
    }
}

#[test]
fn what_no_operation_has_is_refused() {
    let to = serve(router(Service));
    for (line, status) in [
        ("POST /users", 405),
        ("GET /users/", 405),
        ("DELETE /users/me", 405),
        ("POST /users/x", 405),
        ("GET /users/x:activate", 405),
        ("GET /users/1/posts/first", 400),
        ("GET /export.xml", 400),
        ("GET /users/1/posts", 404),
        ("GET /users/1/", 404),
        ("GET //users/1", 404),
    ] {
        let answer = send(to, &format!("{line} HTTP/1.1\r\n\r\n"));
        let begin = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&begin), "{line}: {answer}");
    }
}

#[test]
fn a_client_escapes_what_ends_a_segment() {
    for (id, path) in [
        ("a/b", "/users/a%2Fb"),
        ("me?x#y", "/users/me%3Fx%23y"),
        ("%2F", "/users/%252F"),
    ] {
        let (url, peer) = answering(&response("200 OK", "Content-Type: text/plain\r\n", "ok"));
        let client = Client::new(&url).expect("a client");
        block_on(client.get_user(id)).expect("a response");
        let request = peer.join().expect("a request");
        let line = format!("GET {path} HTTP/1.1\r\n");
        assert!(request.starts_with(&line), "{request}");
    }
}
