//! Requests that are drawn by the table of an operation.

use super::{EncodedRequest, Operation, OperationMeta, RequestEncoder};
use crate::message::operation::body::{Body, BodyEncoder};
use crate::message::wire::{Param, Part};
use crate::values::sample::{Dice, Place, Random, SampleError, Sampler, again};
use crate::values::{BODY, EncodeError, Json};

/// A part of a request: a parameter, or the body.
#[derive(Debug)]
pub struct RequestPart {
    /// The location: `path`, `query`, `header`, `cookie` or `body`.
    pub place: &'static str,
    /// The name of a parameter, or the media type of a body.
    pub key: &'static str,
    /// Whether the part is required.
    pub required: bool,
    /// How the value is written.
    pub carrier: Carrier,
}

/// How the value of a part is written.
#[derive(Debug)]
pub enum Carrier {
    /// As a parameter.
    Param(Param, Place),
    /// As a body: one of these.
    Body(&'static [Content]),
}

/// A body of one media type.
#[derive(Debug)]
pub struct Content {
    /// The media type.
    pub media: &'static str,
    /// The format.
    pub format: Format,
    /// The value.
    pub value: Place,
}

/// The format of a body.
#[derive(Debug, Clone, Copy)]
pub enum Format {
    /// JSON.
    Json,
    /// A form, with the encodings of some properties.
    Form(&'static [Part]),
    /// A form with names in brackets.
    DeepForm,
    /// A multipart body, with the encodings of some properties.
    Multipart(&'static [Part]),
    /// Text.
    Text,
    /// Bytes, which are drawn as text.
    Bytes,
    /// A stream, which is not drawn.
    Stream,
}

impl Content {
    /// Returns the contents of a body of several media types.
    pub const fn all<S, T: Body>(_: fn(&S) -> &T) -> &'static [Self] {
        T::CONTENTS
    }

    /// Returns the contents of an optional body of several media types.
    pub const fn all_optional<S, T: Body>(_: fn(&S) -> &Option<T>) -> &'static [Self] {
        T::CONTENTS
    }

    fn write(&self, value: &Json, body: &mut BodyEncoder) {
        match self.format {
            Format::Json => body.json(self.media, value),
            Format::Form(parts) => body.form_with(self.media, value, parts),
            Format::DeepForm => body.deep_form(self.media, value),
            Format::Multipart(parts) => body.multipart_with(self.media, value, parts),
            Format::Text => body.text(self.media, value),
            Format::Bytes | Format::Stream => {
                let text = value.as_str().unwrap_or_default().to_owned();
                body.bytes(self.media, &text);
            }
        }
    }
}

/// A part of a drawn request, and its value.
#[derive(Debug, Clone)]
pub struct SampledPart {
    pub(crate) part: &'static RequestPart,
    pub(crate) content: Option<&'static Content>,
    pub(crate) value: Json,
}

impl SampledPart {
    /// Creates a part with a value. That of a body is JSON of this media type; `None` if the body has no JSON.
    #[cfg(feature = "test")]
    pub(crate) fn with_value(part: &'static RequestPart, media: &str, value: Json) -> Option<Self> {
        let content = match &part.carrier {
            Carrier::Param(..) => None,
            Carrier::Body(contents) => {
                let all = || {
                    contents
                        .iter()
                        .filter(|content| matches!(content.format, Format::Json))
                };
                Some(
                    all()
                        .find(|content| content.media == media)
                        .or_else(|| all().next())?,
                )
            }
        };
        Some(Self {
            part,
            content,
            value,
        })
    }

    /// Returns the location: `path`, `query`, `header`, `cookie` or `body`.
    #[must_use]
    pub const fn place(&self) -> &'static str {
        self.part.place
    }

