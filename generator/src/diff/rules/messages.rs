//! Parameters and request bodies (`D02`), responses (`D03`), and media types (`D021`, `D031`).

use super::{
    Direction::{Request, Response},
    Raw, Rule, Sides, breaking, flow, rule, safe,
};

const SAME_CODE: super::Effect = safe("The Rust code stays the same.");
const NEW_TYPE: super::Effect = breaking("The Rust type of the value changes.");
const STATUS_ADDED: super::Effect =
    safe("A variant is added to a `#[non_exhaustive]` enum. A new type is a change of its own.")
        .guarded();
const MEDIA_NOT_SENT: super::Effect = safe("Existing {writers} do not send the media type.");
const MEDIA_NOT_READ: super::Effect = breaking("Existing {readers} reject the media type.");
const MEDIA_REJECTED: super::Effect = breaking("New {readers} reject the media type.");
const MEDIA_LEFT: super::Effect = safe("Existing servers accept every remaining media type.");
const MEDIA_ASKED: super::Effect =
    breaking("Existing clients may ask for the media type (`Accept`).");
const LEFT_OUT: super::Effect = safe("Generated code leaves out the media type before and after.");
const FIELD_GONE: super::Effect = breaking("The field no longer exists.");
const NEW_FIELD: super::Effect =
    safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded();

