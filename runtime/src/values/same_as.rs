//! Methods of a deserializer that forward to another of its methods.

macro_rules! same_as {
    ($($method:ident($($arg:ident: $Arg:ty),*) => $other:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $(_: $Arg,)* visitor: V) -> Result<V::Value, Self::Error> {
            self.$other(visitor)
        })*
    };
}
pub(crate) use same_as;
