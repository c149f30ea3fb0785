//! Files that are sent while they are read.

use super::ByteStream;
use crate::values::Binary;
use std::sync::Arc;

impl Binary {
    /// Creates a file that a client sends while reading it, without buffering it. The body is then
    /// streamed and can be sent only once. Only a part of a multipart body can be streamed.
    pub fn from_stream(stream: ByteStream) -> Self {
        let content_type = stream.content_type().map(str::to_owned);
        let mut file = match stream.bytes() {
            Some(bytes) => Self::new(bytes.clone()),
            None => Self::default().attach(Arc::new(stream)),
        };
        file.content_type = content_type;
        file
    }

    /// Returns the stream to send, if the bytes are not buffered.
    pub(crate) fn stream(&self) -> Option<&ByteStream> {
        self.attached()?.downcast_ref()
    }
}
