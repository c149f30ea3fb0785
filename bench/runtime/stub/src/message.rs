//! Reading of HTTP/1.1 messages from a connection.

use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpStream;

/// The head of a message.
pub struct Head {
    /// The first line.
    pub first: String,
    headers: Vec<(String, String)>,
}

impl Head {
    /// Reads a head; `None` at the end of the connection.
    pub fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            lines.push(line.to_owned());
        }
        let headers = lines.iter().skip(1).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Ok(Some(Self {
            first: lines.first().cloned().unwrap_or_default(),
            headers: headers.collect(),
        }))
    }

    /// Returns the value of a header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|header| header.0 == name);
        found.map_or("", |header| &header.1)
    }

    /// Reads the body in pieces, which are passed to `take`.
    pub fn body(
        &self,
        stream: &mut BufReader<TcpStream>,
        mut take: impl FnMut(&[u8]),
    ) -> io::Result<()> {
        if self.header("transfer-encoding") != "chunked" {
            let length = self.header("content-length").parse().unwrap_or(0);
            return exactly(stream, length, &mut take);
        }
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
            exactly(stream, length, &mut take)?;
            stream.read_line(&mut line)?;
            if length == 0 {
                return Ok(());
            }
        }
    }

    /// Reads the whole body.
    pub fn whole(&self, stream: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        self.body(stream, |piece| all.extend_from_slice(piece))?;
        Ok(all)
    }
}

fn exactly(
    stream: &mut BufReader<TcpStream>,
    mut length: usize,
    take: &mut impl FnMut(&[u8]),
) -> io::Result<()> {
    while length > 0 {
        let read = stream.fill_buf()?;
        if read.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let taken = read.len().min(length);
        take(&read[..taken]);
        stream.consume(taken);
        length -= taken;
    }
    Ok(())
}

/// Reads the connection to its end.
pub fn drain(mut stream: BufReader<TcpStream>) -> io::Result<()> {
    io::copy(&mut stream.by_ref(), &mut io::sink()).map(drop)
}