    /// Returns the name of a parameter; `body` for the body.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.part.carrier {
            Carrier::Param(..) => self.part.key,
            Carrier::Body(_) => BODY,
        }
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(&self) -> &Json {
        &self.value
    }

    /// Returns whether every scalar is a text.
    const fn is_text(&self) -> bool {
        !matches!(
            self.content,
            Some(Content {
                format: Format::Json,
                ..
            })
        )
    }

    fn form(&self) -> Place {
        match (&self.part.carrier, self.content) {
            (_, Some(content)) => content.value,
            (Carrier::Param(_, place), None) => *place,
            (Carrier::Body(_), None) => Place::TEXT,
        }
    }

    fn encode(&self, request: &mut RequestEncoder) {
        match (&self.part.carrier, self.content) {
            (Carrier::Param(param, _), _) => param.encode(self.part.key, &self.value, request),
            (Carrier::Body(_), Some(content)) => content.write(&self.value, request.body()),
            (Carrier::Body(_), None) => {}
        }
    }
}

/// A request that was drawn by the table of an operation. Its values are JSON, so it may also be one that the type
/// of the request cannot represent.
#[derive(Debug, Clone)]
pub struct SampledRequest {
    operation: &'static OperationMeta,
    pub(crate) parts: Vec<SampledPart>,
}

impl SampledRequest {
    /// Creates a request of these parts.
    #[cfg(feature = "test")]
    pub(crate) const fn new(operation: &'static OperationMeta, parts: Vec<SampledPart>) -> Self {
        Self { operation, parts }
    }

    /// Returns the metadata of the operation.
    #[must_use]
    pub const fn operation(&self) -> &'static OperationMeta {
        self.operation
    }

    /// Returns the parts that are present.
    #[must_use]
    pub fn parts(&self) -> &[SampledPart] {
        &self.parts
    }

    /// Writes the parts of the request.
    #[cfg(feature = "test")]
    pub(crate) fn fill(&self, request: &mut RequestEncoder) {
        self.parts.iter().for_each(|part| part.encode(request));
    }

    /// Encodes the request.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be written at its location.
    pub fn encode(&self) -> Result<EncodedRequest, EncodeError> {
        let mut request = RequestEncoder::new(self.operation);
        self.parts.iter().for_each(|part| part.encode(&mut request));
        request.finish()
    }
}

/// A request that is invalid in one part, and the rule that it breaks.
#[derive(Debug, Clone)]
pub struct InvalidRequest {
    request: SampledRequest,
    place: &'static str,
    name: &'static str,
    pointer: String,
    rule: &'static str,
}

impl InvalidRequest {
    /// Returns the request.
    #[must_use]
    pub const fn request(&self) -> &SampledRequest {
        &self.request
    }

    /// Returns the location and the name of the invalid part, as [`SampledPart`] does.
    #[must_use]
    pub const fn part(&self) -> (&'static str, &'static str) {
        (self.place, self.name)
    }

    /// Returns the JSON pointer within the part.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the rule: a keyword of the document.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        self.rule
    }
}

/// Returns whether a change of a value is one where every scalar is a text, and what is empty is absent.
fn is_changed(rule: &str, valid: &Json, value: &Json) -> bool {
    let is_empty = match value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    };
    let is_scalar = valid.is_number() || valid.is_boolean();
    !is_empty && (rule != "type" || is_scalar && (value.is_string() || value.is_f64()))
}

impl Sampler {
    /// Draws a valid request of an operation, without credentials.
    ///
    /// ```
    /// use bothends_runtime::sample::{Sampler, Seed};
    /// use bothends_runtime::{NoError, operation};
    ///
    /// #[derive(Debug, Clone, PartialEq)]
    /// pub struct ListPetsRequest {
    ///     pub limit: u8,
    /// }
    /// operation! {
    ///     "listPets": "GET" "/pets"
    ///     ListPetsRequest(limit: u8) { query "limit" => limit where [minimum(1), maximum(50)] }
    ///     -> ListPetsResponse { 204 }, ListPetsError = NoError
    /// }
    ///
    /// let request = Sampler::new().request::<ListPetsRequest>(&mut Seed::new(1)).unwrap();
    /// let limit = request.parts()[0].value().as_i64().unwrap();
    /// assert!((1..=50).contains(&limit));
    /// assert_eq!(request.encode().unwrap().query, format!("limit={limit}"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no valid request was found: it names the rule.
    pub fn request<O: Operation>(
        &self,
        random: &mut impl Random,
    ) -> Result<SampledRequest, SampleError> {
        self.request_of(O::META, O::PARTS, random)
    }

