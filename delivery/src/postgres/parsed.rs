//! Subscriptions and URLs of endpoints, parsed once: claims read the same ones again and again. Their text comes with the
//! endpoints, because asking for it only if it has changed, as on SQLite, would take another round trip.

use crate::Subscription;
use crate::store::Kept;
use std::sync::Arc;
use url::Url;

/// What claims of a store have parsed. It is used again while the text is the same.
#[derive(Default)]
pub(super) struct Parsed {
    subscriptions: Kept<String, Arc<Known>>,
    urls: Kept<String, Url>,
}

struct Known {
    owner: String,
    is_active: bool,
    config: String,
    subscription: Arc<Subscription>,
}

impl Parsed {
    /// Returns a subscription with these columns.
    ///
    /// # Errors
    /// Returns what is wrong with the text.
    pub(super) fn subscription(
        &self,
        id: &str,
        owner: &str,
        is_active: bool,
        config: &str,
    ) -> Result<Arc<Subscription>, String> {
        if let Some(known) = self.subscriptions.get(id)
            && (known.owner == owner && known.is_active == is_active && known.config == config)
        {
            return Ok(Arc::clone(&known.subscription));
        }
        let parsed = Subscription::from_json(id.to_owned(), owner.to_owned(), is_active, config)?;
        let subscription = Arc::new(parsed);
        let known = Known {
            owner: owner.to_owned(),
            is_active,
            config: config.to_owned(),
            subscription: Arc::clone(&subscription),
        };
        self.subscriptions.put(id.to_owned(), Arc::new(known));
        Ok(subscription)
    }

    /// Returns the URL of this text.
    ///
    /// # Errors
    /// Returns an error if the text is not a URL.
    pub(super) fn url(&self, text: &str) -> Result<Url, url::ParseError> {
        if let Some(known) = self.urls.get(text) {
            return Ok(known);
        }
        let url = Url::parse(text)?;
        self.urls.put(text.to_owned(), url.clone());
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscription_is_parsed_again_when_it_has_changed() {
        let parsed = Parsed::default();
        let subscription = |url: &str| {
            let made = Subscription::builder("s").owner("o").url(url).build();
            let made = made.unwrap();
            let found = parsed.subscription("s", "o", true, &made.to_json());
            (made, found.unwrap())
        };
        let (made, first) = subscription("https://example.com/a");
        assert_eq!(*first, made);
        assert!(Arc::ptr_eq(
            &first,
            &subscription("https://example.com/a").1
        ));
        let (made, changed) = subscription("https://example.com/b");
        assert_eq!(*changed, made);
        let paused = parsed.subscription("s", "o", false, &made.to_json());
        assert!(!paused.unwrap().is_active());
        assert!(parsed.subscription("s", "o", true, "{").is_err());
        assert!(parsed.url("no url").is_err());
    }
}
