//! Texts of formats.

use super::random::{Dice, some};

/// The formats whose texts types may accept, the most specific ones first.
pub(super) const FORMATS: &[&str] = &[
    "uuid",
    "date-time",
    "date",
    "time",
    "partial-time",
    "duration",
    "ipv4",
    "ipv6",
    "civil",
    "zoned",
    "int64",
    "decimal",
    "uri",
    "email",
    "byte",
    "hostname",
];

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &str = "0123456789abcdef";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
const WORD: &str = "abcdefghijklmnopqrstuvwxyz0123456789-";

/// Returns a text of a format, or `None` if the format is not known.
pub(super) fn of_format(format: &str, dice: &mut Dice<'_>) -> Option<String> {
    Some(match format {
        "date" => date(dice),
        "time" => format!("{}{}", time(dice), offset(dice)),
        "partial-time" => time(dice),
        "date-time" => format!("{}T{}{}", date(dice), time(dice), offset(dice)),
        "civil" => format!("{}T{}", date(dice), time(dice)),
        "zoned" => format!("{}T{}+00:00[UTC]", date(dice), time(dice)),
        "duration" => duration(dice),
        "ipv4" => {
            let parts: Vec<String> = (0..4).map(|_| dice.within(0, 255).to_string()).collect();
            parts.join(".")
        }
        "ipv6" => match dice.below(4) {
            0 => "::".to_owned(),
            1 => "::1".to_owned(),
            _ => format!(
                "2001:db8::{:x}:{:x}",
                dice.within(1, 0xffff),
                dice.within(1, 0xffff)
            ),
        },
        "int64" => dice.within(i64::MIN.into(), i64::MAX.into()).to_string(),
        "decimal" => format!(
            "{}.{:02}",
            dice.within(-999_999, 999_999),
            dice.within(0, 99)
        ),
        "uuid" => {
            let mut hex = |count: usize| some(HEX, count, dice);
            format!("{}-{}-4{}-a{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12))
        }
        "byte" => base64(dice),
        "email" | "idn-email" => format!("{}@{}", word(dice), host(dice)),
        "hostname" => host(dice),
        "uri" | "url" | "iri" => uri(dice),
        _ => return None,
    })
}

/// A date of RFC 3339, with the ends of months.
fn date(dice: &mut Dice<'_>) -> String {
    let year = match dice.below(8) {
        0 => 1,
        1 => 9999,
        2 => 2024,
        _ => dice.within(1900, 2100),
    };
    let month = dice.within(1, 12);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    format!("{year:04}-{month:02}-{:02}", dice.within(1, last))
}

fn time(dice: &mut Dice<'_>) -> String {
    let (hour, minute, second) = (dice.within(0, 23), dice.within(0, 59), dice.within(0, 59));
    let fraction = match dice.below(6) {
        0 => ".5".to_owned(),
        1 => ".123456789".to_owned(),
        2 => format!(".{:03}", dice.within(1, 999)),
        _ => String::new(),
    };
    format!("{hour:02}:{minute:02}:{second:02}{fraction}")
}

fn offset(dice: &mut Dice<'_>) -> String {
    match dice.below(6) {
        0 => "+00:00".to_owned(),
        1 => format!("+{:02}:30", dice.within(0, 13)),
        2 => format!("-{:02}:00", dice.within(1, 11)),
        _ => "Z".to_owned(),
    }
}

/// A duration of RFC 3339, appendix A.
fn duration(dice: &mut Dice<'_>) -> String {
    match dice.below(4) {
        0 => "PT0S".to_owned(),
        1 => format!("PT{}M", dice.within(1, 59)),
        2 => format!("P{}D", dice.within(1, 30)),
        _ => format!("P{}DT{}H", dice.within(1, 30), dice.within(1, 23)),
    }
}

fn base64(dice: &mut Dice<'_>) -> String {
    let groups = dice.below(6);
    let rest = match dice.below(3) {
        0 => "AA==",
        1 => "AAA=",
        _ => "",
    };
    some(BASE64, 4 * groups, dice) + rest
}

fn uri(dice: &mut Dice<'_>) -> String {
    match dice.below(6) {
        0 => "urn:example:a".to_owned(),
        1 => format!("http://{}:8080/?a=b#c", host(dice)),
        2 => format!("https://{}", host(dice)),
        _ => format!(
            "https://{}/{}/{}",
            host(dice),
            word(dice),
            dice.below(1_000)
        ),
    }
}

fn host(dice: &mut Dice<'_>) -> String {
    match dice.below(4) {
        0 => "example.com".to_owned(),
        _ => format!("{}.example.com", word(dice)),
    }
}

fn word(dice: &mut Dice<'_>) -> String {
    let (first, inner) = (some(LETTERS, 1, dice), dice.below(10));
    let inner = some(WORD, inner, dice).replace("--", "-");
    format!("{first}{inner}{}", some(LETTERS, 1, dice))
}
