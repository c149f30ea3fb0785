//! Levels of the configuration in place of those of the rules.

use std::collections::BTreeMap;

use super::change::{Change, Report};
use super::rules::{Audience, Level, Rule, Rust};

/// Levels by rule, for each audience that has one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Severities(BTreeMap<String, [Option<Level>; 4]>);

impl Severities {
    /// Sets the level of a rule for an audience.
    pub fn set(&mut self, rule: &str, audience: Audience, level: Level) {
        let levels = self.0.entry(rule.to_ascii_uppercase()).or_default();
        levels[audience as usize] = Some(level);
    }

    fn get(&self, rule: &str, audience: Audience) -> Option<Level> {
        self.0
            .get(rule)
            .and_then(|levels| levels[audience as usize])
    }

    /// Returns the level of a change for an audience, or `None` if it is that of the rules.
    fn level_of(&self, change: &Change, audience: Audience, rust: Rust) -> Option<Level> {
        let level = change.outcome(audience).level;
        let by_rule = |rule: &&'static Rule| rule.level_in(audience, rust);
        let by_rules = change.rules.iter().map(by_rule).max();
        // A change that is safer than its rules reaches no message, or was to be expected.
        if by_rules.is_some_and(|by_rules| level < by_rules) {
            return None;
        }
        let set = |id| self.get(id, audience);
        if change.rules.iter().all(|rule| set(rule.id).is_none()) {
            return None;
        }
        let levels = change.rules.iter();
        levels
            .map(|rule| set(rule.id).unwrap_or_else(|| by_rule(rule)))
            .max()
    }
}

impl Report {
    /// Gives changes the levels of the configuration, for the place of generated code. The version
    /// bump follows the rules.
    pub fn rate(&mut self, severities: &Severities, rust: Rust) {
        for change in &mut self.changes {
            let rated = Audience::ALL.map(|audience| change.rated(audience));
            for audience in Audience::ALL {
                let Some(level) = severities.level_of(change, audience, rust) else {
                    continue;
                };
                change.rated = Some(rated);
                let outcome = &mut change.outcomes[audience as usize];
                let by_rules = rated[audience as usize].name();
                outcome.level = level;
                outcome.reason = format!(
                    "`[severities]` sets the level, which is {by_rules} by the rule. {}",
                    outcome.reason
                );
            }
        }
    }
}
