//! Requests to a server, one at a time over one connection.

use crate::message::{Head, drain};
use bench_inputs::requests::{self, Template};
use bench_inputs::transfer;
use std::error::Error;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpStream};

/// Sends the bytes of a request.
type Send = Box<dyn Fn(&mut TcpStream) -> io::Result<()>>;

fn sender(request: &str) -> Result<Send, Box<dyn Error>> {
    let template = |template: &Template| -> Send {
        let text = template.text();
        Box::new(move |out| out.write_all(&text))
    };
    Ok(match request {
        "get" => template(&requests::get_requests()[0]),
        "post" => template(&requests::post_requests()[0]),
        "get-blob" => template(&requests::get_blob()),
        "post-blob" => Box::new(|out| {
            let head = "POST /blobs HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n";
            out.write_all(head.as_bytes())?;
            let size = format!("{:x}\r\n", transfer::PIECE);
            let chunk = [size.as_bytes(), &vec![b'x'; transfer::PIECE], b"\r\n"].concat();
            (0..transfer::PIECES).try_for_each(|_| out.write_all(&chunk))?;
            out.write_all(b"0\r\n\r\n")
        }),
        _ => return Err(format!("there is no request {request}").into()),
    })
}

struct Connection {
    out: TcpStream,
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn open(address: &str) -> io::Result<Self> {
        let out = TcpStream::connect(address.trim_start_matches("http://"))?;
        out.set_nodelay(true)?;
        let stream = BufReader::new(out.try_clone()?);
        Ok(Self { out, stream })
    }

    fn head(&mut self) -> Result<Head, Box<dyn Error>> {
        Ok(Head::read(&mut self.stream)?.ok_or("the server has closed the connection")?)
    }

    fn exchange(&mut self, send: &Send) -> Result<usize, Box<dyn Error>> {
        send(&mut self.out)?;
        let head = self.head()?;
        if !head.first.contains(" 20") {
            return Err(head.first.into());
        }
        let mut length = 0;
        head.body(&mut self.stream, |piece| length += piece.len())?;
        Ok(length)
    }
}

/// Prints the status line and the body of the response, or the length of a long body.
pub fn show(address: &str, request: &str) -> Result<(), Box<dyn Error>> {
    let mut connection = Connection::open(address)?;
    sender(request)?(&mut connection.out)?;
    let head = connection.head()?;
    let body = head.whole(&mut connection.stream)?;
    println!("{} {}", head.first, head.header("content-type"));
    match body.len() {
        0..10_000 => println!("{}", String::from_utf8_lossy(&body)),
        length => println!("{length} bytes"),
    }
    close(connection)
}

/// Sends a request several times.
pub fn load(address: &str, request: &str, times: &str) -> Result<(), Box<dyn Error>> {
    let mut connection = Connection::open(address)?;
    let send = sender(request)?;
    for _ in 0..times.parse::<u64>()? {
        connection.exchange(&send)?;
    }
    close(connection)
}

/// Opens connections with one request each, prints their number, and keeps them open until
/// standard input is closed.
pub fn idle(address: &str, times: &str) -> Result<(), Box<dyn Error>> {
    let send = sender("get")?;
    let mut open = Vec::new();
    for _ in 0..times.parse::<u64>()? {
        let mut connection = Connection::open(address)?;
        connection.exchange(&send)?;
        // The buffer of the reader is not needed any more.
        open.push(connection.out);
    }
    println!("idle {}", open.len());
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}

/// Closes the connection, and waits until the server has done so too.
fn close(connection: Connection) -> Result<(), Box<dyn Error>> {
    connection.out.shutdown(Shutdown::Write)?;
    Ok(drain(connection.stream)?)
}
