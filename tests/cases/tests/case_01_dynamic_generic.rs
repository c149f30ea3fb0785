//! Generic types: a `$dynamicRef` is bound by the schema that refers to the generic one (JSON Schema
//! Core 2020-12, section 8.2.3.2).

use bothends_test_peers::serve;

use super::posting::{echo, posted, rejects, returns};

bothends_case_tests::document!(api, "01-dynamic-generic");
bothends_case_tests::document!(twin, "01-dynamic-generic-twin");

echo! { Twin of twin:
    put_folder PutFolderRequest PutFolderResponse PutFolderError,
    put_plain_folder PutPlainFolderRequest PutPlainFolderResponse PutPlainFolderError,
    put_numbers PutNumbersRequest PutNumbersResponse PutNumbersError,
    put_chain PutChainRequest PutChainResponse PutChainError,
}

struct Shop;

impl api::server::DefaultApi for Shop {
    async fn list_users(
        &self,
        _: bothends_runtime::server::Context,
        _: api::operations::ListUsersRequest,
    ) -> Result<
        api::operations::ListUsersResponse,
        bothends_runtime::server::Error<api::operations::ListUsersError>,
    > {
        let users = vec![api::types::User::new("a".to_owned())];
        Ok(api::types::UserPage::new(users, 1).into())
    }

    async fn import_users(
        &self,
        _: bothends_runtime::server::Context,
        request: api::operations::ImportUsersRequest,
    ) -> Result<
        api::operations::ImportUsersResponse,
        bothends_runtime::server::Error<api::operations::ImportUsersError>,
    > {
        let names = request.body.items.iter().map(|user| user.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["a"]);
        Ok(().into())
    }

    async fn import_orders(
        &self,
        _: bothends_runtime::server::Context,
        request: api::operations::ImportOrdersRequest,
    ) -> Result<
        api::operations::ImportOrdersResponse,
        bothends_runtime::server::Error<api::operations::ImportOrdersError>,
    > {
        let cents = request.body.items.iter().map(|order| order.cents);
        assert_eq!(cents.sum::<i64>(), 5);
        Ok(().into())
    }
}

#[test]
fn items_of_a_page_have_the_type_that_the_page_binds() {
    let to = serve(api::server::router(Shop).allow_unauthenticated());
    assert_eq!(
        posted(to, "/users", r#"{"total":1,"items":[{"name":"a"}]}"#).0,
        204
    );
    assert_eq!(
        posted(to, "/orders", r#"{"total":1,"items":[{"cents":5}]}"#).0,
        204
    );
    rejects(
        to,
        "/users",
        &[
            r#"{"total":1,"items":[{"name":1}]}"#,
            r#"{"total":1,"items":[{}]}"#,
        ],
    );
    rejects(to, "/orders", &[r#"{"total":1,"items":[{"name":"a"}]}"#]);
}

#[test]
fn a_schema_that_extends_a_recursive_one_contains_itself() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(
        to,
        "/folders",
        &[r#"{"title":"a","children":[{"title":"c","owner":"d"}],"owner":"b"}"#],
    );
    rejects(
        to,
        "/folders",
        &[r#"{"title":"a","owner":"b","children":[{"title":"c"}]}"#],
    );
    returns(
        to,
        "/plain",
        &[r#"{"title":"a","children":[{"title":"c"}]}"#],
    );
}

#[test]
fn a_list_and_a_generic_schema_inside_itself_are_bound() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(to, "/numbers", &["[1,2]"]);
    rejects(to, "/numbers", &[r#"["a"]"#]);
    returns(to, "/chain", &[r#"{"value":"a","next":{"value":"b"}}"#]);
    rejects(
        to,
        "/chain",
        &[
            r#"{"value":1}"#,
            r#"{"value":"a","next":{"value":1}}"#,
            r#"{"value":"a","next":{"value":""}}"#,
        ],
    );
}
