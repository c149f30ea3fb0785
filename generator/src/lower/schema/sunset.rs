//! The day after which a part of the API may be removed (`x-sunset`).

use crate::model::Extensions;

/// Returns the day of `x-sunset`, if it has the form `YYYY-MM-DD`. A time after the day is ignored.
pub(in crate::lower) fn day_of(extensions: &Extensions) -> Option<String> {
    let mut extensions = extensions.iter();
    let (_, value) = extensions.find(|(key, _)| key == "x-sunset")?;
    let day = value.as_str()?.get(..10)?;
    let mut letters = day.bytes().enumerate();
    let is_day = letters.all(|(index, letter)| match index {
        4 | 7 => letter == b'-',
        _ => letter.is_ascii_digit(),
    });
    is_day.then(|| day.to_owned())
}
