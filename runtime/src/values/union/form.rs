//! The forms of unions without a discriminator, for drawing their values.

use super::{Union, UnionVariant};
use crate::values::form::Form;
use crate::values::read::{Arena, Reader, State, strictly};
use crate::values::{Json, Node, Validate};

/// Returns the form of a union without a discriminator.
pub(super) fn one_of<T: Union>() -> Form {
    Form::OneOf {
        variants: || {
            T::variants(|variants| variants.iter().map(|variant| variant.form()).collect())
        },
        rules: T::RULES,
        accepting: |value| T::variants(|variants| accepting(value, variants)),
    }
}

/// Returns how many variants accept a value.
fn accepting<T: Validate>(value: &Json, variants: &[&dyn UnionVariant<T>]) -> usize {
    let node = Node::from_json(value.clone());
    let accepts = |variant: &&&dyn UnionVariant<T>| {
        let arena = Arena::default();
        let state = State::tree(&arena, strictly());
        let read = variant.decode(Reader::new(&state, &node, false));
        read.is_ok_and(|value| value.validate().is_ok())
    };
    variants.iter().filter(accepts).count()
}
