//! Drawn values as strategies of proptest.

use super::{SampleError, Sampler, Seed};
use crate::values::Validate;
use crate::values::read::Value;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

/// The number of steps by which values become smaller.
const SMALLEST: usize = 4;

/// Returns the values of a type as a strategy of proptest, for tests with the macro `proptest!`.
///
/// A failing value is made smaller by drawing it again from the same seed, with less depth: lists become shorter, and
/// optional properties of inner objects absent. The values that proptest stores are seeds of its own.
///
/// ```
/// use bothends_runtime::object;
/// use bothends_runtime::sample::any;
/// use proptest::test_runner::TestRunner;
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub age: u8,
/// }
/// object! { Pet(age: u8) { "age" => age where [maximum(30)] } }
///
/// let mut runner = TestRunner::default();
/// runner
///     .run(&any::<Pet>(), |pet| {
///         assert!(pet.age <= 30);
///         Ok(())
///     })
///     .unwrap();
/// ```
#[must_use]
pub const fn any<T>() -> AnyValue<T> {
    any_of(Sampler::new())
}

/// Returns the values of a sampler as a strategy of proptest: see [`any`].
#[must_use]
pub const fn any_of<T>(sampler: Sampler) -> AnyValue<T> {
    AnyValue {
        sampler,
        marker: PhantomData,
    }
}

/// The strategy of [`any`].
#[derive(Clone)]
pub struct AnyValue<T> {
    sampler: Sampler,
    marker: PhantomData<fn() -> T>,
}

impl<T> Debug for AnyValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyValue({})", std::any::type_name::<T>())
    }
}

impl<T: Value + Validate + Clone + Debug> Strategy for AnyValue<T> {
    type Tree = DrawnValue<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let drawn = DrawnValue::draw(self.sampler, seed);
        drawn.map_err(|error| error.to_string().into())
    }
}

/// A drawn value of the strategy of [`any`], which can be made smaller.
#[derive(Debug, Clone)]
pub struct DrawnValue<T> {
    sampler: Sampler,
    seed: u64,
    value: T,
    /// The value before it was made smaller.
    larger: Option<T>,
    is_final: bool,
}

impl<T: Value + Validate> DrawnValue<T> {
    fn draw(sampler: Sampler, seed: u64) -> Result<Self, SampleError> {
        Ok(Self {
            sampler,
            seed,
            value: sampler.value(&mut Seed::new(seed))?,
            larger: None,
            is_final: false,
        })
    }
}

impl<T: Value + Validate + Clone + Debug> ValueTree for DrawnValue<T> {
    type Value = T;

    fn current(&self) -> T {
        self.value.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.is_final || self.sampler.smaller >= SMALLEST {
            return false;
        }
        self.sampler.smaller += 1;
        match self.sampler.value(&mut Seed::new(self.seed)) {
            Ok(value) => {
                self.larger = Some(std::mem::replace(&mut self.value, value));
                true
            }
            Err(_) => false,
        }
    }

    fn complicate(&mut self) -> bool {
        self.is_final = true;
        match self.larger.take() {
            Some(value) => {
                self.value = value;
                true
            }
            None => false,
        }
    }
}
