//! Objects and lists in forms and queries as names in brackets (`deepObject`).

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{
    ChargeBody, ChargeBodyItemsItem, ChargeBodyShip, ChargeBodyShipAddress, ChargeError,
    ChargeRequest, ChargeResponse, ListChargesError, ListChargesFilter, ListChargesFilterCreated,
    ListChargesRequest, ListChargesResponse, ListChargesSortsItem,
};
use api::server::{DefaultApi, router};
use bothends_runtime::Map;
use bothends_runtime::server::{Body, Context, Error};
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::{block_on, call};

bothends_case_tests::document!(api, "22-form-deep-objects");

#[derive(Default, Clone)]
struct Charges {
    charge: Arc<Mutex<Option<ChargeBody>>>,
    list: Arc<Mutex<Option<ListChargesRequest>>>,
}

impl DefaultApi for Charges {
    async fn charge(
        &self,
        _: Context,
        request: ChargeRequest,
    ) -> Result<ChargeResponse, Error<ChargeError>> {
        *self.charge.lock().expect("a lock") = Some(request.body);
        Ok(().into())
    }

    async fn list_charges(
        &self,
        _: Context,
        request: ListChargesRequest,
    ) -> Result<ListChargesResponse, Error<ListChargesError>> {
        *self.list.lock().expect("a lock") = Some(request);
        Ok(().into())
    }
}

fn charged(form: &str) -> ChargeBody {
    let charges = Charges::default();
    let request = http::Request::post("/charges")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .expect("a request");
    let (parts, body) = block_on(call(&router(charges.clone()), request));
    assert_eq!(parts.status, 204, "{form}: {body:?}");
    let charge = charges.charge.lock().expect("a lock").take();
    charge.expect("a charge")
}

fn listed(query: &str) -> ListChargesRequest {
    let charges = Charges::default();
    let request = http::Request::get(format!("/charges?{query}"))
        .body(Body::default())
        .expect("a request");
    let (parts, body) = block_on(call(&router(charges.clone()), request));
    assert_eq!(parts.status, 204, "{query}: {body:?}");
    let list = charges.list.lock().expect("a lock").take();
    list.expect("a request")
}

fn item(price: &str) -> ChargeBodyItemsItem {
    ChargeBodyItemsItem::new(price.to_owned())
}

/// A charge with everything that the document names.
fn full() -> ChargeBody {
    ChargeBody::new(5)
        .metadata(Map::from([("k".to_owned(), "v w".to_owned())]))
        .items(vec![
            item("p1")
                .quantity(2)
                .tags(["a".to_owned(), "b".to_owned()]),
            item("p2"),
        ])
        .expand(["customer".to_owned(), "invoice".to_owned()])
        .ship(
            ChargeBodyShip::new()
                .name("N")
                .address(ChargeBodyShipAddress::new().city("C")),
        )
}

#[test]
fn a_form_nests_by_names_in_brackets() {
    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    block_on(client.charge(full())).expect("a response");
    let request = peer.join().expect("a request");
    let (_, form) = request.split_once("\r\n\r\n").expect("a body");
    let form = form.replace("%5B", "[").replace("%5D", "]");
    assert_eq!(
        form,
        "amount=5&metadata[k]=v%20w&items[0][price]=p1&items[0][quantity]=2&items[0][tags][]=a\
         &items[0][tags][]=b&items[1][price]=p2&expand[]=customer&expand[]=invoice&ship[name]=N\
         &ship[address][city]=C"
    );
    assert_eq!(charged(&form), full());
}

#[test]
fn forms_of_other_libraries_are_read() {
    // stripe-python and stripe-node number the items of every list; spaces are pluses.
    let stripe = "amount=5&metadata[k]=v+w&items[0][price]=p1&items[0][quantity]=2&items[0][tags][0]=a\
                  &items[0][tags][1]=b&items[1][price]=p2&expand[0]=customer&expand[1]=invoice&ship[name]=N\
                  &ship[address][city]=C";
    assert_eq!(charged(stripe), full());
    // Rack and Rails: empty brackets, and a repeated name begins the next item.
    let rack = "amount=5&items[][price]=p1&items[][quantity]=2&items[][price]=p2&items[][quantity]=3&items[][price]=p3";
    let items = charged(rack).items.expect("items");
    let expected = [item("p1").quantity(2), item("p2").quantity(3), item("p3")];
    assert_eq!(items, expected);
    let encoded = rack.replace('[', "%5B").replace(']', "%5D");
    assert_eq!(charged(&encoded).items.expect("items"), expected);
    // PHP and jQuery: one property for each item.
    let php = "amount=5&items[][price]=p1&items[][price]=p2";
    assert_eq!(charged(php).items.expect("items"), [item("p1"), item("p2")]);
    let tags = "amount=5&items[][price]=p1&items[][tags][]=a&items[][price]=p2&items[][tags][]=b";
    let expected = [
        item("p1").tags(["a".to_owned()]),
        item("p2").tags(["b".to_owned()]),
    ];
    assert_eq!(charged(tags).items.expect("items"), expected);
    // Repeated names are a list too.
    let tags = "amount=5&items[0][price]=p1&items[0][tags]=a&items[0][tags]=b&expand=x&expand=y";
    let charge = charged(tags);
    let expected = [item("p1").tags(["a".to_owned(), "b".to_owned()])];
    assert_eq!(charge.items.expect("items"), expected);
    assert_eq!(charge.expand.expect("a list"), ["x", "y"]);
}

#[test]
fn a_query_nests_by_names_in_brackets() {
    let created = ListChargesFilterCreated::new().gte(1).lt(9);
    let filter = ListChargesFilter::new()
        .created(created)
        .status(["paid".to_owned(), "open".to_owned()]);
    let sorts = [
        ListChargesSortsItem::new().by("a").desc(true),
        ListChargesSortsItem::new().by("b"),
    ];
    let sent = ListChargesRequest::new()
        .filter(filter)
        .sorts(sorts.to_vec());
    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    block_on(client.list_charges_with(sent.clone())).expect("a response");
    let request = peer
        .join()
        .expect("a request")
        .replace("%5B", "[")
        .replace("%5D", "]");
    let query = "filter[created][gte]=1&filter[created][lt]=9&filter[status][]=paid&filter[status][]=open\
                 &sorts[0][by]=a&sorts[0][desc]=true&sorts[1][by]=b";
    assert!(
        request.starts_with(&format!("GET /charges?{query} HTTP/1.1\r\n")),
        "{request}"
    );
    for query in [
        query,
        "filter[created][gte]=1&filter[created][lt]=9&filter[status][0]=paid&filter[status][1]=open\
         &sorts[][by]=a&sorts[][desc]=true&sorts[][by]=b",
        "sorts[1][by]=b&sorts[0][by]=a&sorts[0][desc]=true&filter[status]=paid&filter[status]=open\
         &filter[created][lt]=9&filter[created][gte]=1",
    ] {
        let encoded = query.replace('[', "%5B").replace(']', "%5D");
        assert_eq!(listed(&encoded), sent, "{query}");
    }
}

#[test]
fn an_invalid_item_is_reported_at_its_place() {
    let form =
        "amount=x&items[][price]=p1&items[][quantity]=2&items[][price]=p2&items[][quantity]=y";
    let request = http::Request::post("/charges")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form))
        .expect("a request");
    let (parts, body) = block_on(call(&router(Charges::default()), request));
    let body = String::from_utf8_lossy(&body).into_owned();
    assert_eq!(parts.status, 400, "{body}");
    assert!(
        body.contains("items[1].quantity") && body.contains("amount"),
        "{body}"
    );
}
