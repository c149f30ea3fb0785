//! Suggestions for misspelt names.

/// Returns the most similar name, if it is similar enough.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    nearest_within(name, names, limit)
}

/// Returns whether no other name is as similar to a name as the nearest one.
pub(super) fn is_only_nearest<'a>(
    name: &str,
    near: &str,
    names: impl Iterator<Item = &'a str>,
) -> bool {
    let others = names.filter(|other| *other != near);
    nearest_within(name, others, distance(name, near)).is_none()
}

/// Returns the most similar name that at most `limit` edits distinguish.
pub(crate) fn nearest_within<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str>,
    limit: usize,
) -> Option<&'a str> {
    let length = name.chars().count();
    names
        // A document may contain a million names; only names of similar length are compared.
        .filter(|other| other.chars().count().abs_diff(length) <= limit && length <= 100)
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Returns the edit distance of two names, ignoring case. Swapping two adjacent characters is one
/// edit.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut above = row.clone();
    let mut last = None;
    for (line, char) in from.to_lowercase().chars().enumerate() {
        let mut new = vec![line + 1];
        for (column, other) in to.iter().enumerate() {
            let replaced = row[column] + usize::from(char != *other);
            let mut least = replaced.min(row[column + 1] + 1).min(new[column] + 1);
            if column > 0 && last == Some(*other) && char == to[column - 1] {
                least = least.min(above[column - 1] + 1);
            }
            new.push(least);
        }
        above = std::mem::replace(&mut row, new);
        last = Some(char);
    }
    row.last().copied().unwrap_or_default()
}
