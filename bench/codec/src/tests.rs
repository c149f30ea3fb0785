use super::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
    pub note: Option<Option<String>>,
    pub owner: Option<Owner>,
    pub owners: Option<Vec<Owner>>,
    pub extra: codec::Map<String>,
}
object! { Pet { "id" => id where [minimum(1)], "tag" => tag? where [max_length(3)], "note" => note?, "owner" => owner?, "owners" => owners?, ..extra } }
#[derive(Debug, Clone, PartialEq)]
pub struct Shut {
    pub id: i64,
}
object! { Shut closed { "id" => id } }

fn errors<T: Value + std::fmt::Debug>(json: &str) -> Vec<String> {
    let policy = Policy {
        is_strict: true,
        null_as_absent: false,
    };
    codec::from_str::<T>(json, policy)
        .expect_err("invalid")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn deviations_are_reported_with_their_places() {
    let pet: Pet = codec::from_str(
        r#" { "note" : null , "x":"\u00e4\n", "id": 1.0 } "#,
        Policy::default(),
    )
    .unwrap();
    assert_eq!(pet.note, Some(None));
    assert_eq!(text(&pet), r#"{"id":1,"note":null,"x":"ä\n"}"#);
    assert_eq!(
        errors::<Pet>(r#"{"tag":null}"#),
        ["/tag: must not be null", "/id: is required"]
    );
    assert_eq!(
        errors::<Pet>(
            r#"{"tag":"abcd","id":0,"owners":[{"first":1},{"first":"a","last":"b"},{}]}"#
        ),
        [
            "/owners/0/first: must be a string",
            "/owners/0/last: is required",
            "/owners/2/first: is required",
            "/owners/2/last: is required",
            "/id: must be at least 1",
            "/tag: must have at most 3 characters"
        ]
    );
    assert_eq!(
        errors::<Pet>(r#"{"id":1,"id":2}"#),
        ["/id: is given more than once"]
    );
    assert_eq!(
        errors::<Shut>(r#"{"id":1,"x":2}"#),
        ["/x: is not known here"]
    );
    assert_eq!(
        errors::<Shut>(r#"{"id":1.5}"#),
        ["/id: must be an integer in range"]
    );
    assert_eq!(errors::<Shut>(r#"{"id":"#).len(), 1);
    assert_eq!(
        errors::<Shut>(&format!("{{\"y\":{}", "[".repeat(200))).len(),
        2
    );
}

struct Any;
impl Value for Any {
    fn read(reader: &mut codec::Reader<'_>) -> Result<Self, codec::Failed> {
        reader.ignore().map(|()| Self)
    }
    fn write(&self, _: &mut codec::Writer) -> Result<(), codec::Failed> {
        Ok(())
    }
}

#[test]
fn acceptance_is_that_of_serde_json() {
    let seeds = [
        values::object(),
        r#"[1,-0.5e+3,"a\u00e9\ud83d\ude00\n",{"":[]},null,true,false, {} ]"#.to_owned(),
    ];
    let mut numbers = values::Numbers::new();
    for round in 0..200_000 {
        let mut bytes = seeds[round % 2].clone().into_bytes();
        for _ in 0..=numbers.below(2) {
            let at = numbers.below(bytes.len() as u64) as usize;
            let with = b"{}[]\",:\\ue0.-+ \n1tfn\x01\xc3"[numbers.below(22) as usize];
            match numbers.below(3) {
                0 => bytes[at] = with,
                1 => bytes.insert(at, with),
                _ => drop(bytes.remove(at)),
            }
        }
        let theirs = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        let ours = codec::from_slice::<Any>(&bytes, Policy::default()).is_ok();
        assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(&bytes));
        let read = codec::from_slice::<Account>(&bytes, Policy::default()).ok();
        assert_eq!(read, serde_json::from_slice::<Account>(&bytes).ok());
    }
}

#[derive(Debug, serde::Deserialize)]
#[allow(dead_code)]
struct Derived {
    id: i64,
    name: String,
    status: String,
    balance: f64,
    active: bool,
    opened_at: String,
    tags: Vec<String>,
    owner: BTreeMap<String, String>,
    note: Option<String>,
    branch: Option<i32>,
}

#[test]
fn values_are_those_of_derived_types() {
    let read: Vec<Account> =
        codec::from_slice(values::array().as_bytes(), Policy::default()).expect("valid");
    for json in [
        values::array().into_bytes(),
        codec::to_vec(&read).expect("written"),
    ] {
        let derived: Vec<Derived> = serde_json::from_slice(&json).expect("valid");
        assert_eq!(derived.len(), read.len());
        for (one, other) in read.iter().zip(derived) {
            assert_eq!(
                (
                    one.id,
                    &one.name,
                    one.balance,
                    one.active,
                    &one.opened_at,
                    &one.tags,
                    &one.note,
                    one.branch
                ),
                (
                    other.id,
                    &other.name,
                    other.balance,
                    other.active,
                    &other.opened_at,
                    &other.tags,
                    &other.note,
                    other.branch
                )
            );
            assert_eq!(
                (format!("{:?}", one.status).to_lowercase(), &one.owner.first),
                (other.status, &other.owner["first"])
            );
        }
    }
}
