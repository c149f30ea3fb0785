#![allow(dead_code)]
mod orders;
mod parcels;

use bothends_runtime::server::{Body, Context, Error};
use common_api::types::{Amount, Currency, Reading, Weight};
use orders::operations::*;
use orders::types::Order;
use parcels::operations::{PutParcelError, PutParcelRequest, PutParcelResponse};
use parcels::types::Parcel;
use tower_service::Service as _;

struct Shop;

impl orders::server::DefaultApi for Shop {
    async fn put_order(
        &self,
        _: Context,
        request: PutOrderRequest,
    ) -> Result<PutOrderResponse, Error<PutOrderError>> {
        if request.currency == Some(Currency::UsDollar) {
            let problem = orders::types::ProblemBody::new("euros only".to_owned());
            return Err(PutOrderError::Conflict(problem).into());
        }
        Ok(PutOrderResponse::new(request.body))
    }

    async fn put_money(
        &self,
        _: Context,
        request: PutMoneyRequest,
    ) -> Result<PutMoneyResponse, Error<PutMoneyError>> {
        let money: Amount = request.body;
        Ok(PutMoneyResponse::new(money))
    }

    async fn send_money(
        &self,
        _: Context,
        request: SendMoneyRequest,
    ) -> Result<SendMoneyResponse, Error<SendMoneyError>> {
        let _: Amount = request.body.money;
        Ok(SendMoneyResponse::new(()))
    }

    async fn list_readings(
        &self,
        _: Context,
        _: ListReadingsRequest,
    ) -> Result<ListReadingsResponse, Error<ListReadingsError>> {
        let readings = [Reading::new(1), Reading::new(2)];
        let items = bothends_runtime::Streamed::from_items(readings);
        Ok(ListReadingsResponse::new(items))
    }
}

struct Depot;

impl parcels::server::DefaultApi for Depot {
    async fn put_parcel(
        &self,
        _: Context,
        request: PutParcelRequest,
    ) -> Result<PutParcelResponse, Error<PutParcelError>> {
        Ok(PutParcelResponse::new(request.body))
    }
}

struct Ask(tokio::runtime::Runtime);

impl Ask {
    /// Sends bytes, and returns the status and the body.
    fn send(&self, call: &str, media: &str, body: &str) -> (u16, String) {
        let (method, path) = call.split_once(' ').unwrap();
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", media)
            .body(Body::from(body.to_owned()))
            .unwrap();
        self.0.block_on(async {
            let response = match path.starts_with("/parcels") {
                true => {
                    let mut router = parcels::server::router(Depot).allow_unauthenticated();
                    router.call(request).await.unwrap()
                }
                false => {
                    let mut router = orders::server::router(Shop).allow_unauthenticated();
                    router.call(request).await.unwrap()
                }
            };
            let status = response.status().as_u16();
            let body = response.into_body().collect(1 << 20).await.unwrap();
            (status, String::from_utf8(body.to_vec()).unwrap())
        })
    }

    /// Sends JSON that is returned as it is.
    fn same(&self, call: &str, body: &str) {
        assert_eq!(
            self.send(call, "application/json", body),
            (200, body.to_owned())
        );
    }

