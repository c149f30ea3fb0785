//! Bases that list the schemas which extend them, by the bytes that travel.

use bothends_runtime::Validate as _;
use generated::types::{Cat, Change, Event, Pet, Quantity};
use serde_json::{Value, from_str, json, to_value};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/polymorphism.rs"));
}

#[test]
fn a_cat_is_read_through_its_base_and_written_as_it_came() {
    let text = r#"{"petType":"cat","name":"Tom","lives":7}"#;
    let pet: Pet = from_str(text).expect("a pet");
    let Pet::Cat(cat) = &pet else {
        unreachable!("no cat: {pet:?}");
    };
    assert_eq!((cat.name.as_str(), cat.lives), ("Tom", Some(7)));
    let sent: Value = from_str(text).expect("JSON");
    assert_eq!(to_value(&pet).expect("JSON"), sent);
    // By itself it is the same object.
    assert_eq!(from_str::<Cat>(text).expect("a cat"), *cat);
    assert_eq!(to_value(cat).expect("JSON"), sent);
}

#[test]
fn what_the_base_requires_is_required_of_each() {
    for text in [
        r#"{"petType":"cat","lives":7}"#,
        r#"{"petType":"fish"}"#,
        r#"{"petType":"dog","name":"Rex"}"#,
    ] {
        assert!(from_str::<Pet>(text).is_err(), "{text}");
    }
    let fish: Pet = from_str(r#"{"petType":"fish","name":"Nemo"}"#).expect("a fish");
    assert!(matches!(&fish, Pet::Fish(fish) if fish.name == "Nemo"));
    // A kind that is not listed is kept, and no request may have it.
    let bird = r#"{"petType":"bird","name":"Tweety"}"#;
    let bird: Pet = from_str(bird).expect("a pet");
    assert!(matches!(&bird, Pet::Unrecognized(value) if value.as_json()["name"] == "Tweety"));
    let error = bird.validate().expect_err("no pet that is listed");
    assert_eq!(
        error.to_string(),
        "petType: is not one of the listed values"
    );
}

#[test]
fn pets_hold_pets() {
    let text = r#"{"petType":"dog","name":"Rex","bark":"wuff",
        "enemy":{"petType":"cat","name":"Tom"},
        "friends":[{"petType":"dog","name":"Bo","bark":"wau"},{"petType":"fish","name":"Nemo"}]}"#;
    let pet: Pet = from_str(text).expect("a dog");
    let Pet::Dog(dog) = &pet else {
        unreachable!("no dog: {pet:?}");
    };
    let friends = dog.friends.as_deref().expect("friends");
    assert!(matches!(friends, [Pet::Dog(_), Pet::Fish(_)]));
    let sent: Value = from_str(text).expect("JSON");
    assert_eq!(to_value(&pet).expect("JSON"), sent);
}

#[test]
fn without_a_discriminator_the_keys_tell() {
    let read = |value: Value| serde_json::from_value::<Event>(value);
    let created = json!({"at": 1, "author": "ann", "content": "x"});
    let event = read(created.clone()).expect("an event");
    let change = |event: &Event| event.change.clone();
    assert!(matches!(change(&event), Some(Change::Created(creation)) if creation.author == "ann"));
    assert!(event.ping.is_none());
    assert_eq!(to_value(&event).expect("JSON"), created);
    let deleted = read(json!({"at": 1, "author": "ann", "reason": "x"})).expect("an event");
    assert!(matches!(change(&deleted), Some(Change::Deleted(_))));
    let ping = read(json!({"at": 1, "ping": true})).expect("an event");
    assert!(ping.ping.is_some() && ping.change.is_none());
    // Both at once are both, and nothing of either is lost.
    let both = json!({"at": 1, "author": "ann", "content": "x", "ping": true});
    let event = read(both.clone()).expect("an event");
    assert!(event.ping.is_some() && event.change.is_some());
    assert_eq!(to_value(&event).expect("JSON"), both);
    // What stands around both lists is required.
    assert!(read(json!({"at": 1, "content": "x"})).is_err());
    assert!(read(json!({"ping": true})).is_err());
}

#[test]
fn alternatives_of_one_another_take_what_either_lists() {
    for value in [json!("a"), json!(5)] {
        let quantity: Quantity = serde_json::from_value(value.clone()).expect("either");
        assert_eq!(to_value(&quantity).expect("JSON"), value);
    }
    assert!(from_str::<Quantity>("true").is_err());
}
