//! The cases `decode-object`, `encode-object`, `decode-array` and `encode-array` of `bench/runtime` on the prototype,
//! and reading by serde: as JSON text (`border`) and through a tree (`tree`).

use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Case, Prepare, case};
use bench_inputs::values;
use codec::{Policy, Value, object};
use std::borrow::Cow;
use std::hint::black_box;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Status {
    Active,
    Frozen,
    Closed,
}
impl Value for Status {
    fn read(reader: &mut codec::Reader<'_>) -> Result<Self, codec::Failed> {
        let text: Cow<'_, str> = reader.str()?;
        match &*text {
            "active" => Ok(Self::Active),
            "frozen" => Ok(Self::Frozen),
            "closed" => Ok(Self::Closed),
            _ => Err(reader.fail("must be one of `active`, `frozen`, `closed`")),
        }
    }
    fn write(&self, writer: &mut codec::Writer) -> Result<(), codec::Failed> {
        writer.text(match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
            Self::Closed => "closed",
        });
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Owner {
    pub first: String,
    pub last: String,
}
object! { Owner { "first" => first, "last" => last } }

#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    pub id: i64,
    pub name: String,
    pub status: Status,
    pub balance: f64,
    pub active: bool,
    pub opened_at: String,
    pub tags: Vec<String>,
    pub owner: Owner,
    pub note: Option<String>,
    pub branch: Option<i32>,
}
object! {
    Account {
        "id" => id,
        "name" => name,
        "status" => status,
        "balance" => balance,
        "active" => active,
        "opened_at" => opened_at,
        "tags" => tags,
        "owner" => owner,
        "note" => note?,
        "branch" => branch?,
    }
}

fn text(value: &impl Value) -> String {
    String::from_utf8(codec::to_vec(value).expect("written")).expect("text")
}

fn decode<T: Value>(json: String) -> Box<dyn Case> {
    let read = |json: &str| -> T {
        codec::from_slice(black_box(json.as_bytes()), Policy::default()).expect("valid")
    };
    let shown = json.clone();
    case(
        move || text(&read(&shown)),
        move || drop(black_box(read(&json))),
    )
}

fn border<T: Value + serde::de::DeserializeOwned>(json: String) -> Box<dyn Case> {
    let read =
        |json: &str| -> T { serde_json::from_slice(black_box(json.as_bytes())).expect("valid") };
    let shown = json.clone();
    case(
        move || text(&read(&shown)),
        move || drop(black_box(read(&json))),
    )
}

fn tree<T: Value>(json: String) -> Box<dyn Case> {
    let read = |json: &str| -> T {
        codec::by_tree(&mut serde_json::Deserializer::from_slice(black_box(
            json.as_bytes(),
        )))
        .expect("valid")
    };
    let shown = json.clone();
    case(
        move || text(&read(&shown)),
        move || drop(black_box(read(&json))),
    )
}

fn encode<T: Value + 'static>(json: String) -> Box<dyn Case> {
    let value: T = codec::from_str(&json, Policy::default()).expect("valid");
    let shown = text(&value);
    let write = move || codec::to_vec(black_box(&value)).expect("written");
    case(move || shown.clone(), move || drop(black_box(write())))
}

const CASES: &[(&str, Prepare)] = &[
    ("decode-object", |_| decode::<Account>(values::object())),
    ("decode-array", |_| decode::<Vec<Account>>(values::array())),
    ("encode-object", |_| encode::<Account>(values::object())),
    ("encode-array", |_| encode::<Vec<Account>>(values::array())),
    ("tree-object", |_| tree::<Account>(values::object())),
    ("border-array", |_| border::<Vec<Account>>(values::array())),
    ("tree-array", |_| tree::<Vec<Account>>(values::array())),
    ("border-object", |_| border::<Account>(values::object())),
];

fn main() -> ExitCode {
    cases::main(CASES, |_| Err("no server".into()))
}

#[cfg(test)]
mod tests;
