//! Entries that are added to a configuration file, whose lines and comments stay.

/// An entry of a table of strings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

/// Adds entries to a table of a configuration file, and returns the new text. Lines that exist stay
/// as they are; a key that the table already has keeps its value.
///
/// # Errors
/// Returns an error message if the text is not valid TOML, or has the table in another form than
/// `[table]`.
pub fn add_entries(text: &str, table: &str, entries: &[Entry]) -> Result<String, String> {
    let whole: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    let known = whole.get(table).and_then(toml::Value::as_table);
    let is_new = |entry: &&Entry| known.is_none_or(|known| !known.contains_key(&entry.key));
    let lines: Vec<String> = entries.iter().filter(is_new).map(line).collect();
    if lines.is_empty() {
        return Ok(text.to_owned());
    }
    let lines = lines.concat();
    let header = format!("[{table}]");
    let mut start = 0;
    for row in text.split_inclusive('\n') {
        start += row.len();
        if row.split('#').next().unwrap_or_default().trim() == header {
            let (before, after) = text.split_at(start);
            let end = if before.ends_with('\n') { "" } else { "\n" };
            return valid(format!("{before}{end}{lines}{after}"), &header);
        }
    }
    let end = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    valid(format!("{text}{end}{header}\n{lines}"), &header)
}

/// Returns a text if it is valid TOML: the table may have been written inline.
fn valid(text: String, header: &str) -> Result<String, String> {
    match text.parse::<toml::Table>() {
        Ok(_) => Ok(text),
        Err(_) => Err(format!(
            "write the table as `{header}`, and run the command again"
        )),
    }
}

/// Returns an entry as a line of TOML.
fn line(entry: &Entry) -> String {
    // A basic string is valid as a key, and every string is valid as a basic string.
    let key = serde_json::to_string(&entry.key).unwrap_or_default();
    let value = toml::Value::String(entry.value.clone());
    format!("{key} = {value}\n")
}

#[cfg(test)]
mod tests {
    use super::{Entry, add_entries};

    fn added(text: &str) -> Result<String, String> {
        let entry = |key: &str, value: &str| Entry {
            key: key.to_owned(),
            value: value.to_owned(),
        };
        add_entries(text, "t", &[entry("a", "1"), entry("b c", "\"2\"\n")])
    }

    #[test]
    fn lines_and_comments_stay() {
        for (text, expected) in [
            ("", "[t]\nLINES"),
            ("x = 1", "x = 1\n\n[t]\nLINES"),
            (
                "# c\n[t] # d\nz = \"0\" # e\n[u]\n",
                "# c\n[t] # d\nLINESz = \"0\" # e\n[u]\n",
            ),
            ("[t]", "[t]\nLINES"),
        ] {
            let added = added(text).expect("added");
            let lines = added.find("\"a\"").unwrap_or_default();
            assert_eq!(
                added.get(..lines),
                expected.split("LINES").next(),
                "{added}"
            );
            let table: toml::Table = added.parse().expect("TOML");
            assert_eq!(table["t"]["a"].as_str(), Some("1"));
            assert_eq!(table["t"]["b c"].as_str(), Some("\"2\"\n"));
            assert!(added.ends_with(expected.rsplit("LINES").next().unwrap_or_default()));
        }
        // A key keeps its value.
        assert!(added("[t]\na = \"0\"\n").is_ok_and(|text| text.contains("a = \"0\"\n")));
    }

    #[test]
    fn other_forms_of_the_table_are_errors() {
        for text in ["t = { z = \"0\" }\n", "t.z = \"0\"\n", "t = \n"] {
            assert!(added(text).is_err(), "{text}");
        }
    }
}
