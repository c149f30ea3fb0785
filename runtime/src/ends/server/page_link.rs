//! The header `Link` of a list that is returned in pages (RFC 8288).

use super::Context;
use crate::message::wire::percent::{Keep, encode};
use crate::message::wire::query;

impl Context {
    /// Returns a value of the header `Link` for another page: the URL of this request with other values
    /// of some parameters of the query.
    ///
    /// `server` is the URL of the server as clients know it, without a slash at the end, such as
    /// `https://api.example.com`. Without one, the URL begins with the path, which clients resolve by
    /// the URL of their request.
    ///
    /// ```ignore
    /// // GET /pets?limit=10&page=2
    /// let link = context.page_link("https://api.example.com", "next", &[("page", "3")]);
    /// assert_eq!(link, r#"<https://api.example.com/pets?limit=10&page=3>; rel="next""#);
    /// ```
    pub fn page_link(&self, server: &str, relation: &str, parameters: &[(&str, &str)]) -> String {
        let sent = query::pairs(self.uri().query().unwrap_or_default());
        let kept = sent.iter().filter(|(name, _)| {
            let mut replaced = parameters.iter();
            !replaced.any(|(known, _)| known == name)
        });
        let written = |text: &str| encode(text, Keep::UNRESERVED);
        let kept = kept.map(|(name, value)| format!("{}={value}", written(name)));
        let set = parameters.iter();
        let set = set.map(|(name, value)| format!("{}={}", written(name), written(value)));
        let pairs: Vec<String> = kept.chain(set).collect();
        let (path, pairs) = (self.uri().path(), pairs.join("&"));
        format!(r#"<{server}{path}?{pairs}>; rel="{relation}""#)
    }
}
