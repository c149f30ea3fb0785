//! HMAC-SHA256 with a shared secret (RFC 2104, FIPS 180-4).

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The code of a message.
pub(crate) type Code = [u8; 32];

/// A secret that is prepared for the computation of codes.
#[derive(Clone)]
pub(crate) struct MacKey(Hmac<Sha256>);

impl MacKey {
    /// Prepares a secret of any length: one that is longer than a block of the digest is digested
    /// first (RFC 2104, section 2).
    pub(crate) fn new(secret: &[u8]) -> Self {
        let mut block = Zeroizing::new([0; 64]);
        match block.get_mut(..secret.len()) {
            Some(whole) => whole.copy_from_slice(secret),
            None => block[..32].copy_from_slice(&Sha256::digest(secret)),
        }
        Self(Hmac::new(&(*block).into()))
    }

    /// Returns the code of a message in several parts.
    pub(crate) fn code(&self, message: &[&[u8]]) -> Code {
        #[cfg(test)]
        counted::add();
        let mut mac = self.0.clone();
        message.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }
}

/// Compares two codes in constant time.
pub(crate) fn is_same(code: &Code, other: &Code) -> bool {
    code.ct_eq(other).into()
}

#[cfg(test)]
pub(crate) mod counted {
    //! The number of codes that a test has caused, on its thread.

    use std::cell::Cell;

    thread_local! {
        static CODES: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add() {
        CODES.set(CODES.get() + 1);
    }

    /// Returns the number since the last call.
    pub(crate) fn take() -> usize {
        CODES.replace(0)
    }
}
