//! The known effects of the differences that mutants have. They are written here and not read from
//! the table of rules.

use bothends::diff::{Audience, Change, Level, Raw};

/// A difference with its levels in requests and in responses: `s`afe, `a`ttention or `b`reaking for
/// each audience in the order of [`Audience::ALL`]. `-` does not occur.
const EFFECTS: &[(Raw, &str, &str)] = &[
    (Raw::PropertyAdded, "ssss", "ssss"),
    (Raw::PropertyRemoved, "ssbb", "ssbb"),
    (Raw::RequiredPropertyAdded, "bsbs", "sbsb"),
    (Raw::RequiredPropertyRemoved, "sbbb", "bsbb"),
    (Raw::ClosedPropertyAdded, "sbss", "ssss"),
    (Raw::ClosedPropertyRemoved, "bsbb", "ssbb"),
    (Raw::ClosedRequiredPropertyAdded, "bbbs", "sbsb"),
    (Raw::ClosedRequiredPropertyRemoved, "bbbb", "bsbb"),
    (Raw::PropertyRequired, "bsbb", "sbbb"),
    (Raw::PropertyOptional, "sbbb", "bsbb"),
    (Raw::ConstraintNarrowed, "bsss", "sbss"),
    (Raw::ConstraintWidened, "sbss", "bsss"),
    (Raw::TypeChanged, "bbbb", "bbbb"),
    (Raw::TypeWidened, "sbbb", "bsbb"),
    (Raw::TypeNarrowed, "bsbb", "sbbb"),
    (Raw::ValueAdded, "-", "asas"),
    (Raw::ValueRemoved, "-", "ssbb"),
    (Raw::KnownValueAdded, "sbss", "-"),
    (Raw::KnownValueRemoved, "bsbb", "-"),
    (Raw::OperationAdded, "sbsb", "sbsb"),
    (Raw::OperationRemoved, "bsbb", "bsbb"),
    (Raw::OperationRenamed, "ssbb", "ssbb"),
    (Raw::OperationDeprecated, "ssss", "ssss"),
    (Raw::OperationUndeprecated, "ssss", "ssss"),
    (Raw::ParamAdded, "ssss", "-"),
    (Raw::ParamRemoved, "ssbb", "-"),
    (Raw::RequiredParamAdded, "bsbs", "-"),
    (Raw::RequiredParamRemoved, "sbbb", "-"),
    (Raw::ErrorAdded, "-", "ssss"),
    (Raw::ErrorRemoved, "-", "ssbb"),
];

/// The pairs of differences that are the reverse of each other, beside those that are their own.
const REVERSES: &[(Raw, Raw)] = &[
    (Raw::PropertyAdded, Raw::PropertyRemoved),
    (Raw::RequiredPropertyAdded, Raw::RequiredPropertyRemoved),
    (Raw::ClosedPropertyAdded, Raw::ClosedPropertyRemoved),
    (
        Raw::ClosedRequiredPropertyAdded,
        Raw::ClosedRequiredPropertyRemoved,
    ),
    (Raw::PropertyRequired, Raw::PropertyOptional),
    (Raw::ConstraintNarrowed, Raw::ConstraintWidened),
    (Raw::TypeWidened, Raw::TypeNarrowed),
    (Raw::ValueAdded, Raw::ValueRemoved),
    (Raw::KnownValueAdded, Raw::KnownValueRemoved),
    (Raw::OperationAdded, Raw::OperationRemoved),
    (Raw::OperationDeprecated, Raw::OperationUndeprecated),
    (Raw::ParamAdded, Raw::ParamRemoved),
    (Raw::RequiredParamAdded, Raw::RequiredParamRemoved),
    (Raw::ErrorAdded, Raw::ErrorRemoved),
];

/// Returns the difference in the other order.
pub(crate) fn reverse(raw: Raw) -> Raw {
    let found = REVERSES.iter().find_map(|(left, right)| {
        if *left == raw {
            return Some(*right);
        }
        (*right == raw).then_some(*left)
    });
    found.unwrap_or(raw)
}

/// Returns the levels of a difference in requests, in responses, in both, or in no message.
pub(crate) fn levels(raws: [Raw; 2], (requests, responses): (bool, bool)) -> String {
    let row = |raw: Raw| {
        EFFECTS
            .iter()
            .find(|(known, ..)| *known == raw)
            .expect("a row")
    };
    let sides = [row(raws[0]).1, row(raws[1]).2];
    let unused = !requests && !responses;
    (0..4)
        .map(|at| {
            let is_wire = Audience::ALL[at].is_wire();
            let used = [requests || unused, responses || unused];
            let levels = sides.iter().zip(used).filter(|(_, used)| *used);
            let levels = levels.filter_map(|(side, _)| side.chars().nth(at));
            // No message contains an unused type, and both crates have it.
            let worst = levels.max_by_key(|level| "sab".find(*level)).unwrap_or('-');
            if unused && is_wire { 's' } else { worst }
        })
        .collect()
}

/// Returns the levels of a change.
pub(crate) fn found(change: &Change) -> String {
    let level = |audience: Audience| match change.outcome(audience).level {
        Level::Safe => 's',
        Level::Attention => 'a',
        Level::Breaking => 'b',
    };
    Audience::ALL.into_iter().map(level).collect()
}
