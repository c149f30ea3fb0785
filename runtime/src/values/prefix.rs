//! Arrays whose first items have types of their own.

use crate::values::WireError;
use crate::values::check::Checker;
#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::outline::Outline;
use crate::values::read::{Arena, Builtin, Kind, Own, Plain, ReadAs, Seed, State, Value};
use crate::values::table::Left;
use crate::values::{Json, Presence, Rule, Strictness, Validate};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeSeq, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// An array that begins with items of their own types (`prefixItems` of JSON Schema).
///
/// `required` is a tuple of the items that are always present (`minItems`), `optional` a tuple of
/// those that a shorter array omits, and `rest` contains the following items: of the type of
/// `items`, or any JSON. [`NoItem`] represents `items: false`.
///
/// ```
/// use bothends_runtime::{Json, TupleList};
///
/// type Entry = TupleList<(String,), (Option<i64>,), Json>;
///
/// let entry: Entry = serde_json::from_str(r#"["a", 1, true]"#).unwrap();
/// assert_eq!((entry.required.0.as_str(), entry.optional.0), ("a", Some(1)));
/// assert_eq!(serde_json::to_string(&entry).unwrap(), r#"["a",1,true]"#);
/// assert_eq!(serde_json::to_string(&Entry::new(("a".to_owned(),))).unwrap(), r#"["a"]"#);
/// assert!(serde_json::from_str::<Entry>("[]").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TupleList<P, O = (), R = Json> {
    /// The items that are always present.
    pub required: P,
    /// The items that a shorter array omits.
    pub optional: O,
    /// The following items.
    pub rest: Vec<R>,
}

impl<P, O: Default, R> TupleList<P, O, R> {
    /// Creates an array of the required items only.
    pub fn new(required: P) -> Self {
        Self {
            required,
            optional: O::default(),
            rest: Vec::new(),
        }
    }
}

/// The item type of an empty array: no value of it exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoItem {}

impl<'de> Deserialize<'de> for NoItem {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("is an item too many"))
    }
}

impl Serialize for NoItem {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        match *self {}
    }
}

impl Validate for NoItem {}

/// A tuple of items.
pub trait Tuple {
    /// The number of items.
    const COUNT: usize;
}

