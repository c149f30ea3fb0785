//! HTTP/1.1 messages as bytes (RFC 9112), read and written by hand: no library of either end sees them.

use std::io::{self, BufRead, BufReader};
use std::net::TcpStream;

/// A message: its first line, its fields in order with names in lower case, and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The request line or the status line.
    pub first: String,
    /// Names and values.
    pub fields: Vec<(String, String)>,
    /// The content, without its framing.
    pub content: Vec<u8>,
}

/// Fields of a connection, and of the library that happens to send.
const OF_THE_CONNECTION: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "date",
    "host",
    "transfer-encoding",
    "user-agent",
];

impl Message {
    /// From the text of a tape: lines, an empty one, the content.
    ///
    /// # Panics
    /// When the text is none.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (head, content) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let first = lines.next().unwrap_or_default().to_owned();
        let fields = lines.map(|line| {
            let (name, value) = line
                .split_once(':')
                .unwrap_or_else(|| panic!("{line:?} is no field"));
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        Self {
            first,
            fields: fields.collect(),
            content: content.as_bytes().to_vec(),
        }
    }

    /// From a connection. The content is framed by its length, by chunks, or, of a response, by the end.
    ///
    /// # Errors
    /// When the connection breaks, or what comes is no message.
    pub fn read(from: &TcpStream, response: bool) -> io::Result<Self> {
        let mut reader = BufReader::new(from);
        let first = line(&mut reader)?;
        let mut fields = Vec::new();
        loop {
            let field = line(&mut reader)?;
            if field.is_empty() {
                break;
            }
            let (name, value) = field
                .split_once(':')
                .ok_or_else(|| io::Error::other(format!("{field:?} is no field")))?;
            fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut message = Self {
            first,
            fields,
            content: Vec::new(),
        };
        message.content = message.read_content(&mut reader, response)?;
        Ok(message)
    }

    fn read_content(&self, reader: &mut impl BufRead, response: bool) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        if self.field("transfer-encoding") == Some("chunked") {
            loop {
                let size = usize::from_str_radix(&line(reader)?, 16).map_err(io::Error::other)?;
                let end = content.len() + size;
                content.resize(end, 0);
                reader.read_exact(&mut content[end - size..])?;
                line(reader)?;
                if size == 0 {
                    return Ok(content);
                }
            }
        }
        match self.field("content-length") {
            Some(length) => {
                content.resize(length.parse().map_err(io::Error::other)?, 0);
                reader.read_exact(&mut content)?;
            }
            None if response => {
                reader.read_to_end(&mut content)?;
            }
            None => {}
        }
        Ok(content)
    }

    /// The first value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// As bytes, for a connection that ends with it.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{}\r\nconnection: close\r\n", self.first);
        let framed = ["content-length", "transfer-encoding"];
        let fields = self.fields.iter();
        for (name, value) in fields.filter(|(name, _)| !framed.contains(&name.as_str())) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.content.is_empty() {
            head.push_str(&format!("content-length: {}\r\n", self.content.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.content);
        bytes
    }

    /// What is asserted of it, as a text: fields of the connection are not. A reason phrase means
    /// nothing (RFC 9112, 4), and fields of different names have no order (RFC 9110, 5.3).
    #[must_use]
    pub fn asserted(&self) -> String {
        let first = match self.first.strip_prefix("HTTP/1.1 ") {
            Some(status) => status.split(' ').next().unwrap_or_default(),
            None => &self.first,
        };
        let mut fields: Vec<&(String, String)> = self
            .fields
            .iter()
            .filter(|(name, _)| !OF_THE_CONNECTION.contains(&name.as_str()))
            .collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let fields: String = fields
            .iter()
            .map(|(name, value)| format!("{name}: {value}\n"))
            .collect();
        format!("{first}\n{fields}\n{}", self.content.escape_ascii())
    }
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    // Bytes beyond ASCII are shown as they are where they are UTF-8.
    Ok(String::from_utf8_lossy(&line).into_owned())
}
