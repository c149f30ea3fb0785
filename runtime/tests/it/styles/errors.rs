//! Values that cannot be written, and texts that cannot be read.

use super::{Rgb, encode, read, strings};
use bothends_runtime::{Json, Map, ParameterStyle};

#[test]
fn what_cannot_be_told_apart_is_refused() {
    let refused = |param, items: &[&str]| encode(param, &strings(items)).unwrap_err();
    assert!(refused(ParameterStyle::query().pipe(), &["a|b", "c"]).contains("'|'"));
    assert!(refused(ParameterStyle::query().space(), &["a b"]).contains("' '"));
    assert!(refused(ParameterStyle::header(), &["a,b"]).contains("','"));
    assert!(refused(ParameterStyle::cookie().cookie(), &["a;b"]).contains("';'"));
    assert!(
        encode(ParameterStyle::path(), &"")
            .unwrap_err()
            .contains("empty string")
    );
    assert!(
        encode(ParameterStyle::path().label(), &"")
            .unwrap_err()
            .contains("`.` or `..`")
    );
    for dots in [".", ".."] {
        assert!(
            encode(ParameterStyle::path(), &dots)
                .unwrap_err()
                .contains("`.` or `..`")
        );
    }
    for text in ["a\r\nX-Evil: 1", "a\nb", "a\0", " a", "a\t"] {
        assert!(
            encode(ParameterStyle::header(), &text)
                .unwrap_err()
                .contains("a header cannot"),
            "{text:?}"
        );
    }
    assert!(
        encode(ParameterStyle::query(), &f64::NAN)
            .unwrap_err()
            .contains("not finite")
    );
    let brackets: Map<String> = [("a[b".to_owned(), String::new())].into();
    assert!(
        encode(ParameterStyle::query().deep(), &brackets)
            .unwrap_err()
            .contains("in brackets")
    );
}

#[test]
fn what_is_wrong_is_told() {
    let wrong = |param, query| read::<i32>(param, query).unwrap_err();
    assert_eq!(wrong(ParameterStyle::query(), ""), "p: is required");
    assert_eq!(
        wrong(ParameterStyle::query(), "p=x"),
        "p: must be an integer"
    );
    assert_eq!(
        wrong(ParameterStyle::query(), "p="),
        "p: must be an integer"
    );
    assert_eq!(
        wrong(ParameterStyle::query(), "p=99999999999"),
        "p: must be an integer from -2147483648 to 2147483647"
    );
    assert_eq!(
        wrong(ParameterStyle::query(), "p=1&p=2"),
        "p: is given more than once"
    );
    assert_eq!(
        wrong(ParameterStyle::query(), "p=%FF"),
        "p: is badly encoded"
    );
    assert_eq!(
        wrong(ParameterStyle::query(), "p=%zz"),
        "p: is badly encoded"
    );
    assert_eq!(
        read::<bool>(ParameterStyle::query(), "p=yes").unwrap_err(),
        "p: must be true or false"
    );
    assert_eq!(
        read::<f64>(ParameterStyle::query(), "p=inf").unwrap_err(),
        "p: must be a number"
    );
    assert_eq!(
        read::<Vec<i32>>(ParameterStyle::query(), "p=1&p=x").unwrap_err(),
        "p[1]: must be an integer"
    );
    assert_eq!(
        read::<Rgb>(ParameterStyle::query(), "R=x").unwrap_err(),
        "p.R: must be an integer"
    );
    assert_eq!(
        read::<Rgb>(ParameterStyle::query().flat(), "p=R,1,G").unwrap_err(),
        "p: has a name without a value"
    );
    assert_eq!(
        read::<Rgb>(ParameterStyle::query().deep(), "p[R]=1&p[R][x]=1").unwrap_err(),
        "p: is both a value and an object"
    );
    let nested = format!("p{}=1", "[a]".repeat(100));
    assert_eq!(
        read::<Rgb>(ParameterStyle::query().deep(), &nested).unwrap_err(),
        "p: is nested too deeply"
    );
    assert!(
        read::<Json>(ParameterStyle::query().json(), "p=%7B")
            .unwrap_err()
            .starts_with("p: is not JSON: the text ends")
    );
}
