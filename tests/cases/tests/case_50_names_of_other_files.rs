//! Schemas of other files have the names of their pointers, whatever refers to them first; a clash
//! gets the name of the file as a prefix.

bothends_case_tests::document!(api, "50-names-of-other-files");
bothends_case_tests::document!(twin, "names-of-clashing-files");

#[test]
fn types_are_called_as_their_pointers_say() {
    use api::types::{Currency, Line, Money, Order, Place, Receipt};
    let mut line = Line::new();
    line.price = Some(Money::new(5, Currency::Eur));
    line.place = Some(Place::new());
    let order = Order::new(vec![line]).total(Money::new(5, Currency::Usd));
    assert_eq!(
        serde_json::to_string(&order).expect("JSON"),
        r#"{"lines":[{"price":{"cents":5,"currency":"EUR"},"place":{}}],"total":{"cents":5,"currency":"USD"}}"#
    );
    let request = api::operations::AddRefundRequest::new(Money::new(1, Currency::Eur));
    assert_eq!(
        Receipt::new().paid(request.body).paid.expect("money").cents,
        1
    );
}

#[test]
fn a_clash_gets_the_name_of_the_file() {
    use twin::types::{BankMoney, Fee, Money, Pet, Prices, ShopFee, ShopMoney};
    let money = BankMoney::new().bank(1).fee(Fee::new().bank(2));
    assert_eq!(
        serde_json::to_string(&money).expect("JSON"),
        r#"{"bank":1,"fee":{"bank":2}}"#
    );
    let prices = Prices::new()
        .price(ShopMoney::new().shop(1))
        .fee(ShopFee::new().shop(2))
        .animal(Pet::new().name("a"));
    assert_eq!(
        serde_json::to_string(&prices).expect("JSON"),
        r#"{"price":{"shop":1},"fee":{"shop":2},"animal":{"name":"a"}}"#
    );
    assert_eq!(
        serde_json::to_string(&Money::new().own("o")).expect("JSON"),
        r#"{"own":"o"}"#
    );
}
