//! Names for the variants of responses.

use crate::ir::StatusSpec;

/// Returns the words of a status: its reason phrase (RFC 9110, section 15, and the IANA registry of
/// HTTP status codes), or the name of its class.
pub(super) fn words(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(code) => {
            phrase(code).map_or_else(|| format!("Status{code}"), str::to_owned)
        }
        StatusSpec::Range(1) => "Informational".to_owned(),
        StatusSpec::Range(2) => "Success".to_owned(),
        StatusSpec::Range(3) => "Redirection".to_owned(),
        StatusSpec::Range(4) => "ClientError".to_owned(),
        StatusSpec::Range(5) => "ServerError".to_owned(),
        StatusSpec::Range(class) => format!("Status{class}xx"),
        StatusSpec::Default => "Default".to_owned(),
    }
}

fn phrase(code: u16) -> Option<&'static str> {
    Some(match code {
        100 => "Continue",
        101 => "SwitchingProtocols",
        102 => "Processing",
        103 => "EarlyHints",
        200 => "Ok",
        201 => "Created",
        202 => "Accepted",
        203 => "NonAuthoritativeInformation",
        204 => "NoContent",
        205 => "ResetContent",
        206 => "PartialContent",
        207 => "MultiStatus",
        208 => "AlreadyReported",
        226 => "ImUsed",
        300 => "MultipleChoices",
        301 => "MovedPermanently",
        302 => "Found",
        303 => "SeeOther",
        304 => "NotModified",
        305 => "UseProxy",
        307 => "TemporaryRedirect",
        308 => "PermanentRedirect",
        400 => "BadRequest",
        401 => "Unauthorized",
        402 => "PaymentRequired",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        407 => "ProxyAuthenticationRequired",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "LengthRequired",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        414 => "UriTooLong",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        417 => "ExpectationFailed",
        418 => "ImATeapot",
        421 => "MisdirectedRequest",
        422 => "UnprocessableContent",
        423 => "Locked",
        424 => "FailedDependency",
        425 => "TooEarly",
        426 => "UpgradeRequired",
        428 => "PreconditionRequired",
        429 => "TooManyRequests",
        431 => "RequestHeaderFieldsTooLarge",
        451 => "UnavailableForLegalReasons",
        500 => "InternalServerError",
        501 => "NotImplemented",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        505 => "HttpVersionNotSupported",
        506 => "VariantAlsoNegotiates",
        507 => "InsufficientStorage",
        508 => "LoopDetected",
        510 => "NotExtended",
        511 => "NetworkAuthenticationRequired",
        _ => return None,
    })
}