    /// Draws a request of these parts.
    pub(crate) fn request_of(
        &self,
        operation: &'static OperationMeta,
        parts: &'static [RequestPart],
        random: &mut dyn Random,
    ) -> Result<SampledRequest, SampleError> {
        again(|_| {
            let mut request = SampledRequest {
                operation,
                parts: Vec::new(),
            };
            for part in parts {
                if part.required || !random.next_u64().is_multiple_of(3) {
                    match self.part(part, random) {
                        Ok(sampled) => request.parts.push(sampled),
                        Err(error) if part.required => return Err(error.in_part(part.key)),
                        Err(_) => {}
                    }
                }
            }
            match request.encode() {
                Ok(_) => Ok(request),
                Err(error) => Err(SampleError::new(error.to_string())),
            }
        })
    }

    /// Draws a request that is invalid in one part: a required parameter or body is missing, or its value breaks one
    /// rule.
    ///
    /// # Errors
    ///
    /// Returns an error if no invalid request was found, as for an operation without parameters.
    pub fn invalid_request<O: Operation>(
        &self,
        random: &mut impl Random,
    ) -> Result<InvalidRequest, SampleError> {
        again(|_| self.broken(O::META, O::PARTS, random))
    }

    fn broken(
        &self,
        operation: &'static OperationMeta,
        parts: &'static [RequestPart],
        random: &mut dyn Random,
    ) -> Result<InvalidRequest, SampleError> {
        let mut request = self.request_of(operation, parts, random)?;
        let mut dice = Dice::new(random);
        let (index, is_removed) = (dice.below(request.parts.len()), dice.once_in(4));
        let none = || SampleError::new("no rule: the request has no part".to_owned());
        let sampled = request.parts.get_mut(index).ok_or_else(none)?;
        let (place, name) = (sampled.place(), sampled.name());
        let (pointer, rule) = if is_removed && sampled.part.required && place != "path" {
            request.parts.remove(index);
            (String::new(), "required")
        } else {
            let valid = sampled.value.clone();
            let is_text = sampled.is_text();
            let is_kept =
                |rule: &'static str, value: &Json| !is_text || is_changed(rule, &valid, value);
            let at = sampled.form();
            let (value, pointer, rule) = self.neighbour(random, at, &valid, is_kept)?.into_parts();
            sampled.value = value;
            (pointer, rule)
        };
        match request.encode() {
            Ok(_) => Ok(InvalidRequest {
                request,
                place,
                name,
                pointer,
                rule,
            }),
            Err(error) => Err(SampleError::new(error.to_string())),
        }
    }

    pub(crate) fn part(
        &self,
        part: &'static RequestPart,
        random: &mut dyn Random,
    ) -> Result<SampledPart, SampleError> {
        let (content, place, is_plain) = match &part.carrier {
            Carrier::Param(_, place) => (None, *place, true),
            Carrier::Body(contents) => {
                let is_drawn = |content: &&Content| !matches!(content.format, Format::Stream);
                let drawn: Vec<&Content> = contents.iter().filter(is_drawn).collect();
                let count = u64::try_from(drawn.len()).unwrap_or(1).max(1);
                let index = usize::try_from(random.next_u64() % count).unwrap_or_default();
                let none = || SampleError::new("its media type: streams are not drawn".to_owned());
                let content = *drawn.get(index).ok_or_else(none)?;
                (Some(content), content.value, false)
            }
        };
        Ok(SampledPart {
            part,
            content,
            value: self.json(random, place, is_plain)?,
        })
    }
}