/// The rules with both directions: content of bodies.
#[rustfmt::skip]
pub(super) const FLOWS: &[[Rule; 2]] = &[
    flow(Raw::MediaAdded, ["D0241", "D0341"], "media type added", &Sides {
        writers: MEDIA_NOT_SENT,
        readers: MEDIA_NOT_READ,
        constructs: safe("Existing media types stay the same.").guarded(),
        reads: safe("Existing media types stay the same.").guarded(),
    }),
    [
        rule(Raw::MediaRemoved, "D0242", Request, "media type removed", [
            MEDIA_REJECTED,
            MEDIA_LEFT,
            breaking("The content of this media type can no longer be constructed."),
            breaking("The content of this media type no longer has a variant."),
        ]),
        rule(Raw::MediaRemoved, "D0342", Response, "media type removed", [
            MEDIA_ASKED,
            MEDIA_REJECTED,
            breaking("The content of this media type no longer has a variant."),
            breaking("The content of this media type can no longer be constructed."),
        ]),
    ],
    flow(Raw::LeftOutMediaAdded, ["D0245", "D0345"], "media type added that generated code leaves out", &Sides {
        writers: MEDIA_NOT_SENT,
        readers: MEDIA_NOT_READ,
        constructs: LEFT_OUT,
        reads: LEFT_OUT,
    }),
    [
        rule(Raw::LeftOutMediaRemoved, "D0246", Request, "media type removed that generated code leaves out", [
            MEDIA_REJECTED, MEDIA_LEFT, LEFT_OUT, LEFT_OUT,
        ]),
        rule(Raw::LeftOutMediaRemoved, "D0346", Response, "media type removed that generated code leaves out", [
            MEDIA_ASKED, MEDIA_REJECTED, LEFT_OUT, LEFT_OUT,
        ]),
    ],
    flow(Raw::CodecChanged, ["D0243", "D0343"], "serialization of a body changed", &Sides {
        writers: breaking("New {readers} expect another serialization."),
        readers: breaking("Existing {readers} expect the old serialization."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::PartChanged, ["D0244", "D0344"], "serialization of a part of a form changed", &Sides {
        writers: breaking("New {readers} expect another serialization of the part."),
        readers: breaking("Existing {readers} expect the old serialization of the part."),
        constructs: SAME_CODE,
        reads: SAME_CODE,
    }),
];

/// The rules of one direction.
#[rustfmt::skip]
pub(super) const TABLE: &[Rule] = &[
    rule(Raw::ParamAdded, "D0201", Request, "optional parameter added", [
        safe("Existing clients do not send the parameter, which may be absent."),
        safe("Existing servers ignore parameters that they do not know."),
        safe("Constructors stay the same, and a setter is added.").guarded(),
        NEW_FIELD,
    ]),
    rule(Raw::ParamRemoved, "D0202", Request, "optional parameter removed", [
        safe("New servers ignore the parameter."),
        safe("Existing servers accept the absence of the parameter."),
        breaking("The field and its setter no longer exist."),
        FIELD_GONE,
    ]),
    rule(Raw::RequiredParamAdded, "D0203", Request, "required parameter added", [
        breaking("Existing clients do not send the parameter, which new servers require."),
        safe("Existing servers ignore parameters that they do not know."),
        breaking("The constructor of the request has an argument for the parameter."),
        NEW_FIELD,
    ]),
    rule(Raw::RequiredParamRemoved, "D0204", Request, "required parameter removed", [
        safe("New servers ignore the parameter."),
        breaking("Existing servers require the parameter."),
        breaking("The constructor of the request has no argument for the parameter."),
        FIELD_GONE,
    ]),
    rule(Raw::ParamRequired, "D0205", Request, "optional parameter became required", [
        breaking("Existing clients may omit the parameter, which new servers require."),
        safe("Existing servers accept the parameter."),
        breaking("The constructor of the request has an argument for the parameter."),
        breaking("The field is no longer an `Option`."),
    ]),
    rule(Raw::ParamOptional, "D0206", Request, "required parameter became optional", [
        safe("Existing clients always send the parameter."),
        breaking("Existing servers require the parameter, which may now be absent."),
        breaking("The constructor of the request has no argument for the parameter."),
        breaking("The field is an `Option`."),
    ]),
    rule(Raw::KeyRequired, "D0213", Request, "idempotency key became required", [
        breaking("Existing clients may omit the key, which new servers require."),
        safe("Existing servers accept the key."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::KeyOptional, "D0214", Request, "idempotency key became optional", [
        safe("Existing clients always send the key."),
        breaking("Existing servers require the key, which may now be absent."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::PathParamRenamed, "D0207", Request, "path parameter renamed", [
        safe("The name of a path parameter is not sent."),
        safe("The name of a path parameter is not sent."),
        breaking("The field has a new name."),
        breaking("The field has a new name."),
    ]),
    rule(Raw::PathParamsExchanged, "D0215", Request, "path parameters exchanged their places", [
        safe("The name of a path parameter is not sent."),
        safe("The name of a path parameter is not sent."),
        safe("The fields keep their names. Another order of arguments is a change of its own."),
        safe("The fields keep their names."),
    ]),
    rule(Raw::PathParamTypesExchanged, "D0216", Request, "path parameters of different types exchanged their places", [
        breaking("New servers reject values of the old types."),
        breaking("Existing servers reject values of the new types."),
        safe("The fields keep their names and types. Another order of arguments is a change of its own."),
        safe("The fields keep their names and types."),
    ]),
    rule(Raw::ParamStyle, "D0208", Request, "serialization of a parameter changed", [
        breaking("New servers expect another serialization."),
        breaking("Existing servers expect the old serialization."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::ParamMoved, "D0209", Request, "parameter moved to another location", [
        breaking("New servers expect the parameter at another location."),
        breaking("Existing servers expect the parameter at the old location."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::ParamTypeChanged, "D0210", Request, "type of a parameter changed", [
        breaking("New servers reject values of the old type."),
        breaking("Existing servers reject values of the new type."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::ParamWidened, "D0211", Request, "type of a parameter widened", [
        safe("The new type includes all values of the old type."),
        breaking("Existing servers reject values that only the new type has."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::ParamNarrowed, "D0212", Request, "type of a parameter narrowed", [
        breaking("New servers reject values that only the old type has."),
        safe("The old type includes all values of the new type."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::BodyAdded, "D0221", Request, "optional request body added", [
        safe("Existing clients send no body, which may be absent."),
        safe("Existing servers ignore the body."),
        safe("Constructors stay the same, and a setter is added.").guarded(),
        NEW_FIELD,
    ]),
    rule(Raw::BodyRemoved, "D0222", Request, "optional request body removed", [
        safe("New servers ignore the body."),
        safe("Existing servers accept the absence of the body."),
        FIELD_GONE, FIELD_GONE,
    ]),
    rule(Raw::RequiredBodyAdded, "D0223", Request, "required request body added", [
        breaking("Existing clients send no body, which new servers require."),
        safe("Existing servers ignore the body."),
        breaking("The constructor of the request has an argument for the body."),
        NEW_FIELD,
    ]),
    rule(Raw::RequiredBodyRemoved, "D0224", Request, "required request body removed", [
        safe("New servers ignore the body."),
        breaking("Existing servers require the body."),
        breaking("The constructor of the request has no argument for the body."),
        FIELD_GONE,
    ]),
    rule(Raw::BodyRequired, "D0225", Request, "optional request body became required", [
        breaking("Existing clients may omit the body, which new servers require."),
        safe("Existing servers accept the body."),
        breaking("The constructor of the request has an argument for the body."),
        breaking("The field is no longer an `Option`."),
    ]),
    rule(Raw::BodyOptional, "D0226", Request, "required request body became optional", [
        safe("Existing clients always send the body."),
        breaking("Existing servers require the body, which may now be absent."),
        breaking("The constructor of the request has no argument for the body."),
        breaking("The field is an `Option`."),
    ]),
    rule(Raw::SuccessAdded, "D0301", Response, "success response added", [
        breaking("Existing clients do not expect the status."),
        safe("Existing servers do not send the status."),
        STATUS_ADDED, STATUS_ADDED,
    ]),
    rule(Raw::SuccessRemoved, "D0302", Response, "success response removed", [
        safe("Existing clients accept every remaining status."),
        breaking("Existing servers may send the status, which new clients do not expect."),
        breaking("The type of the response changes, or a variant no longer exists."),
        breaking("The type of the response changes, or a variant no longer exists."),
    ]),
    rule(Raw::SuccessCoveredAdded, "D0303", Response, "success response added that a range or `default` covered", [
        safe("A range or `default` of the old document already covers the status."),
        safe("Existing servers send the status according to the range or `default`."),
        STATUS_ADDED, STATUS_ADDED,
    ]),
    rule(Raw::SuccessCoveredRemoved, "D0304", Response, "success response removed that a range or `default` covers", [
        safe("Existing clients accept every remaining status."),
        safe("A range or `default` of the new document covers the status."),
        breaking("The type of the response changes, or a variant no longer exists."),
        breaking("The type of the response changes, or a variant no longer exists."),
    ]),
    rule(Raw::ErrorAdded, "D0305", Response, "error response added", [
        safe("Existing clients report an undocumented error status as an error."),
        safe("Existing servers do not send the status."),
        safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
    ]),
    rule(Raw::ErrorRemoved, "D0306", Response, "error response removed", [
        safe("Existing clients accept every remaining status."),
        safe("New clients report an undocumented error status as an error."),
        breaking("The variant of the error no longer exists."),
        breaking("The variant of the error no longer exists."),
    ]),
    rule(Raw::ResponseBodyAdded, "D0307", Response, "response body added", [
        safe("Existing clients ignore the body."),
        breaking("Existing servers send no body, which new clients require."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::ResponseBodyRemoved, "D0308", Response, "response body removed", [
        breaking("Existing clients require the body."),
        safe("New clients ignore the body."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::HeaderAdded, "D0311", Response, "optional response header added", [
        safe("Existing clients ignore headers that they do not know."),
        safe("Existing servers do not send the header, which may be absent."),
        NEW_FIELD,
        safe("Constructors stay the same, and a setter is added.").guarded(),
    ]),
    rule(Raw::HeaderRemoved, "D0312", Response, "optional response header removed", [
        safe("Existing clients accept the absence of the header."),
        safe("New clients ignore the header."),
        FIELD_GONE, FIELD_GONE,
    ]),
    rule(Raw::RequiredHeaderAdded, "D0313", Response, "required response header added", [
        safe("Existing clients ignore headers that they do not know."),
        breaking("Existing servers do not send the header, which new clients require."),
        NEW_FIELD,
        breaking("The constructor of the headers has an argument for the header."),
    ]),
    rule(Raw::RequiredHeaderRemoved, "D0314", Response, "required response header removed", [
        breaking("Existing clients require the header."),
        safe("New clients ignore the header."),
        FIELD_GONE,
        breaking("The constructor of the headers has no argument for the header."),
    ]),
    rule(Raw::HeaderRequired, "D0315", Response, "optional response header became required", [
        safe("Existing clients accept the header."),
        breaking("Existing servers may omit the header, which new clients require."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::HeaderOptional, "D0316", Response, "required response header became optional", [
        breaking("Existing clients require the header, which may now be absent."),
        safe("Existing servers always send the header."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::RequiredErrorHeaderAdded, "D0322", Response, "required header of errors added", [
        safe("Existing clients ignore headers that they do not know."),
        breaking("Existing servers do not send the header, which the new document requires."),
        NEW_FIELD,
        safe("All headers of errors are optional fields, and a setter is added.").guarded(),
    ]),
    rule(Raw::RequiredErrorHeaderRemoved, "D0323", Response, "required header of errors removed", [
        breaking("Existing clients may rely on the header, which the old document requires."),
        safe("New clients ignore the header."),
        FIELD_GONE, FIELD_GONE,
    ]),
    rule(Raw::ErrorHeaderRequired, "D0324", Response, "optional header of errors became required", [
        safe("Existing clients accept the header."),
        breaking("Existing servers may omit the header, which the new document requires."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::ErrorHeaderOptional, "D0325", Response, "required header of errors became optional", [
        breaking("Existing clients may rely on the header, which the old document requires."),
        safe("Existing servers always send the header."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::HeaderTypeChanged, "D0317", Response, "type of a response header changed", [
        breaking("Existing clients reject values of the new type."),
        breaking("New clients reject values of the old type."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::HeaderWidened, "D0318", Response, "type of a response header widened", [
        breaking("Existing clients reject values that only the new type has."),
        safe("The new type includes all values of the old type."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::HeaderNarrowed, "D0319", Response, "type of a response header narrowed", [
        safe("The old type includes all values of the new type."),
        breaking("New clients reject values that only the old type has."),
        NEW_TYPE, NEW_TYPE,
    ]),
    rule(Raw::StreamEndChanged, "D0321", Response, "end of a stream of events changed", [
        breaking("Existing clients expect the old event at the end of the stream."),
        breaking("New clients expect another event at the end of the stream."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::HeaderStyle, "D0320", Response, "serialization of a response header changed", [
        breaking("Existing clients expect the old serialization."),
        breaking("New clients expect another serialization."),
        SAME_CODE, SAME_CODE,
    ]),
];