    /// Sends JSON that is rejected: the field and the text of each error.
    fn rejected(&self, call: &str, body: &str, fields: &[(&str, &str)]) {
        let (status, text) = self.send(call, "application/json", body);
        assert_eq!(status, 400, "{body}: {text}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors = json["errors"].as_object().cloned().unwrap_or_default();
        let mut found: Vec<(&str, &str)> = errors
            .iter()
            .map(|(field, text)| (field.as_str(), text.as_str().unwrap_or_default()))
            .collect();
        found.sort();
        assert_eq!(found, fields, "{body}: {text}");
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let ask = Ask(runtime);

    // A value of one document is a value of the other, and of the crate of the third.
    let text = r#"{"total":{"cents":5,"currency":"EUR"},"lines":["ABC"]}"#;
    let order: Order = serde_json::from_str(text).unwrap();
    let total: Amount = order.total;
    assert_eq!((total.minor, &total.currency), (5, &Currency::Euro));
    let parcel = Parcel::new(total, Weight::Light);
    assert_eq!(parcel.currency_or_default(), Currency::Euro);

    // Values of all places survive.
    let money = r#"{"cents":5,"currency":"EUR","origin":{"bank":"b"}}"#;
    ask.same("PUT /money", money);
    ask.same(
        "POST /parcels",
        r#"{"insured":{"cents":5,"currency":"EUR"},"weight":"light","currency":"USD","money":"m"}"#,
    );
    let order = r#"{"total":{"cents":5,"currency":"EUR"},"discount":null,"lines":["ABC"],"payment":{"by":"card","number":"1"},"level":2,"event":{"kind":"placed","at":"now"},"taxed":{"cents":1,"currency":"EUR","percent":9},"tree":{"name":"a","children":[{"name":"b"}]},"pair":[1,{"cents":1,"currency":"USD"}],"more":{"cents":7,"currency":"EUR"}}"#;
    ask.same("POST /orders/ABC?currency=EUR&region=eu", order);
    ask.same("POST /orders/ABC", r#"{"total":{"cents":5,"currency":"EUR"},"discount":{"cents":1,"currency":"EUR"},"lines":[],"payment":{"by":"cash"},"event":{"kind":"cancelled","refund":{"cents":1,"currency":"EUR"}}}"#);
    let (status, problem) = ask.send("POST /orders/ABC?currency=USD", "application/json", text);
    assert_eq!((status, &*problem), (409, r#"{"reason":"euros only"}"#));
    let readings = ask.send("GET /readings", "application/json", "");
    assert_eq!(readings, (200, "{\"value\":1}\n{\"value\":2}\n".to_owned()));
    let part = "--b\r\ncontent-disposition: form-data; name=\"money\"\r\ncontent-type: application/json\r\n\r\nMONEY\r\n--b--\r\n";
    let form = "multipart/form-data; boundary=b";
    let sent = ask.send(
        "POST /money",
        form,
        &part.replace("MONEY", r#"{"cents":1,"currency":"EUR"}"#),
    );
    assert_eq!(sent.0, 204, "{}", sent.1);
    let sent = ask.send(
        "POST /money",
        form,
        &part.replace("MONEY", r#"{"cents":-1,"currency":"EUR"}"#),
    );
    assert_eq!(sent.0, 400, "{}", sent.1);

    // The tables of the other crate check every place.
    let less = "is less than 0";
    ask.rejected(
        "PUT /money",
        r#"{"cents":1,"currency":"GBP"}"#,
        &[("currency", "is not one of the listed values")],
    );
    ask.rejected(
        "PUT /money",
        r#"{"cents":-1,"currency":"EUR"}"#,
        &[("cents", less)],
    );
    ask.rejected(
        "POST /parcels",
        r#"{"insured":{"cents":-1,"currency":"EUR"},"weight":"none"}"#,
        &[
            ("insured.cents", less),
            ("weight", "must be one of `light`, `heavy`"),
        ],
    );
    ask.rejected(
        "POST /orders/abc",
        r#"{"total":{"cents":-1,"currency":"EUR"},"discount":{"cents":-2,"currency":"EUR"},"lines":["ABC","x"],"payment":{"by":"card","number":"x"},"event":{"kind":"placed","at":"too late"},"taxed":{"cents":-1,"currency":"EUR","percent":9},"tree":{"name":"a","children":[{"name":"long"}]},"more":{"cents":-3,"currency":"EUR"}}"#,
        &[
            ("discount.cents", less),
            ("event.at", "has more than 5 characters"),
            ("lines[1]", "does not match `^[A-Z]{3}$`"),
            ("more.cents", less),
            ("payment.number", "does not match `^[0-9]+$`"),
            ("sku", "does not match `^[A-Z]{3}$`"),
            ("taxed.cents", less),
            ("total.cents", less),
            ("tree.children[0].name", "has more than 3 characters"),
        ],
    );
}
