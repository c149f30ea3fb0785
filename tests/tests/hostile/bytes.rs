//! Mutations of the bytes of a document.

use crate::random::Random;

/// The bytes of a document after one to eight mutations.
pub(crate) fn bytes(base: &[u8], random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 22] = [
        b"\0",
        b"\r",
        b"\n",
        b"\t",
        b"\xff",
        b"\xc3\x28",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"'",
        b"&a ",
        b"*a",
        b"<<: ",
        b"!t ",
        b"---\n",
        b"- ",
        b": ",
        b"\\ud800",
    ];
    let mut bytes = base.to_vec();
    for _ in 0..=random.below(8) {
        let from = random.below(bytes.len());
        let to = (from + random.below(60)).min(bytes.len());
        match random.below(7) {
            0 if !bytes.is_empty() => bytes[from] ^= 1 << random.below(8),
            1 => {
                bytes.drain(from..to);
            }
            2 => {
                let piece = bytes[from..to].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            3 => bytes.truncate(from.max(1)),
            4 => {
                // Whole lines, which in YAML moves what is below them as well.
                let line = bytes[from..].iter().position(|byte| *byte == b'\n');
                let end = line.map_or(bytes.len(), |line| from + line + 1);
                let piece = bytes[from..end].to_vec();
                bytes.splice(from..from, piece.repeat(1 + random.below(3)));
            }
            _ => {
                let piece = random.pick(&PIECES);
                bytes.splice(from..from, piece.iter().copied());
            }
        }
    }
    bytes
}
