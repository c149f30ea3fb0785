//! Faults that only a sequence of requests shows: of what a response leads to, by links of the document.

use super::documented;
use bothends_runtime::server::{Context, Error, Router, serve};
use bothends_runtime::test::{Report, contract};
use bothends_tests::in_process::block_on;
use generated::client::Client;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/followed-links.rs"));
}

/// The planted faults.
pub(super) const FAULTS: &[&str] = &[
    // What is created.
    "a created order is not found",
    "Location is the path of no order",
    "the number of a created order is rejected",
    "another order is returned",
    "a cancelled order is still found",
    "an order cannot be cancelled",
    "an amended order is not found",
    "an amended order is another one",
    // Other objects.
    "the customer of an order is not found",
    "another customer is returned",
    "500 for the customer of an order",
    "the name of a customer is empty",
    // Lists and tasks.
    "an order of the list is not found",
    "the next page is rejected",
    "500 for the next page",
    "the orders of a customer are rejected",
    "a report is not found",
    "another report is returned",
    // Values of an earlier request.
    "500 for an order of five items",
    "a note of 20 characters is longer afterwards",
];

#[derive(Default)]
struct Stored {
    /// The orders that were created, those that were cancelled included.
    created: usize,
    orders: BTreeMap<String, Order>,
    customers: BTreeMap<String, String>,
    reports: u32,
}

/// The service with a fault.
#[derive(Clone)]
pub(super) struct Shop {
    stored: Arc<Mutex<Stored>>,
    fault: &'static str,
}

fn problem() -> Problem {
    Problem::new("failed".to_owned())
}

fn broken() -> std::io::Error {
    std::io::Error::other("the disk is full")
}

/// Returns an id that is drawn by no contract test.
fn id(prefix: &str, number: usize) -> String {
    format!(
        "{prefix}-{:08x}",
        (number as u32 + 1).wrapping_mul(0x9e37_79b9)
    )
}

impl Shop {
    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }
}

impl DefaultApi for Shop {
    async fn list_orders(
        &self,
        _: Context,
        request: ListOrdersRequest,
    ) -> Result<ListOrdersResponse, Error<ListOrdersError>> {
        let stored = self.stored.lock().expect("no panic");
        let has_cursor = |known: &BTreeMap<_, _>| {
            let cursor = request.cursor.as_ref();
            cursor.is_some_and(|cursor| known.contains_key(cursor))
        };
        if has_cursor(&stored.orders) && self.has("500 for the next page") {
            return Err(Error::internal(broken()));
        }
        let is_rejected = has_cursor(&stored.orders) && self.has("the next page is rejected")
            || request
                .customer
                .is_some_and(|id| stored.customers.contains_key(&id))
                && self.has("the orders of a customer are rejected");
        if is_rejected {
            return Err(ListOrdersError::BadRequest(problem()).into());
        }
        let mut orders: Vec<Order> = stored.orders.values().rev().take(2).cloned().collect();
        if self.has("an order of the list is not found")
            && let Some(first) = orders.first_mut()
        {
            first.number.push('x');
        }
        let next = orders.last().map(|order| order.number.clone());
        let mut page = Orders::new(orders);
        page.next = next;
        Ok(page.into())
    }

    async fn create_order(
        &self,
        _: Context,
        request: CreateOrderRequest,
    ) -> Result<CreateOrderResponse, Error<CreateOrderError>> {
        let mut stored = self.stored.lock().expect("no panic");
        let number = id("o", stored.created);
        stored.created += 1;
        let customer = id("c", stored.customers.len());
        let new = request.body;
        stored
            .customers
            .insert(customer.clone(), new.customer.clone());
        let customer = CustomerInit {
            id: customer,
            name: new.customer,
        };
        let mut order = Order::new(customer.into(), new.items, number.clone());
        order.note = new.note;
        if !self.has("a created order is not found") {
            stored.orders.insert(number.clone(), order.clone());
        }
        let is_elsewhere = self.has("Location is the path of no order");
        let number = if is_elsewhere { "none" } else { &number };
        let headers = CreateOrderResponseHeaders::new(format!("/order/{number}"));
        Ok(CreateOrderResponse::with_headers(order, headers))
    }

