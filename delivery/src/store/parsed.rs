//! Subscriptions and URLs of endpoints, parsed once: claims read the same ones again and again.

use crate::Subscription;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// How many subscriptions and URLs are kept at most.
const LIMIT: usize = 4096;

/// What claims of a store have parsed. It is used again while the text is the same.
#[derive(Default)]
pub(crate) struct Parsed {
    subscriptions: Mutex<HashMap<String, Known>>,
    urls: Mutex<HashMap<String, Url>>,
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
    pub(crate) fn subscription(
        &self,
        id: &str,
        owner: &str,
        is_active: bool,
        config: &str,
    ) -> Result<Arc<Subscription>, String> {
        let mut all = self
            .subscriptions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(id)
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
        keep(&mut all, id, known);
        Ok(subscription)
    }

    /// Returns the URL of this text.
    ///
    /// # Errors
    /// Returns an error if the text is not a URL.
    pub(crate) fn url(&self, text: &str) -> Result<Url, url::ParseError> {
        let mut all = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(text) {
            return Ok(known.clone());
        }
        let url = Url::parse(text)?;
        keep(&mut all, text, url.clone());
        Ok(url)
    }
}

fn keep<T>(all: &mut HashMap<String, T>, key: &str, value: T) {
    if all.len() >= LIMIT {
        all.clear();
    }
    all.insert(key.to_owned(), value);
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
    }

    #[test]
    fn no_more_than_the_limit_is_kept() {
        let parsed = Parsed::default();
        for number in 0..=LIMIT {
            let text = format!("https://example.com/{number}");
            assert_eq!(parsed.url(&text).unwrap().as_str(), text);
        }
        assert_eq!(parsed.urls.lock().unwrap().len(), 1);
        assert!(parsed.url("no url").is_err());
    }
}