/// A tuple of items that are always present, each of which is read as `M`.
pub trait RequiredItems<M>: Tuple + Sized {
    /// Deserializes the items.
    fn read<'de, A: SeqAccess<'de>>(seq: &mut A, state: &State<'_>) -> Result<Self, A::Error>;
    /// Serializes the items.
    fn write<S: SerializeSeq>(&self, seq: &mut S) -> Result<(), S::Error>;
}

/// A tuple of items that a shorter array omits, each of which is read as `M`.
pub trait OptionalItems<M>: Tuple + Default {
    /// Deserializes the items that are present.
    fn read<'de, A: SeqAccess<'de>>(
        seq: &mut A,
        from: usize,
        gap: &mut Gap,
        state: &State<'_>,
    ) -> Result<Self, A::Error>;
    /// Serializes the items that are present, and returns whether all of them are.
    fn write<S: SerializeSeq>(&self, seq: &mut S) -> Result<bool, S::Error>;
}

/// A tuple of items that tables describe.
pub trait TableItems: Tuple {
    /// Checks the items, the first of which is at `from`.
    fn check(&self, checker: &mut Checker, rules: &[Rule], from: usize);
    /// Returns the form of each item.
    #[cfg(feature = "sample")]
    fn forms() -> Vec<Form>;
}

/// The place of the first null that counts as absent. A server accepts none with an item behind it.
#[derive(Debug, Default)]
pub struct Gap(Option<usize>);

impl Gap {
    /// Adds an item that is present.
    fn close<E: serde::de::Error>(&self, state: &State<'_>) -> Result<(), E> {
        match self.0 {
            Some(place) if state.is_strict() => {
                let error = WireError::new(NULL_BEFORE).within(&format!("[{place}]"));
                Err(state.raise(error.into()))
            }
            _ => Ok(()),
        }
    }
}

const NULL_BEFORE: &str = "must not be null before another item";

/// Deserializes an item that may be missing; `None` at the end of the array.
fn read_optional<'de, T: Left<M>, M: ReadAs<T>, A: SeqAccess<'de>>(
    seq: &mut A,
    place: usize,
    gap: &mut Gap,
    state: &State<'_>,
) -> Result<Option<T>, A::Error> {
    let Some(item) = seq.next_element_seed(Seed::<T, M>::new(state))? else {
        return Ok(None);
    };
    let item = match item.is_absent() {
        false => item,
        // The item is present, so it was null.
        true => match T::null() {
            Some(null) => null,
            None => {
                let absent = state.null_as_absent();
                absent.map_err(|error| state.raise(error.within(&format!("[{place}]")).into()))?;
                gap.0.get_or_insert(place);
                return Ok(Some(item));
            }
        },
    };
    gap.close(state)?;
    Ok(Some(item))
}

const GAP: &str = "an item of a list is absent, and one behind it is not";

/// Serializes an item, unless the array has ended before it.
fn write_optional<T: Serialize + Presence, S: SerializeSeq>(
    seq: &mut S,
    item: &T,
    ended: &mut bool,
) -> Result<(), S::Error> {
    match (item.is_absent(), *ended) {
        (true, _) => *ended = true,
        (false, true) => return Err(S::Error::custom(GAP)),
        (false, false) => seq.serialize_element(item)?,
    }
    Ok(())
}

macro_rules! tuples {
    ($($count:literal: $($T:ident $place:tt)*;)*) => {
        $(
            impl<$($T),*> Tuple for ($($T,)*) {
                const COUNT: usize = $count;
            }

            #[allow(unused_variables, clippy::unused_unit)]
            impl<$($T: Serialize,)* Mode> RequiredItems<Mode> for ($($T,)*)
            where
                $(Mode: ReadAs<$T>,)*
            {
                fn read<'de, Seq: SeqAccess<'de>>(
                    seq: &mut Seq,
                    state: &State<'_>,
                ) -> Result<Self, Seq::Error> {
                    Ok(($(
                        match seq.next_element_seed(Seed::<$T, Mode>::new(state))? {
                            Some(item) => item,
                            None => return Err(too_short($count)),
                        },
                    )*))
                }

                fn write<Seq: SerializeSeq>(&self, seq: &mut Seq) -> Result<(), Seq::Error> {
                    $(seq.serialize_element(&self.$place)?;)*
                    Ok(())
                }
            }

            #[allow(unused_variables, unused_mut, unused_assignments)]
            impl<$($T: Left<Mode> + Serialize,)* Mode> OptionalItems<Mode> for ($($T,)*)
            where
                $(Mode: ReadAs<$T>,)*
            {
                fn read<'de, Seq: SeqAccess<'de>>(
                    seq: &mut Seq,
                    from: usize,
                    gap: &mut Gap,
                    state: &State<'_>,
                ) -> Result<Self, Seq::Error> {
                    let mut items = Self::default();
                    $(match read_optional::<$T, Mode, Seq>(seq, from + $place, gap, state)? {
                        Some(item) => items.$place = item,
                        None => return Ok(items),
                    })*
                    Ok(items)
                }

                fn write<Seq: SerializeSeq>(&self, seq: &mut Seq) -> Result<bool, Seq::Error> {
                    let mut ended = false;
                    $(write_optional(seq, &self.$place, &mut ended)?;)*
                    Ok(!ended)
                }
            }

            #[allow(unused_variables)]
            impl<$($T: Value),*> TableItems for ($($T,)*) {
                fn check(&self, checker: &mut Checker, rules: &[Rule], from: usize) {
                    $(checker.prefix_item(from + $place, &self.$place, rules);)*
                }

                #[cfg(feature = "sample")]
                fn forms() -> Vec<Form> {
                    vec![$($T::form()),*]
                }
            }
        )*
    };
}

tuples! {
    0:;
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

fn too_short<E: serde::de::Error>(least: usize) -> E {
    let items = if least == 1 { "item" } else { "items" };
    E::custom(format!("has fewer than {least} {items}"))
}

impl<P, O, R> Value for TupleList<P, O, R>
where
    P: RequiredItems<Own> + TableItems,
    O: OptionalItems<Own> + TableItems,
    R: Value + Serialize,
    Self: Serialize,
{
    type Kind = Builtin;
}

impl<P, O, R> Kind<TupleList<P, O, R>> for Builtin
where
    P: RequiredItems<Own> + TableItems,
    O: OptionalItems<Own> + TableItems,
    R: Value,
{
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<TupleList<P, O, R>, D::Error> {
        deserializer.deserialize_tuple_struct(
            "TupleList",
            P::COUNT,
            PrefixVisitor::<_, Own>(state, PhantomData),
        )
    }

    fn outline() -> Outline {
        Outline::List(|| Outline::Any)
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::Prefix(|| (P::forms(), O::forms()), R::form)
    }
}

/// Reads the items by serde's traits, which the types of a user have, too.
impl<'de, P, O, R> Deserialize<'de> for TupleList<P, O, R>
where
    P: RequiredItems<Plain>,
    O: OptionalItems<Plain>,
    R: DeserializeOwned,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let arena = Arena::default();
        let state = State::direct(&arena, Strictness::Lenient);
        deserializer.deserialize_tuple_struct(
            "TupleList",
            P::COUNT,
            PrefixVisitor::<_, Plain>(&state, PhantomData),
        )
    }
}