    async fn get_order(
        &self,
        _: Context,
        request: GetOrderRequest,
    ) -> Result<GetOrderResponse, Error<GetOrderError>> {
        let stored = self.stored.lock().expect("no panic");
        let order = stored.orders.get(&request.number).cloned();
        let mut order = order.ok_or_else(|| GetOrderError::NotFound(problem()))?;
        if self.has("the number of a created order is rejected") {
            return Err(GetOrderError::BadRequest(problem()).into());
        }
        if order.items.len() == 5 && self.has("500 for an order of five items") {
            return Err(Error::internal(broken()));
        }
        if let Some(note) = order.note.as_mut()
            && note.chars().count() == 20
            && self.has("a note of 20 characters is longer afterwards")
        {
            note.push('.');
        }
        if self.has("another order is returned") {
            order.number = id("o", stored.created);
        }
        Ok(order.into())
    }

    async fn amend_order(
        &self,
        _: Context,
        request: AmendOrderRequest,
    ) -> Result<AmendOrderResponse, Error<AmendOrderError>> {
        let mut stored = self.stored.lock().expect("no panic");
        let missing = || AmendOrderError::NotFound(problem());
        let order = stored.orders.get_mut(&request.number).ok_or_else(missing)?;
        order.note = Some(request.body.note);
        let mut order = order.clone();
        if self.has("an amended order is not found") {
            stored.orders.remove(&request.number);
        }
        if self.has("an amended order is another one") {
            order.number = id("o", stored.created);
        }
        Ok(order.into())
    }

    async fn cancel_order(
        &self,
        _: Context,
        request: CancelOrderRequest,
    ) -> Result<CancelOrderResponse, Error<CancelOrderError>> {
        let mut stored = self.stored.lock().expect("no panic");
        let is_there = stored.orders.contains_key(&request.number);
        if !is_there || self.has("an order cannot be cancelled") {
            return Err(CancelOrderError::NotFound(problem()).into());
        }
        if !self.has("a cancelled order is still found") {
            stored.orders.remove(&request.number);
        }
        Ok(().into())
    }

    async fn get_customer(
        &self,
        _: Context,
        request: GetCustomerRequest,
    ) -> Result<GetCustomerResponse, Error<GetCustomerError>> {
        let stored = self.stored.lock().expect("no panic");
        let known = stored.customers.get(&request.id);
        let known = known.filter(|_| !self.has("the customer of an order is not found"));
        let name = known.ok_or_else(|| GetCustomerError::NotFound(problem()))?;
        let is_empty = self.has("the name of a customer is empty");
        let name = if is_empty { "" } else { name };
        if self.has("500 for the customer of an order") {
            return Err(Error::internal(broken()));
        }
        let is_another = self.has("another customer is returned");
        let id = if is_another {
            id("c", stored.customers.len())
        } else {
            request.id
        };
        Ok(Customer::from(CustomerInit {
            id,
            name: name.to_owned(),
        })
        .into())
    }

    async fn start_report(
        &self,
        _: Context,
        _: StartReportRequest,
    ) -> Result<StartReportResponse, Error<bothends_runtime::NoError>> {
        let mut stored = self.stored.lock().expect("no panic");
        stored.reports += 1;
        let id = id("r", stored.reports as usize);
        let headers = StartReportResponseHeaders::new(format!("/reports/{id}"));
        Ok(StartReportResponse::with_headers((), headers))
    }

    async fn get_report(
        &self,
        _: Context,
        request: GetReportRequest,
    ) -> Result<GetReportResponse, Error<GetReportError>> {
        let stored = self.stored.lock().expect("no panic");
        let is_known = (1..=stored.reports).any(|number| id("r", number as usize) == request.id);
        if !is_known || self.has("a report is not found") {
            return Err(GetReportError::NotFound(problem()).into());
        }
        let id = if self.has("another report is returned") {
            id("r", 0)
        } else {
            request.id
        };
        let report = GetReportOkBodyInit {
            id,
            state: GetReportOkBodyState::Done,
        };
        Ok(GetReportOkBody::from(report).into())
    }
}

