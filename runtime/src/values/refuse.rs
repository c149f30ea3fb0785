//! Methods of serializers that accept only some types: all others return `self.refusal()`.

/// Methods that reject scalars.
macro_rules! refuse {
    ($Ok:ty, $Error:ty; $($method:ident($($Type:ty),*);)*) => {
        $(fn $method(self $(, _: $Type)*) -> Result<$Ok, $Error> {
            Err(self.refusal())
        })*
    };
}

/// Methods that reject lists and tuples, and variants with content.
macro_rules! refuse_lists {
    ($Ok:ty, $Error:ty) => {
        crate::values::refuse::refuse_compounds! { $Ok, $Error;
            serialize_seq -> SerializeSeq (Option<usize>);
            serialize_tuple -> SerializeTuple (usize);
            serialize_tuple_struct -> SerializeTupleStruct (&'static str, usize);
            serialize_tuple_variant -> SerializeTupleVariant (&'static str, u32, &'static str, usize);
            serialize_struct_variant -> SerializeStructVariant (&'static str, u32, &'static str, usize);
        }

        fn serialize_newtype_variant<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$Ok, $Error> {
            Err(self.refusal())
        }
    };
}

/// Methods that reject objects.
macro_rules! refuse_objects {
    ($Ok:ty, $Error:ty) => {
        crate::values::refuse::refuse_compounds! { $Ok, $Error;
            serialize_map -> SerializeMap (Option<usize>);
            serialize_struct -> SerializeStruct (&'static str, usize);
        }
    };
}

macro_rules! refuse_compounds {
    ($Ok:ty, $Error:ty; $($method:ident -> $Out:ident ($($Type:ty),*);)*) => {
        $(type $Out = serde::ser::Impossible<$Ok, $Error>;

        fn $method(self $(, _: $Type)*) -> Result<Self::$Out, $Error> {
            Err(self.refusal())
        })*
    };
}

/// Methods that look into optional values and newtypes.
macro_rules! look_inside {
    ($Ok:ty, $Error:ty) => {
        fn serialize_some<T: serde::Serialize + ?Sized>(self, value: &T) -> Result<$Ok, $Error> {
            value.serialize(self)
        }

        fn serialize_newtype_struct<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<$Ok, $Error> {
            value.serialize(self)
        }
    };
}

pub(crate) use {look_inside, refuse, refuse_compounds, refuse_lists, refuse_objects};
