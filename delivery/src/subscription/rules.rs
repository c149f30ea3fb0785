//! The rules of a document for subscriptions.

use super::{InvalidSubscription, Signing, SubscriptionBuilder, beginning};
use bothends_runtime::SubscriptionRules;

impl SubscriptionBuilder {
    /// Validates the subscription against the rules of a document.
    pub(super) fn keep(&mut self, rules: &SubscriptionRules) -> Result<(), InvalidSubscription> {
        self.resolve_patterns(rules);
        let products = self.products.as_deref();
        let product_missing = |kind: &str| -> Option<&'static str> {
            let product = rules.product_of(kind)?;
            let used = products?.iter().any(|used| used == product);
            (!used).then_some(product)
        };
        let own = self.urls.iter().map(|(kind, _)| kind);
        for event in self.events.iter().chain(own) {
            if !rules.kinds.contains(&event.as_str()) {
                return Err(InvalidSubscription::UnknownEvent {
                    event: event.clone(),
                    known: rules.kinds,
                });
            }
            if let Some(product) = product_missing(event) {
                return Err(InvalidSubscription::Product {
                    event: event.clone(),
                    product,
                });
            }
        }
        if let (Signing::Token(token), Some(longer_than)) = (&self.signing, rules.token_longer_than)
            && token.expose().chars().count() <= longer_than
        {
            return Err(InvalidSubscription::TokenLength { longer_than });
        }
        self.has_required(rules)?;
        // "Every event" means every event that is available to the owner.
        if self.url.is_some() && self.events.is_empty() {
            let mut open = Vec::new();
            let mut closed = None;
            for kind in rules.kinds {
                match product_missing(kind) {
                    None => open.push((*kind).to_owned()),
                    Some(product) => closed = Some((*kind, product)),
                }
            }
            match closed {
                Some((event, product)) if open.is_empty() => {
                    return Err(InvalidSubscription::Product {
                        event: event.to_owned(),
                        product,
                    });
                }
                Some(_) => self.events = open,
                None => {}
            }
        }
        Ok(())
    }

    /// Replaces patterns by the kinds that they select. A pattern without such a kind is an unknown event.
    fn resolve_patterns(&mut self, rules: &SubscriptionRules) {
        let products = self.products.as_deref();
        let is_available = |kind: &&str| match (rules.product_of(kind), products) {
            (Some(product), Some(products)) => products.iter().any(|used| used == product),
            _ => true,
        };
        let resolved = |event: &String| -> Vec<String> {
            let known = rules.kinds.iter().copied();
            let selects =
                |kind: &&str| beginning(event).is_some_and(|prefix| kind.starts_with(prefix));
            let known: Vec<&str> = known.filter(selects).collect();
            let available: Vec<&str> = known.iter().copied().filter(is_available).collect();
            let kinds = match (available.is_empty(), known.is_empty()) {
                (false, _) => available,
                // These are reported.
                (true, false) => known,
                (true, true) => vec![event.as_str()],
            };
            kinds.into_iter().map(str::to_owned).collect()
        };
        self.events = self.events.iter().flat_map(resolved).collect();
        // The last URL of a kind counts: that of a kind, or that of the longest pattern.
        let order = |event: &str| beginning(event).map_or(usize::MAX, str::len);
        self.urls.sort_by_key(|(event, _)| order(event));
        let urls = self.urls.iter().flat_map(|(event, url)| {
            let kinds = resolved(event).into_iter();
            kinds.map(|kind| (kind, url.clone()))
        });
        self.urls = urls.collect();
    }

    /// Checks that all required attributes are present. A URL is always required.
    fn has_required(&self, rules: &SubscriptionRules) -> Result<(), InvalidSubscription> {
        for attribute in rules.required.iter().copied() {
            let missing = match attribute {
                "events" => self.events.is_empty() && self.urls.is_empty(),
                "additional-headers" => self.headers.is_empty(),
                "signing-token" => !matches!(self.signing, Signing::Token(_)),
                _ => false,
            };
            if missing {
                return Err(InvalidSubscription::Missing { attribute });
            }
        }
        Ok(())
    }
}
