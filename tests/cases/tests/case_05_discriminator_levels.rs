//! Two levels of inheritance, each with a discriminator, of which the inner one is in an inline part
//! of an `allOf`; and the same in Swagger 2.0.

use api::types::{Car, Product};
use bothends_test_peers::serve;
use twin::types::{Machine, Pet};

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "05-discriminator-levels");
bothends_case_tests::document!(twin, "05-discriminator-levels-twin");

echo! { Echo of api:
    put_product PutProductRequest PutProductResponse PutProductError,
    put_car PutCarRequest PutCarResponse PutCarError,
}

echo! { Twin of twin:
    put_pet PutPetRequest PutPetResponse PutPetError,
    put_machine PutMachineRequest PutMachineResponse PutMachineError,
}

const BOOK: &str = r#"{"code":"BOOK","price":2,"pages":1}"#;
const EBOOK: &str = r#"{"code":"EBOOK","pages":1,"format":"x"}"#;
const CAR: &str = r#"{"code":"CAR","fuel":"volt","kwh":1.5}"#;

fn product(text: &str) -> Product {
    serde_json::from_str(text).expect("a product")
}

#[test]
fn the_value_of_each_level_selects_the_variant() {
    assert!(matches!(product(BOOK), Product::Book(book) if book.pages == 1));
    assert!(matches!(product(EBOOK), Product::EBook(book) if book.format.as_deref() == Some("x")));
    let car = product(CAR);
    assert!(
        matches!(&car, Product::Car(Car::ElectricCar(car)) if car.kwh == 1.5),
        "{car:?}"
    );
}

#[test]
fn values_of_both_levels_come_back_unchanged() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(to, "/products", &[BOOK, EBOOK, CAR]);
    returns(
        to,
        "/cars",
        &[CAR, r#"{"code":"CAR","fuel":"petrol","litres":2.5}"#],
    );
    rejects(to, "/products", &[r#"{"code":"EBOOK"}"#]);
    rejects(to, "/cars", &[r#"{"code":"CAR","fuel":"volt"}"#]);
}

#[test]
fn a_discriminator_in_a_part_means_the_same_as_beside_the_all_of() {
    let cat: Pet =
        serde_json::from_str(r#"{"name":"a","petType":"Cat","lives":9}"#).expect("a pet");
    assert!(matches!(cat, Pet::Cat(cat) if cat.lives == 9));
    let engine: Machine =
        serde_json::from_str(r#"{"kind":"Engine","power":1}"#).expect("a machine");
    assert!(matches!(engine, Machine::Engine(engine) if engine.power == 1));
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(
        to,
        "/pets",
        &[
            r#"{"name":"a","petType":"Cat","lives":9}"#,
            r#"{"name":"a","petType":"Dog","size":1}"#,
        ],
    );
    rejects(to, "/pets", &[r#"{"name":"a","petType":"Cat"}"#]);
    returns(to, "/machines", &[r#"{"kind":"Engine","power":1}"#]);
    rejects(to, "/machines", &[r#"{"kind":"Engine"}"#]);
}
