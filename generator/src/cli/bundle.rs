//! `bothends bundle SPEC [--out FILE]`

use super::args::Bundle;
use super::{End, readable, report};

pub(super) fn run(args: &Bundle) -> End {
    let format = args.messages.message_format;
    if let Err(message) = readable(&args.spec) {
        report::failure(&message, format);
        return End::Failed;
    }
    report::failure("bundling has not landed yet", format);
    End::Failed
}