/// The part of a request in the row of an operation.
#[doc(hidden)]
#[macro_export]
macro_rules! __request_part {
    (body [any] $key:literal [$($with:tt)*] [] $field:ident ($($row:tt)*)) => {
        $crate::__request_part!(
            body $key true $crate::private::Content::all(|value: &Self| &value.$field)
        )
    };
    (body [any] $key:literal [$($with:tt)*] [?] $field:ident ($($row:tt)*)) => {
        $crate::__request_part!(
            body $key false $crate::private::Content::all_optional(|value: &Self| &value.$field)
        )
    };
    (body [$($codec:ident)+] $key:literal [$($with:tt)*] [$($opt:tt)?] $field:ident ($($row:tt)*)) => {
        $crate::__request_part!(
            body $key true $(&& $crate::__request_part!(is $opt))?,
            const { &[$crate::__content!([$($codec)+] $key [$($with)*] $crate::__place!($($row)*))] }
        )
    };
    (is ?) => { false };
    (body $key:literal $required:expr, $contents:expr) => {
        $crate::private::RequestPart {
            place: "body",
            key: $key,
            required: $required,
            carrier: $crate::private::Carrier::Body($contents),
        }
    };
    (body $key:literal $required:literal $contents:expr) => {
        $crate::__request_part!(body $key $required, $contents)
    };
    ($place:ident [$($style:ident)*] $key:literal [$($with:tt)*] [$($opt:tt)?] $field:ident ($($row:tt)*)) => {
        $crate::private::RequestPart {
            place: ::core::stringify!($place),
            key: $key,
            required: true $(&& $crate::__request_part!(is $opt))?,
            carrier: $crate::private::Carrier::Param(
                $crate::ParameterStyle::$place() $(.$style())*,
                $crate::__place!($($row)*),
            ),
        }
    };
}

/// The content of a body: its codec, its media type, the encodings of its properties, and its place.
#[doc(hidden)]
#[macro_export]
macro_rules! __content {
    ([json] $media:literal [$($with:tt)*] $place:expr) => {
        $crate::__content!($media Json, $place)
    };
    ([unchecked_json] $($rest:tt)*) => { $crate::__content!([json] $($rest)*) };
    ([form deep] $($rest:tt)*) => { $crate::__content!([deep_form] $($rest)*) };
    ([deep_form] $media:literal [$($with:tt)*] $place:expr) => {
        $crate::__content!($media DeepForm, $place)
    };
    ([form] $media:literal [$(with [$($part:expr),* $(,)?])?] $place:expr) => {
        $crate::__content!($media Form($crate::__parts![$($($part),*)?]), $place)
    };
    ([unchecked_form] $($rest:tt)*) => { $crate::__content!([form] $($rest)*) };
    ([multipart] $media:literal [$(with [$($part:expr),* $(,)?])?] $place:expr) => {
        $crate::__content!($media Multipart($crate::__parts![$($($part),*)?]), $place)
    };
    ([unchecked_multipart] $($rest:tt)*) => { $crate::__content!([multipart] $($rest)*) };
    ([text] $media:literal [$($with:tt)*] $place:expr) => {
        $crate::__content!($media Text, $place)
    };
    ([unchecked_text] $($rest:tt)*) => { $crate::__content!([text] $($rest)*) };
    ([bytes] $media:literal $($rest:tt)*) => {
        $crate::__content!($media Bytes, $crate::private::Place::TEXT)
    };
    ([chunks] $media:literal $($rest:tt)*) => {
        $crate::__content!($media Bytes, $crate::private::Place::TEXT)
    };
    ([$($codec:ident)+] $media:literal $($rest:tt)*) => {
        $crate::__content!($media Stream, $crate::private::Place::TEXT)
    };
    ($media:literal $Format:ident $(($parts:expr))?, $place:expr) => {
        $crate::private::Content {
            media: $media,
            format: $crate::private::Format::$Format $(($parts))?,
            value: $place,
        }
    };
}