/// The router of the shop with a fault.
pub(super) fn served(fault: &'static str) -> Router<Shop> {
    let stored = Arc::default();
    documented(router(Shop { stored, fault }))
}

pub(super) fn run(fault: &'static str) -> Report {
    block_on(contract(served(fault)).cases(96).run())
}

#[test]
fn nothing_is_found_along_the_links_of_a_service_without_a_fault() {
    let report = run("none");
    report.assert();
    let text = report.to_string();
    assert!(text.contains("along 11 links"), "{text}");
    assert!(!text.contains("note:"), "{text}");
}

#[test]
fn each_fault_along_links_is_found() {
    let missed: Vec<&str> = (FAULTS.iter().copied())
        .filter(|fault| run(fault).findings().is_empty())
        .collect();
    assert!(missed.is_empty(), "these are not found: {missed:#?}");
}

/// Returns the only finding of a fault: its text, and the requests without their headers.
fn only(report: &Report) -> (String, Vec<String>) {
    let found = report.findings();
    assert_eq!(found.len(), 1, "{report}");
    let finding = &found[0];
    let sent = finding.as_curl().into_iter().map(|command| {
        let (request, headers) = command.split_once(" -H ").unwrap_or((&command, ""));
        let body = headers
            .split_once(" --data-raw ")
            .map_or("", |(_, body)| body);
        format!("{request} {body}").trim_end().to_owned()
    });
    let text = format!("{}: {}", finding.operation(), finding.fault());
    (text, sent.collect())
}

#[test]
fn a_sequence_is_reduced_to_the_steps_and_the_values_that_a_fault_needs() {
    let (text, sent) = only(&run("500 for an order of five items"));
    assert_eq!(
        text,
        "getOrder: the service failed with 500 Internal Server Error"
    );
    let [create, get] = sent.as_slice() else {
        panic!("{sent:#?}");
    };
    assert_eq!(
        create,
        r#"curl -X POST 'http://localhost/orders' '{"customer":"a","items":[1,1,1,1,1]}'"#
    );
    assert!(
        get.starts_with("curl -X GET 'http://localhost/order/o-"),
        "{get}"
    );

    let (text, sent) = only(&run("a note of 20 characters is longer afterwards"));
    assert!(
        text.ends_with("the body at /note has more than 20 characters"),
        "{text}"
    );
    // An order that is created with such a note would do as well; the first sequence amends one.
    assert!(sent.len() <= 3, "{sent:#?}");
    assert!(sent[0].contains(r#""items":[1]"#), "{sent:#?}");

    let report = run("a cancelled order is still found");
    let (text, sent) = only(&report);
    assert_eq!(text, "getOrder: what was deleted is still found: 200 OK");
    let methods: Vec<&str> = sent
        .iter()
        .filter_map(|sent| sent.split(' ').nth(2))
        .collect();
    assert_eq!(methods, ["POST", "DELETE", "GET"]);
    assert_eq!(sent[1].replace("DELETE", "GET"), sent[2]);
    let text = report.to_string();
    for label in [
        "1. createOrder\n",
        "2. cancelOrder, by the link `cancel` of 1\n",
    ] {
        assert!(text.contains(label), "{text}");
    }
}

#[test]
fn the_seed_reproduces_sequences() {
    let fault = "another customer is returned";
    let with = |seed| block_on(contract(served(fault)).cases(16).seed(seed).run()).to_string();
    assert_eq!(with(7), with(7));
    assert_ne!(with(7), with(8));
}

#[test]
fn links_are_followed_at_a_url() {
    let run = |fault| {
        block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0");
            let listener = listener.await.expect("a port");
            let port = listener.local_addr().expect("an address").port();
            let server = tokio::spawn(async move { serve(listener, served(fault)).await });
            let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
            let test = contract(served("none")).over(client.core().clone());
            let report = test.cases(32).run().await;
            server.abort();
            report
        })
    };
    run("none").assert();
    let report = run("another report is returned");
    let (text, sent) = only(&report);
    let object = "the object of the link `report` of `startReport`";
    assert_eq!(
        text,
        format!("getReport: another object is returned in place of {object}: `id` differs")
    );
    assert!(sent[1].contains("http://127.0.0.1:"), "{sent:#?}");
}
