//! Keys on a terminal, or lines of the standard input.

use std::io::{self, Read as _};
use tokio::sync::mpsc;

/// A key with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// `r`
    Retry,
    /// `d`
    Details,
    /// `q`
    Quit,
}

impl Key {
    const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            b'r' => Some(Self::Retry),
            b'd' => Some(Self::Details),
            b'q' => Some(Self::Quit),
            _ => None,
        }
    }
}

/// The keys that are pressed.
pub(super) struct Keys {
    pressed: mpsc::UnboundedReceiver<Key>,
    _mode: Option<mode::Single>,
}

impl Keys {
    /// Begins to read.
    pub(super) fn read() -> Self {
        let mode = mode::Single::set();
        let (sender, pressed) = mpsc::unbounded_channel();
        // The runtime would wait for a read in progress at the end; a thread of its own is left.
        std::thread::spawn(move || {
            for byte in io::stdin().lock().bytes() {
                let Ok(byte) = byte else { return };
                if Key::from_byte(byte).is_some_and(|key| sender.send(key).is_err()) {
                    return;
                }
            }
        });
        Self {
            pressed,
            _mode: mode,
        }
    }

    /// Returns the next key. After the end of the input there is none.
    pub(super) async fn next(&mut self) -> Key {
        match self.pressed.recv().await {
            Some(key) => key,
            None => std::future::pending().await,
        }
    }
}

#[cfg(unix)]
mod mode {
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// A terminal that delivers single keys, until the value is dropped.
    pub(super) struct Single(Termios);

    impl Single {
        /// Returns `None` if the standard input is no terminal.
        pub(super) fn set() -> Option<Self> {
            let stdin = std::io::stdin();
            let before = tcgetattr(&stdin).ok()?;
            let mut single = before.clone();
            // Ctrl-c still ends the program.
            single.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
            tcsetattr(&stdin, OptionalActions::Now, &single).ok()?;
            Some(Self(before))
        }
    }

    impl Drop for Single {
        fn drop(&mut self) {
            // A terminal that is gone needs no mode.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.0);
        }
    }
}

#[cfg(not(unix))]
mod mode {
    /// Single keys are not supported: the input is read by lines.
    pub(super) struct Single;

    impl Single {
        pub(super) const fn set() -> Option<Self> {
            None
        }
    }
}
