//! The table of rules is sound and symmetric.

use std::collections::BTreeSet;

use super::mirrors::{MIRRORS, OPPOSITES, WAIVERS};
use super::{Audience, Direction, Level, Raw, Rule, all, by_id, find};

#[test]
fn the_table_is_sound() {
    let mut ids = BTreeSet::new();
    let mut keys = BTreeSet::new();
    for rule in all() {
        assert!(ids.insert(rule.id), "{} is a duplicate", rule.id);
        assert!(keys.insert((rule.raw, rule.direction)), "{}", rule.id);
        let digits = rule.id.strip_prefix('D').unwrap_or_default();
        assert!(
            digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()),
            "{}",
            rule.id
        );
        assert!(!rule.title.ends_with('.'), "{}", rule.id);
        assert_eq!(by_id(rule.id), Some(rule));
        for audience in Audience::ALL {
            let reason = rule.reason(audience);
            assert!(
                reason.ends_with('.') && !reason.contains(['{', '}']),
                "{}: {reason}",
                rule.id
            );
            assert!(
                reason.starts_with(char::is_uppercase) || reason.starts_with('`'),
                "{reason}"
            );
        }
    }
}

/// Attention has three meanings: an enum or a union grows, and existing readers keep what they do not
/// know; the order of variants decides what is read; a keyword is not compared.
#[test]
fn attention_has_few_meanings() {
    for rule in all() {
        let attention = rule
            .effects
            .iter()
            .any(|effect| effect.level == Level::Attention);
        let expected = matches!(
            rule.raw,
            Raw::ValueAdded | Raw::VariantAdded | Raw::VariantsReordered | Raw::KeywordChanged
        );
        assert_eq!(attention, expected, "{}", rule.id);
    }
}

fn mirrors(raw: Raw) -> Vec<Raw> {
    let pairs = MIRRORS.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let found = pairs
        .filter(|(first, _)| *first == raw)
        .map(|(_, other)| other);
    found.collect()
}

fn has_reverse(rule: &Rule) -> bool {
    let mirrors = mirrors(rule.raw).into_iter();
    mirrors
        .into_iter()
        .any(|mirror| find(mirror, rule.direction).is_some())
}

fn has_direction(rule: &Rule) -> bool {
    let (other, opposite) = match rule.direction {
        Direction::Any => return true,
        Direction::Request => (
            Direction::Response,
            OPPOSITES
                .iter()
                .find(|(request, _)| *request == rule.raw)
                .map(|(_, other)| *other),
        ),
        Direction::Response => (
            Direction::Request,
            OPPOSITES
                .iter()
                .find(|(_, response)| *response == rule.raw)
                .map(|(other, _)| *other),
        ),
    };
    let exact = |raw: Raw| find(raw, other).is_some_and(|found| found.direction == other);
    exact(rule.raw) || opposite.is_some_and(exact)
}

#[test]
fn every_rule_has_its_mirrors_or_a_waiver() {
    let waived = |rule: &Rule, kind: &str| {
        let mut waivers = WAIVERS.iter();
        waivers.any(|(id, waiver, reason)| *id == rule.id && *waiver == kind && !reason.is_empty())
    };
    let mut wrong = Vec::new();
    for rule in all() {
        for (kind, has) in [
            ("reverse", has_reverse(rule)),
            ("direction", has_direction(rule)),
        ] {
            match (has, waived(rule, kind)) {
                (false, false) => wrong.push(format!("{} has no mirror: {kind}", rule.id)),
                (true, true) => wrong.push(format!("{} has a stale waiver: {kind}", rule.id)),
                _ => {}
            }
        }
    }
    for (id, kind, _) in WAIVERS {
        if by_id(id).is_none() || !["reverse", "direction"].contains(kind) {
            wrong.push(format!("the waiver of {id} is for no rule"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mirrored difference exchanges who writes old values and who reads them: what breaks existing
/// writers in one order breaks existing readers in the other.
#[test]
fn reversing_exchanges_both_sides_of_the_wire() {
    let exempt = [
        // Existing readers ignore what they do not know, and new readers do so as well.
        Raw::DefaultAdded,
        Raw::DefaultRemoved,
        Raw::ReadOnlySet,
        Raw::ReadOnlyUnset,
        Raw::WriteOnlySet,
        Raw::WriteOnlyUnset,
        // Attention concerns the future, and the other order has no future.
        Raw::ValueAdded,
        Raw::ValueRemoved,
        Raw::VariantAdded,
        Raw::VariantRemoved,
        // The date is part of the rule.
        Raw::OperationAdded,
        Raw::OperationAddedWithDefault,
        Raw::OperationRemovedAfterSunset,
        Raw::SunsetEarlier,
        Raw::SunsetLater,
        // The document promises something to clients, and nothing to servers.
        Raw::StabilityLowered,
        Raw::StabilityRaised,
        // A client chooses the server, and a server does not choose its client.
        Raw::ServerAdded,
        Raw::ServerRemoved,
        // A client chooses the media type of a response, by `Accept`.
        Raw::MediaAdded,
        Raw::MediaRemoved,
        Raw::LeftOutMediaAdded,
        Raw::LeftOutMediaRemoved,
        Raw::OperationServerChanged,
        Raw::TokenFlowChanged,
        Raw::TaskChanged,
        Raw::TaskValuesChanged,
        // A client follows links and the description of pages, and a server does not read it.
        Raw::PagesAdded,
        Raw::PagesRemoved,
        Raw::PagesChanged,
        Raw::LinkRemoved,
        Raw::LinkTargetChanged,
        Raw::LinkValuesChanged,
    ];
    for rule in all() {
        let [clients, servers, ..] = rule.effects.map(|effect| effect.level);
        for mirror in mirrors(rule.raw) {
            let Some(other) = find(mirror, rule.direction) else {
                continue;
            };
            if exempt.contains(&rule.raw) || exempt.contains(&mirror) {
                continue;
            }
            let [a, b, ..] = other.effects.map(|effect| effect.level);
            assert_eq!((clients, servers), (b, a), "{} and {}", rule.id, other.id);
        }
    }
}
