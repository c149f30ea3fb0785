//! Tags that begin with `@` and values that begin with `#`, as OData has them.

use api::client::Client;
use api::operations::{
    AddMemberError, AddMemberRequest, AddMemberResponse, ListMembersError, ListMembersRequest,
    ListMembersResponse, MembersPhotoGetContentError, MembersPhotoGetContentRequest,
    MembersPhotoGetContentResponse,
};
use api::server::{DefaultApi, router};
use api::types::{Member, Page};
use bothends_runtime::Nullable;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, post, response, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "16-odata-tags");

struct Directory;

impl DefaultApi for Directory {
    async fn list_members(
        &self,
        _: Context,
        _: ListMembersRequest,
    ) -> Result<ListMembersResponse, Error<ListMembersError>> {
        Ok(Page::new().into())
    }

    async fn add_member(
        &self,
        _: Context,
        request: AddMemberRequest,
    ) -> Result<AddMemberResponse, Error<AddMemberError>> {
        assert!(
            matches!(request.body, Member::GraphUser(_)),
            "{:?}",
            request.body
        );
        Ok(().into())
    }

    async fn members_photo_get_content(
        &self,
        _: Context,
        _: MembersPhotoGetContentRequest,
    ) -> Result<MembersPhotoGetContentResponse, Error<MembersPhotoGetContentError>> {
        Ok(bothends_runtime::ByteStream::from(Vec::new()).into())
    }
}

#[test]
fn a_member_is_chosen_by_its_tag() {
    let to = serve(router(Directory).allow_unauthenticated());
    let body = r##"{"@odata.type":"#graph.user","mail":null}"##;
    let headers = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/members", &headers, body);
    assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
}

#[test]
fn a_page_comes_back_unchanged_with_an_unknown_member() {
    let sent = r##"{"value":[{"@odata.type":"#graph.user","mail":null},{"@odata.type":"#graph.device","x":1}],"@odata.nextLink":null}"##;
    let (url, _peer) = answering(&response(
        "200 OK",
        "Content-Type: application/json\r\n",
        sent,
    ));
    let client = Client::new(&url).expect("a client");
    let page = block_on(client.list_members()).expect("a page");
    let members = page.value.as_ref().expect("members");
    let [Member::GraphUser(user), Member::Unrecognized(_)] = members.as_slice() else {
        panic!("{members:?}");
    };
    assert_eq!(user.mail, Nullable::Null);
    let written = serde_json::to_string(&*page).expect("JSON");
    assert_eq!(written, sent);
}

#[test]
fn names_with_a_dollar_go_out_as_they_are() {
    let (url, peer) = answering(&response(
        "200 OK",
        "Content-Type: application/json\r\n",
        "{}",
    ));
    let client = Client::new(&url).expect("a client");
    let request = ListMembersRequest::new()
        .filter("id eq 1")
        .top(2)
        .orderby(["a".to_owned(), "b".to_owned()]);
    block_on(client.list_members_with(request)).expect("a page");
    let request = peer.join().expect("a request").replace("%24", "$");
    assert!(
        request.starts_with("GET /members?$filter=id%20eq%201&$top=2&$orderby=a,b HTTP/1.1\r\n"),
        "{request}"
    );
    let (url, peer) = answering(&response(
        "206 Partial Content",
        "Content-Type: application/octet-stream\r\n",
        "x",
    ));
    let client = Client::new(&url).expect("a client");
    block_on(client.members_photo_get_content("1")).expect("a photo");
    let request = peer.join().expect("a request").replace("%24", "$");
    assert!(
        request.starts_with("GET /members/1/photo/$value HTTP/1.1\r\n"),
        "{request}"
    );
}
