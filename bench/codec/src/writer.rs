use crate::reader::{Error, Failed};

pub struct Writer {
    pub out: Vec<u8>,
    pub error: Option<Error>,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            out: Vec::with_capacity(128),
            error: None,
        }
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

const fn any_of_eight(eight: u64) -> bool {
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    let control = eight.wrapping_sub(ONES * 0x20) & !eight;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGHS != 0
}

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[inline]
fn needs_escapes(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<8>() else {
        return bytes.iter().copied().any(needs_escape);
    };
    let (eights, _) = bytes.as_chunks::<8>();
    any_of_eight(u64::from_ne_bytes(*last))
        || eights
            .iter()
            .any(|eight| any_of_eight(u64::from_ne_bytes(*eight)))
}

fn escape_each(out: &mut Vec<u8>, bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        let (plain, after) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((byte, after)) = after.split_first() else {
            return;
        };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0a => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0d => out.extend_from_slice(b"\\r"),
            control => {
                let [high, low] = [control >> 4, control & 15].map(|digit| HEX[usize::from(digit)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

impl Writer {
    #[inline]
    pub fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.out.push(b'"');
        match needs_escapes(bytes) {
            false => self.out.extend_from_slice(bytes),
            true => escape_each(&mut self.out, bytes),
        }
        self.out.push(b'"');
    }

    #[inline]
    pub fn float(&mut self, number: f64) -> Result<(), Failed> {
        let start = self.out.len();
        if !number.is_finite() || serde_json::to_writer(&mut self.out, &number).is_err() {
            self.error = Some(Error::new("a number that is not finite cannot be written"));
            return Err(Failed);
        }
        let written = self.out.get(start..).unwrap_or_default();
        if !written.contains(&b'e') {
            match written.strip_suffix(b".0") {
                None => {}
                Some(b"-0") => {
                    self.out.truncate(start);
                    self.out.push(b'0');
                }
                Some(whole) => {
                    let end = start + whole.len();
                    self.out.truncate(end);
                }
            }
        }
        Ok(())
    }

    /// Ends a list or an object, each of whose parts begins with a comma.
    #[inline]
    pub fn close(&mut self, start: usize, open: u8, close: u8) {
        match self.out.get_mut(start) {
            Some(comma) => *comma = open,
            None => self.out.push(open),
        }
        self.out.push(close);
    }

    #[cold]
    #[inline(never)]
    pub fn step(&mut self, step: &str) -> Failed {
        if let Some(error) = &mut self.error {
            error.path.push(step.to_owned());
        }
        Failed
    }
}
