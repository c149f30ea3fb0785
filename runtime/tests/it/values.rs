//! Values as they are written: numbers, dates, and what belongs to nobody.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::{HeaderMap, StatusCode};
use bothends_runtime::{
    Bytes, Json, Map, Operation, RequestDecoder, ResponseDecoder, literal_enum, object, tagged,
    union,
};

/// A response whose body is this.
fn response(body: &str) -> ResponseDecoder {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/json".parse().unwrap());
    ResponseDecoder::new(StatusCode::OK, headers, Bytes::from(body.to_owned()))
}

fn read<T: bothends_runtime::private::Value>(body: &str) -> Result<T, String> {
    let read = response(body).body().json::<T>();
    read.map_err(|error| {
        let faults: Vec<String> = error
            .field_errors()
            .map(|(at, what)| format!("{at}: {what}"))
            .collect();
        faults.join("; ")
    })
}

#[derive(Debug, Clone, PartialEq)]
struct Count {
    n: i64,
    small: Option<u8>,
    of: Option<f64>,
    free: Option<Json>,
}
object! { Count(n: i64) { "n" => n, "small" => small?, "of" => of?, "free" => free? } }

fn count(n: i64) -> Count {
    Count::new(n)
}

#[derive(Debug, Clone, PartialEq)]
enum Amount {
    Whole(i64),
    Text(String),
}
union! { Amount { Whole, Text } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Level {
    One,
    Ten,
    Word,
}
literal_enum! { Level { One => 1, Ten => 10, Word => "x" } }

#[test]
fn whole_numbers_are_integers_however_they_are_written() {
    let count_of = |text: &str| read::<Count>(&format!(r#"{{"n":{text}}}"#));
    for (text, int) in [
        ("1.0", 1),
        ("1e3", 1000),
        ("-2.50E1", -25),
        ("0.0", 0),
        ("-0", 0),
        ("1e18", 1_000_000_000_000_000_000),
        ("9007199254740993.0", 9_007_199_254_740_993),
        ("9223372036854775807.0", i64::MAX),
        ("-9223372036854775808e0", i64::MIN),
    ] {
        assert_eq!(count_of(text), Ok(count(int)), "{text}");
    }
    let beyond = "n: must be an integer from -9223372036854775808 to 9223372036854775807";
    for text in [
        "1e400",
        "1e999999999",
        "-1e99999999999999999999",
        "9223372036854775808",
        "1e19",
    ] {
        assert_eq!(count_of(text), Err(beyond.to_owned()), "{text}");
    }
    for text in [
        "1.5",
        "1e-3",
        "1e-400",
        "1.00000000000000000000000001",
        "\"1\"",
        "true",
    ] {
        assert_eq!(
            count_of(text),
            Err("n: must be an integer".to_owned()),
            "{text}"
        );
    }
}

#[test]
fn what_stands_beside_them_is_as_it_came() {
    let read = read::<Count>(r#"{"n":1.0,"small":2e1,"of":1.5e1,"free":[1.0,2,{"a":1e2,"a":3}]}"#);
    let mut expected = count(1);
    expected.small = Some(20);
    expected.of = Some(15.0);
    expected.free = Some(serde_json::json!([1.0, 2, {"a": 3}]));
    assert_eq!(read, Ok(expected));
}

#[test]
fn a_number_that_is_out_of_range_is_told_with_the_others() {
    assert_eq!(
        read::<Count>(r#"{"n":"x","small":256.0,"of":1e400,"free":1e400}"#),
        Err(
            "n: must be an integer; small: must be an integer from 0 to 255; \
             of: is a number that is out of range; free: is a number that is out of range"
                .to_owned()
        )
    );
    assert_eq!(
        read::<Count>(r#"{"n":1.0,"n":2}"#),
        Err("n: is given more than once".to_owned())
    );
}

#[test]
fn unions_and_enums_take_them_too() {
    assert_eq!(
        read::<Vec<Amount>>(r#"[1.0,"1.0",1e3]"#),
        Ok(vec![
            Amount::Whole(1),
            Amount::Text("1.0".to_owned()),
            Amount::Whole(1000),
        ])
    );
    assert_eq!(
        read::<Vec<Amount>>("[9007199254740993.0]"),
        Ok(vec![Amount::Whole(9_007_199_254_740_993),])
    );
    assert_eq!(
        read::<Vec<Level>>(r#"[1.0,1e1,10,"x"]"#),
        Ok(vec![Level::One, Level::Ten, Level::Ten, Level::Word,])
    );
}

#[derive(Debug, Clone, PartialEq)]
struct Window {
    from: Option<i64>,
    to: Option<i64>,
}
object! { Window() { "from" => from?, "to" => to? } }

#[derive(Debug, Clone, PartialEq)]
enum Range {
    Window(Window),
    Days(i64),
}
union! { Range { Window, Days } }

#[derive(Debug, Clone, PartialEq)]
enum Loose {
    Map(Map<i64>),
    Days(i64),
}
union! { Loose { Map, Days } }

#[derive(Debug, Clone, PartialEq)]
struct Near {
    km: i64,
}
object! { Near(km: i64) { "km" => km } }

#[derive(Debug, Clone, PartialEq)]
enum Place {
    Near(Near),
    Window(Window),
}
tagged! { Place by "kind" { Near => "near", Window => "window" } }

#[derive(Debug, Clone, PartialEq)]
struct FindRequest {
    level: Option<Level>,
    amount: Option<Amount>,
    range: Option<Range>,
    place: Option<Place>,
    deep: Option<Window>,
    list: Option<Vec<i64>>,
    ratio: Option<f64>,
    page: Option<i32>,
}
bothends_runtime::operation! {
    "find": "GET" "/find"
    FindRequest() {
        query "level": Level => level?,
        query "amount": Amount => amount?,
        query "range": Range => range?,
        query "place": Place => place?,
        query[deep] "deep": Window => deep?,
        query "list": Vec<i64> => list?,
        query "ratio": f64 => ratio?,
        query "page": i32 => page?,
    }
    -> FindResponse { 204 }, FindError = bothends_runtime::NoError
}

fn find(query: &str) -> Result<FindRequest, String> {
    let headers = HeaderMap::new();
    let mut decoder = RequestDecoder::new(
        FindRequest::META,
        "/find",
        Some(query),
        &headers,
        Bytes::new(),
    )
    .unwrap();
    let read = FindRequest::decode(&mut decoder);
    let faults = decoder.field_errors().iter();
    let faults: Vec<String> = faults
        .map(|error| format!("{}: {}", error.field, error.message))
        .collect();
    read.ok_or_else(|| faults.join("; "))
}

#[test]
fn names_that_belong_to_nobody_are_passed_over() {
    for query in [
        "zzz=1",
        "utm_source=x&utm_medium=y",
        "deep[zzz]=1",
        "zzz[a]=1",
        "=",
        "a",
    ] {
        let mut nothing = FindRequest::default();
        if query.starts_with("deep") {
            nothing.deep = Some(Window::default());
        }
        assert_eq!(find(query), Ok(nothing), "{query}");
    }
    assert_eq!(find("level=1.0&zzz=1").unwrap().level, Some(Level::One));
    assert_eq!(
        find("zzz=a&from=1").unwrap().range,
        Some(Range::Window(Window {
            from: Some(1),
            to: None,
        }))
    );
    assert_eq!(
        find("kind=near&km=x"),
        Err("place.km: must be an integer".to_owned())
    );
    assert_eq!(
        find("kind=near&km=1").unwrap().place,
        Some(Place::Near(Near { km: 1 }))
    );
    assert_eq!(
        find("level=2").unwrap_err(),
        "level: must be one of `1`, `10`, `\"x\"`"
    );
}

#[derive(Debug, Clone, PartialEq)]
struct LooseRequest {
    loose: Option<Loose>,
    level: Option<Level>,
}
bothends_runtime::operation! {
    "loose": "GET" "/find"
    LooseRequest() {
        query "loose": Loose => loose?,
        query "level": Level => level?,
    }
    -> LooseResponse { 204 }, LooseError = bothends_runtime::NoError
}

#[test]
fn a_union_with_a_map_takes_what_fits_it() {
    let request_of = |query: &str| {
        let headers = HeaderMap::new();
        let mut decoder = RequestDecoder::new(
            LooseRequest::META,
            "/find",
            Some(query),
            &headers,
            Bytes::new(),
        )
        .unwrap();
        LooseRequest::decode(&mut decoder)
    };
    let map = Loose::Map(Map::from_iter([("zzz".to_owned(), 1)]));
    assert_eq!(request_of("zzz=1").unwrap().loose, Some(map));
    assert_eq!(request_of("zzz=a"), Some(LooseRequest::default()));
    assert_eq!(request_of("level=1&zzz=a").unwrap().level, Some(Level::One));
    assert_eq!(request_of("loose=7").unwrap().loose, Some(Loose::Days(7)));
    assert_eq!(request_of("loose=a"), None);
}

#[test]
fn numbers_in_parameters_are_whole_or_not() {
    assert_eq!(
        find("page=1.0&list=1e2&list=3").unwrap().list,
        Some(vec![100, 3])
    );
    assert_eq!(find("page=1e1&ratio=1e1").unwrap().page, Some(10));
    let beyond = "page: must be an integer from -2147483648 to 2147483647";
    for text in ["1e400", "1e999999999", "99999999999", "2147483648.0"] {
        assert_eq!(
            find(&format!("page={text}")),
            Err(beyond.to_owned()),
            "{text}"
        );
    }
    assert_eq!(find("page=1.5"), Err("page: must be an integer".to_owned()));
    assert_eq!(
        find("ratio=1e400"),
        Err("ratio: is a number that is out of range".to_owned())
    );
    assert_eq!(find("ratio=NaN"), Err("ratio: must be a number".to_owned()));
}

#[test]
fn numbers_are_written_as_everybody_reads_them() {
    for (number, text) in [
        (10.0, "10"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e21, "1e21"),
        (1e-7, "1e-7"),
        (9_007_199_254_740_993.0, "9007199254740992"),
        (f64::MAX, "1.7976931348623157e308"),
    ] {
        let mut request = FindRequest::new();
        request.ratio = Some(number);
        let mut encoder = bothends_runtime::RequestEncoder::new(FindRequest::META);
        request.encode(&mut encoder);
        let query = encoder.finish().unwrap().query;
        assert_eq!(query, format!("ratio={text}"));
        let again = find(&query).unwrap().ratio.unwrap();
        assert!(again == number, "{text}");
    }
}

#[test]
fn what_json_has_no_number_for_is_not_sent() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut request = FindRequest::new();
        request.ratio = Some(number);
        let mut encoder = bothends_runtime::RequestEncoder::new(FindRequest::META);
        request.encode(&mut encoder);
        assert_eq!(encoder.finish().unwrap_err().field(), "ratio");
        let mut count = count(1);
        count.of = Some(number);
        let mut response = bothends_runtime::ResponseEncoder::new();
        let body = response.status(200).body();
        body.json("application/json", &vec![count.clone()]);
        let error = response.finish().unwrap_err();
        assert_eq!(error.field(), "[0].of");
        assert_eq!(
            error.message(),
            "a number that is not finite cannot be written"
        );
    }
}

#[test]
fn what_is_said_of_an_answer_has_an_end() {
    let long = "é".repeat(900_000);
    let wrong: Vec<String> = (0..150).map(|_| r#"{"n":"x"}"#.to_owned()).collect();
    let body = format!(r#"{{"{long}":[{}]}}"#, wrong.join(","));
    let error = response(&body)
        .body()
        .json::<Map<Vec<Count>>>()
        .unwrap_err();
    assert!(format!("{error:?}").len() < 100_000 && error.to_string().len() < 1000);
    assert_eq!(error.field_errors().count(), 101);
    for body in [
        format!(r#""{long}""#),
        format!(r#"{{"{long}":1}}"#),
        long.clone(),
    ] {
        let error = response(&body).body().json::<Level>().unwrap_err();
        assert!(format!("{error:?} {error}").len() < 10_000);
        let error = response(&body).body().json::<Closed>().unwrap_err();
        assert!(format!("{error:?} {error}").len() < 10_000);
    }
    let error = long.parse::<Level>().unwrap_err();
    assert!(format!("{error:?} {error}").len() < 1000);
    assert_eq!(error.value(), long);
}

#[derive(Debug, Clone, PartialEq)]
struct Closed {
    id: i64,
}
object! { Closed(id: i64) closed { "id" => id } }