struct PrefixVisitor<'s, 't, T, M>(&'s State<'t>, PhantomData<(T, M)>);

impl<'de, P, O, R, M> Visitor<'de> for PrefixVisitor<'_, '_, TupleList<P, O, R>, M>
where
    P: RequiredItems<M>,
    O: OptionalItems<M>,
    M: ReadAs<R>,
{
    type Value = TupleList<P, O, R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let state = self.0;
        let required = P::read(&mut seq, state)?;
        let mut gap = Gap::default();
        let optional = O::read(&mut seq, P::COUNT, &mut gap, state)?;
        let mut rest = Vec::new();
        while let Some(item) = seq.next_element_seed(Seed::<R, M>::new(state))? {
            gap.close(state)?;
            rest.push(item);
        }
        Ok(TupleList {
            required,
            optional,
            rest,
        })
    }
}

impl<P, O, R: Serialize> Serialize for TupleList<P, O, R>
where
    P: RequiredItems<Plain>,
    O: OptionalItems<Plain>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        self.required.write(&mut seq)?;
        let all = self.optional.write(&mut seq)?;
        if !all && !self.rest.is_empty() {
            return Err(S::Error::custom(GAP));
        }
        for item in &self.rest {
            seq.serialize_element(item)?;
        }
        seq.end()
    }
}

impl<P: TableItems, O: TableItems, R: Serialize + Validate> Validate for TupleList<P, O, R>
where
    Self: Serialize,
{
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        checker.whole_list(self, rules);
        self.required.check(checker, rules, 0);
        self.optional.check(checker, rules, P::COUNT);
        checker.rest_items(P::COUNT + O::COUNT, &self.rest, rules);
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;
    use crate::values::read::json;
    use crate::values::{Leniencies, Leniency, Strictness};

    type Tuple = TupleList<(i64,), (Option<i64>, Option<i64>), i64>;

    fn error(text: &str, strictness: Strictness) -> Option<String> {
        let read = json::<Tuple, Own>(text, strictness);
        read.err().map(|errors| errors.in_words())
    }

    #[test]
    fn items_behind_an_invalid_one_keep_their_places() {
        type Mixed = TupleList<(i64, String), (Option<Vec<i64>>,), bool>;
        let none = Strictness::Strict(Leniencies::default());
        let read = json::<Mixed, Own>(r#"[1,"a",["x",2,"y"],true]"#, none);
        let errors = read.err().map(|errors| errors.in_words());
        let expected = "[2][0]: must be an integer; [2][2]: must be an integer";
        assert_eq!(errors.as_deref(), Some(expected));
    }

    #[test]
    fn a_server_takes_null_for_absent_at_the_end_only() {
        let none = Strictness::Strict(Leniencies::default());
        let nulls = Strictness::Strict(Leniencies::default().with(Leniency::NullAsAbsent));
        for text in [
            "[1]",
            "[1,2,3,4]",
            "[1,null]",
            "[1,null,null]",
            "[1,2,null]",
        ] {
            assert_eq!(error(text, nulls), None, "{text}");
            assert_eq!(error(text, none).is_some(), text.contains("null"), "{text}");
        }
        for (text, place) in [
            ("[1,null,3]", 1),
            ("[1,2,null,4]", 2),
            ("[1,null,null,4]", 1),
        ] {
            let expected = format!("[{place}]: {NULL_BEFORE}");
            assert_eq!(error(text, nulls), Some(expected), "{text}");
            assert_eq!(error(text, Strictness::Lenient), None, "{text}");
        }
    }
}
