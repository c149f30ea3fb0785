//! Requests that are broken in every way, by a series of numbers.

/// The most that a body may have here.
pub(crate) const LIMIT: usize = 16 << 10;

/// A series of numbers that its seed settles (xorshift64*).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or_default() % end.max(1)
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// What is put into requests: line ends, bytes that are no UTF-8, triples that are none, values of
/// other types, and what begins or ends something in one of the formats.
const SPLINTERS: &[&[u8]] = &[
    b"\r\n",
    b"\r\nX-Injected: 1\r\n",
    b"\n",
    b"\0",
    b"%00",
    b"%0d%0aX-Injected:%201",
    b"%",
    b"%zz",
    b"%ff%fe",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\"",
    b"{",
    b"}",
    b"[[[[[[[[[[[[[[[[",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"99999999999999999999999999",
    b"0.1",
    b"[]",
    b"{}",
    b"&",
    b"=",
    b";",
    b",",
    b"/",
    b"..",
    b"?",
    b"#",
    b"--XX",
    b"--XX--",
    b"Content-Type: text/html\r\n",
    b"Content-Length: 1\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Accept: text/html\r\n",
    b"Cookie: a=b; a=c\r\n",
    b"text=a&text=b",
    b"limit=1&limit=2",
    b" ",
];

/// Changes a text once or a few times.
fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(8)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            2 | 3 => drop(bytes.splice(at..at, dice.pick(SPLINTERS).to_vec())),
            4 => drop(bytes.splice(at..end, dice.pick(SPLINTERS).to_vec())),
            5 => drop(bytes.drain(at.min(end)..end)),
            // A piece of it once more.
            6 => {
                let piece = bytes.get(at..end).unwrap_or_default().to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let filler = vec![b'a'; dice.below(3000)];
                bytes.splice(at..at, filler);
            }
        }
    }
}

/// A request as bytes, broken in its head, its body or both; mostly with the length that it has.
pub(crate) fn request((head, body): (&str, &str), dice: &mut Dice) -> Vec<u8> {
    let (mut head, mut body) = (head.as_bytes().to_vec(), body.as_bytes().to_vec());
    match dice.below(4) {
        0 => mutate(&mut head, dice),
        1 if body.is_empty() => mutate(&mut head, dice),
        1 | 2 => mutate(&mut body, dice),
        _ => {
            mutate(&mut head, dice);
            mutate(&mut body, dice);
        }
    }
    // One in some hundreds is larger than the server takes.
    if dice.below(500) == 0 {
        body.resize(LIMIT + 1, b' ');
    }
    let length = match dice.below(20) {
        0 => dice.below(body.len() + 10),
        _ => body.len(),
    };
    head.extend_from_slice(b"Host: localhost\r\nConnection: close\r\n");
    if length > 0 || dice.below(2) == 0 {
        head.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head.extend_from_slice(&body);
    head
}
