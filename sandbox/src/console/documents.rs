//! Documents of the whole sandbox.

/// Implements [`Document`] for documents of the whole sandbox.
macro_rules! documents {
    ($($type:ty => $kind:literal),*) => {
        $(impl $crate::store::Document for $type {
            const KIND: &'static str = $kind;

            fn project(&self) -> &'static str {
                ""
            }

            fn id(&self) -> &str {
                &self.id
            }
        })*
    };
}

pub(super) use documents;
