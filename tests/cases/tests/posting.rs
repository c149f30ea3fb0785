//! Posting JSON to a server that returns each body as it read it.

use std::net::SocketAddr;

/// Declares a type whose handlers return the bodies of their requests, or nothing (`=> ()`).
macro_rules! echo {
    (
        $Echo:ident of $module:ident:
        $($method:ident $Request:ident $Response:ident $Error:ident $(=> $nothing:tt)?),+ $(,)?
    ) => {
        struct $Echo;

        impl $module::server::DefaultApi for $Echo {
            $(async fn $method(
                &self,
                _: bothends_runtime::server::Context,
                request: $module::operations::$Request,
            ) -> Result<
                $module::operations::$Response,
                bothends_runtime::server::Error<$module::operations::$Error>,
            > {
                let body = request.body;
                $(let body: $nothing = drop(body);)?
                Ok(body.into())
            })+
        }
    };
}
pub(crate) use echo;

/// Posts JSON, and returns the status and the body of the response.
pub(crate) fn posted(to: SocketAddr, path: &str, body: &str) -> (u16, String) {
    let headers = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let response = bothends_test_peers::post(to, path, &headers, body);
    let status = response
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok());
    let (_, body) = response.split_once("\r\n\r\n").expect("a response");
    (status.expect("a status"), body.to_owned())
}

/// Asserts that a server returns these bodies unchanged.
#[track_caller]
pub(crate) fn returns(to: SocketAddr, path: &str, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(posted(to, path, body), (200, (*body).to_owned()));
    }
}

/// Asserts that a server rejects these bodies.
#[track_caller]
pub(crate) fn rejects(to: SocketAddr, path: &str, bodies: &[&str]) {
    for body in bodies {
        let (status, text) = posted(to, path, body);
        assert_eq!(status, 400, "{body}: {text}");
    }
}
