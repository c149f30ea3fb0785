//! The name that a misspelt one was probably meant to be.

/// The nearest of some names, when it is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    names
        // A document may hold a million names; only those of like length are compared.
        .filter(|other| other.chars().count().abs_diff(length) <= limit && length <= 100)
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Edits from one name to the other, upper and lower case alike; two neighbours that changed places
/// are one edit.
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
