//! The table of all diagnostic codes.
//!
//! `E00..` reading files, `E01..` the shape of the document, `E02..` references, `E03..` and on
//! what the generator cannot say in Rust. `W` codes are warnings. A code is never given a new
//! meaning and never used again.

use super::Code;

macro_rules! codes {
    (@allowable) => { false };
    (@allowable allowable) => { true };
    ($($(#[$meta:meta])* $name:ident = $id:literal, $title:literal, $explanation:literal $(, $allowable:ident)?;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title)]
            $(#[$meta])*
            pub const $name: &Code = &Code {
                id: $id,
                title: $title,
                explanation: $explanation,
                allowable: codes!(@allowable $($allowable)?),
            };
        )*
        /// Every code, in the order of the table.
        pub const ALL: &[&Code] = &[$($name),*];
    };
}

/// Codes of earlier days: what they were for is a warning now (`W0301`, `W0310` to `W0312`), or no
/// problem any more (`E0010`, very many diagnostics). They are not given out again, so that what is
/// written about them elsewhere never misleads.
#[cfg(test)]
pub(super) const RETIRED: &[&str] = &["E0010", "E0302", "E0304", "E0305"];

/// The code of an id, in either case.
#[must_use]
pub fn find(id: &str) -> Option<&'static Code> {
    ALL.iter()
        .find(|code| code.id.eq_ignore_ascii_case(id))
        .copied()
}

codes! {
    // Reading files.
    FILE_UNREADABLE = "E0001", "a file cannot be read",
        "The file does not exist, or the system refuses to hand it over. The message says which.";
    FILE_NOT_UTF8 = "E0002", "a file is not UTF-8 text",
        "Documents are read as UTF-8, with or without a byte order mark. Convert the file, for \
         example with `iconv -f UTF-16 -t UTF-8`.";
    SYNTAX = "E0003", "a file is neither JSON nor YAML",
        "The text breaks the rules of its format at the place that is shown. A file that begins \
         with a brace is read as JSON first, and as YAML where that fails.";
    FILE_TOO_LARGE = "E0004", "a file is too large",
        "Files beyond the size limit are not read, so that a wrong path cannot fill the memory.";
    NESTED_TOO_DEEP = "E0005", "a file is nested too deeply",
        "JSON and YAML are read to a depth of 128 levels. Documents written by people stay far \
         below that.";
    EXPANDS_TOO_FAR = "E0006", "YAML aliases expand too far",
        "An alias stands for a copy of what it names, and copies of copies grow without bound. The \
         document would become many times larger than its text.";
    DUPLICATE_KEY = "E0007", "a key stands twice in one object",
        "JSON and YAML both leave the meaning of a repeated key open or forbid it. When allowed, \
         the last value counts, as in most parsers.", allowable;

    UNUSED_ALLOWANCE = "E0008", "an allowance is not needed",
        "A code is allowed that was not reported in this run. Allowances that nobody needs hide \
         what they were made for when it comes back.";
    TOO_MANY_FILES = "E0009", "a document has too many files",
        "References lead to more files than are read for one document.";
    REPEATED_KEY = "W0001", "a key stands twice and says the same",
        "The values are equal, or texts that only people read. The last one counts.", allowable;

    // The shape of the document.
    VERSION_MISSING = "E0101", "the document does not say what it is",
        "An API description begins with `openapi: 3.x.y` or `swagger: \"2.0\"`.";
    VERSION_UNKNOWN = "E0102", "the version of the format is not known",
        "Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are read.";
    WRONG_TYPE = "E0103", "a value has the wrong type",
        "The standard asks for another type of value at this place, so what was meant is not \
         known. When allowed, the value is left out.", allowable;
    MISSING_FIELD = "E0104", "a required field is missing",
        "Without the field the object says nothing that could be generated. When allowed, the \
         object is left out.", allowable;
    UNKNOWN_VALUE = "E0105", "a value is none of those the standard knows",
        "The field takes one of a few values. When allowed, the field counts as absent.", allowable;
    BAD_STATUS = "E0106", "a response has a key that is no status",
        "Responses are keyed by a status such as `200`, a range such as `4XX`, or `default`. When \
         allowed, the response is left out.", allowable;
    DUPLICATE_PARAMETER = "E0107", "a parameter is declared twice",
        "A parameter is known by its name and its place, and may stand once in a list. When \
         allowed, the first one counts.", allowable;
    SEVERAL_CONTENTS = "E0108", "a parameter or header has several media types",
        "`content` of a parameter or a header holds exactly one entry, else nobody knows which one \
         the value is written in. When allowed, the first one counts.", allowable;
    SEVERAL_BODIES = "E0109", "an operation has several bodies",
        "Swagger 2.0 lets an operation have one `in: body` parameter, or `in: formData` parameters, \
         not both. When allowed, the first body parameter counts.", allowable;

    NOT_OPENAPI_3_0 = "E0110", "a document cannot be bundled",
        "`bothends bundle` writes OpenAPI 3.0, and what it has no words for under keys that begin \
         with `x-`. The message says what still could not be written.";
    UNFOLDS_TOO_FAR = "E0111", "a document is too large",
        "The document has more schemas, parameters, responses and examples than are read. Shared \
         ones count once for each use, so a small document can unfold into one that would fill the \
         memory.";

    // References.
    DANGLING_REFERENCE = "E0201", "a reference leads nowhere",
        "Nothing stands where the `$ref` points to. When allowed, what holds the reference is left \
         out; a schema becomes one that takes any value.", allowable;
    CYCLIC_REFERENCE = "E0202", "references go round in a circle",
        "Following the `$ref` leads through other references back to itself, so it never reaches \
         anything.";
    REMOTE_REFERENCE = "E0203", "a reference leads to the network",
        "References to URLs are fetched only with `--allow-remote` (`allow-remote = true`), and only \
         by `https`. Or save the document beside the others and refer to the file. When allowed, what \
         holds the reference is left out; a schema becomes one that takes any value.", allowable;
    REFERENCE_OUTSIDE = "E0204", "a reference leaves the folder of the document",
        "Relative references stay in the folder of the root document, so that a document from \
         elsewhere cannot read other files of this machine. `--allow-outside` (`allow-outside = \
         true`) lifts that for documents of your own.";
    FETCH_FAILED = "E0205", "a document cannot be fetched",
        "Remote references are allowed, and the server has no such document, answers otherwise, or \
         takes too long. Redirects are not followed: refer to where the document is. Addresses that \
         are not public are not connected to, and no proxy is used; save such documents beside the \
         others. When allowed, what holds the reference is left out; a schema becomes one that takes \
         any value.", allowable;

    // What Rust cannot say.
    ALL_OF_CYCLE = "E0301", "an `allOf` leads back to itself",
        "A schema that is part of its own `allOf`, directly or through others, describes nothing; a \
         `$ref` with keywords beside it counts as an `allOf` since OpenAPI 3.1. A base may list those \
         that extend it in a `oneOf` or `anyOf`, though. When allowed, the part that leads back is left \
         out.", allowable;
    ENDLESS_SCHEMA = "E0303", "a schema is made of nothing but itself",
        "The schema refers to itself without an object, a list or a name between, so no Rust type \
         can be written for it. When allowed, it is any JSON value.", allowable;
    FAULT = "E0307", "`x-bothends-rejections` cannot be read",
        "Each entry is an object with `response`, a reference to a reusable response that has a JSON \
         example. The guide shows one. When allowed, the entry is left out.", allowable;
    TASK = "E0308", "`x-bothends-task` cannot be read",
        "The extension names the operation that tells a task's status, its parameter for the task's \
         id, and the statuses that end a task. When allowed, no task is made of it.", allowable;

    TOKEN = "E0309", "`x-bothends-token` cannot be read",
        "The extension of an OAuth 2.0 scheme says where the answer of the token endpoint holds its \
         members (`envelope`), which schemes say who asks (`obtain`, `refresh`), and which 401s \
         another token does not cure (`code`, `non-refreshable-codes`). When allowed, the flow is that of \
         RFC 6749.", allowable;

    DELIVERY = "E0310", "`x-bothends-webhooks` cannot be read",
        "The extension says how webhooks are subscribed to (`subscription`), signed (`signing`) and \
         delivered (`delivery`). `delivery` needs whole numbers `timeout-seconds` and `max-retries`, \
         and a list `retry-statuses`. A `null` stands for a value that is not known. When allowed, \
         what cannot be read is left out.", allowable;

    SECURITY_BY_BODY = "E0316", "`x-bothends-security` cannot be read",
        "The extension of an operation says which alternatives of its `security` a request body \
         accepts: the name of the property that tells the variants of the body apart, and for each \
         of its values a list as `security` has it. When allowed, every variant accepts every \
         alternative.", allowable;

    // Warnings.
    SIBLINGS_IGNORED = "W0101", "keywords beside a `$ref` do not count",
        "Before OpenAPI 3.1 the standard says that keywords beside a `$ref` are ignored. \
         Descriptions, defaults and the like are kept all the same; keywords that would change the \
         type are not. Put the `$ref` into an `allOf` to combine them.", allowable;
    DYNAMIC_REFERENCE = "W0102", "a `$dynamicRef` is bound where it stands",
        "What a `$dynamicRef` names depends on the path by which a validator came to it. It is read \
         as a plain `$ref` to the anchor in the same document.", allowable;
    UNTYPED_PARAMETER = "W0103", "a parameter has no schema",
        "A parameter states its type in `schema` or `content`. Without it, it is read as any text.", allowable;
    REQUIRED_FLAG = "W0104", "`required` is a boolean in a schema",
        "In a schema `required` is the list of the properties that must be there, and stands in the \
         object, not in the property. A boolean is ignored, as other tools do.", allowable;
    NESTED_CALLBACK = "W0105", "a callback stands inside a callback",
        "Callbacks of the operations of a callback are not read.", allowable;
    MEANT = "W0106", "something is written in a wrong way",
        "The standard wants it written in another way, but it can only mean one thing: `\"true\"` for \
         `true`, one name where a list of names is wanted, `int` for `integer`, `[]` for an object \
         without entries. It is read as it is meant; other tools may refuse it.", allowable;
    IGNORED = "W0107", "a value is ignored",
        "The value makes no sense where it stands, and nothing that is generated depends on it, or \
         the standard says what counts without it. It is left out.", allowable;
    UNKNOWN_TYPE = "W0108", "a type is not known",
        "`type` names none of the JSON types. Any value is taken.", allowable;
    UNKNOWN_METHOD = "W0109", "a key of a path item is no method",
        "A path item has a key that is neither an HTTP method nor a field of the standard, and an \
         object stands there. If it is meant to be an operation, it is not generated: name its \
         method, or put it into `additionalOperations`.", allowable;
    NOT_CHECKED = "W0110", "keywords are not checked",
        "These keywords say which values are valid, and not which type they have. What is generated \
         takes values that break them. They are told once for each document.", allowable;
    MISSPELT_KEY = "W0111", "a key is probably misspelt",
        "The standard has no such key at this place, and has one that is spelt nearly so. The key is \
         not read: documents may hold keys of their own, though they should begin with `x-`.", allowable;
    ITEMS_MISSING = "W0112", "a list does not say what it holds",
        "Before OpenAPI 3.1 a schema of type `array` has to have `items`. Without it the list holds any \
         JSON values.", allowable;

    NEVER = "W0301", "no value is ever valid",
        "The schema is `false`, or it is an `allOf` whose parts ask for different types. The type \
         accepts any JSON value all the same.", allowable;
    REPEATED_VALUE = "W0302", "an enum lists a value twice",
        "The value has one variant.", allowable;
    WRONG_DEFAULT = "W0303", "a default has the wrong type",
        "The default is not a value of its own schema, so it is left out of the code.", allowable;
    DISCRIMINATOR_UNUSABLE = "W0304", "a discriminator does not tell the variants apart",
        "Two variants have the same value of the discriminator, one of them has none, or the property \
         is not a string. A variant has the values that `mapping` gives it and those that it alone \
         lists for the property, or else the name of its schema. The variants are told apart by what \
         they hold.", allowable;
    NO_SUCCESS = "W0305", "an operation documents no success",
        "No response below 400 is listed. Any 2xx status is taken as a success, with its body as \
         bytes.", allowable;
    SAME_ROUTE = "W0306", "two operations have the same route",
        "Their methods are equal and their paths differ by the name of a variable or by a query \
         only. The client calls both; the server answers the first.", allowable;
    UNDECLARED_VARIABLE = "W0307", "a path variable is not declared",
        "The path template has a variable without a parameter. It is taken as a string.", allowable;
    UNUSED_PATH_PARAMETER = "W0308", "a path parameter is not in the path",
        "A parameter with `in: path` names no variable of the template, so it cannot be sent.", allowable;
    MEDIA_TYPE_LEFT_OUT = "W0309", "a media type is left out",
        "XML is not coded. The same content is offered as JSON, and that is taken.", allowable;
    UNKNOWN_SECURITY_SCHEME = "W0310", "a security scheme is not declared",
        "`security` names a scheme that the document does not declare, so nobody knows how it is \
         shown. The operation keeps asking for it, on both ends: leaving it out would let everybody \
         in. A client says with `MutualTls` that its transport shows it.", allowable;
    REQUIRED_BUT_REFUSED = "W0311", "a required property is not allowed",
        "The property is listed in `required`, but it is not declared and `additionalProperties` is \
         false, so no value is ever valid. The property is not asked for.", allowable;
    FORM_WITHOUT_FIELDS = "W0312", "a form has no fields",
        "Form and multipart bodies are made of named fields, so their schema has to be an object. \
         The body is a map of whatever comes.", allowable;
    PATTERN_NOT_CHECKED = "W0313", "a pattern is not checked",
        "Patterns are matched in time linear to the text, so that no request can keep a server busy. \
         Such a matcher has no look-around and no back references. A value with this pattern is \
         taken whatever it is.", allowable;

    OPERATION_SERVER = "W0314", "an operation cannot be called at its server",
        "An operation with `servers` of its own, or of its path, is called at the first of them. \
         This one cannot be the address of a server: it has a variable without a default, is not \
         reached by HTTP, or is no URL. The operation is called where the rest is.", allowable;
    EXTENSION_NOT_READ = "W0315", "an extension is not read",
        "The key begins with `x-bothends-`, or stands inside one that does, but nothing reads it: it is \
         misspelt, stands in another place than the one it is read at, or holds a value of another \
         kind. docs/extensions.md lists every key, its place and what it holds.", allowable;

    LINK = "W0316", "a link cannot be followed",
        "A link of a response leads to an operation of the document (`operationId`, or \
         `operationRef` with a JSON pointer), names its parameters, and says with runtime \
         expressions (OpenAPI 3.1.1, section 4.8.20.4) where their values are. Code comes of links \
         that lead to the status of a task only; this one would be of no use to anybody.", allowable;
    ENCODING_LEFT_OUT = "W0317", "an encoding is left out",
        "What `encoding` says of a property of a form or of a multipart body cannot be kept. Such an \
         object of any properties is written as JSON, and headers of a part are kept for files \
         only.", allowable;

    PARTS_NOT_CODED = "W0370", "parts of a body are not coded",
        "The parts of the multipart body have no names and are told apart by their order: the media type \
         has an `itemSchema` (OpenAPI 3.2) or a list for a schema. The body is bytes, to be written and \
         read by hand; its media type holds the boundary.", allowable;
    PART_NOT_CODED = "W0371", "a part is not coded as its media type",
        "The `encoding` of a multipart body says that a property is XML, and the property is an object, \
         which is written as JSON only. It is sent as `application/json`, and a part that is received \
         as XML is refused.", allowable;
    SERVER_VARIABLE = "W0380", "a variable of a server cannot be filled",
        "Each variable in the URL of a server is declared under `variables` with a `default`, which is \
         one of its `enum` where there is one (OpenAPI 3.1.1, sections 4.8.5 and 4.8.6). The URL of this \
         server is not complete without a value that the document does not have, or its default is not \
         allowed.", allowable;
    SHARED_TAG = "W0360", "a value of a discriminator belongs to several variants",
        "Several variants of a union list the value for the property that tells them apart, and \
         `mapping` does not say which of them it stands for. The variants are told apart by what they \
         hold; where `mapping` has other values for each of them it counts, and the shared value is \
         that of none.", allowable;

    CALLBACK_URL = "W0330", "the URL of a callback cannot be evaluated",
        "The key of a callback says with runtime expressions (OpenAPI 3.1.1, section 4.8.20.4) where \
         the call of its operation has the URL. This one cannot be read, so there is no constant which \
         evaluates it; the callback is generated all the same.", allowable;

    CHOICE_NOT_CHECKED = "W0350", "which alternatives match is not checked",
        "The alternatives of a `oneOf` or `anyOf` have one Rust type. Those that differ in what they \
         require are checked (`oneOf: [{required: [a]}, {required: [b]}]`); these differ in bounds, or in \
         keywords that are not checked, and a server takes values that match none of them, or several of a \
         `oneOf`.", allowable;
    ALTERNATIVES_OVERLAP = "W0351", "alternatives of a `oneOf` overlap",
        "A value may match two alternatives of the `oneOf`, and is then not valid by JSON Schema. \
         Documents that say `oneOf` mostly mean a choice, so a server takes the alternative that keeps \
         most of the value. Alternatives exclude each other by their JSON types, by a property that one \
         requires and that has other values in the other, or by `additionalProperties: false` beside a \
         required property that the closed one does not have. It is told once for each document.", allowable;
    PATTERN_VALUES = "W0352", "values under several patterns are not checked",
        "The schemas of `patternProperties` and `additionalProperties` differ. Values of such names are \
         any JSON, since one map of Rust holds one type, and which pattern a name matches is not looked \
         at.", allowable;
    LONG_TUPLE = "W0353", "a list has too many items with schemas of their own",
        "Rust's tuples have traits such as `Debug` for up to 12 parts. The list holds any values, and its \
         items are not checked.", allowable;
    AMBIGUOUS_NAME = "E0395", "two schemas have the name that a reference uses",
        "A reference names a schema by its `$id` or its anchor, and two different schemas have that \
         name, so it is not known which one is meant (JSON Schema 2020-12 Core, sections 8.2.1 and \
         8.2.2). When allowed, the first one counts.", allowable;
    REPEATED_NAME = "W0395", "two schemas have one name",
        "Two schemas have the same `$id`, or two of one document the same anchor. No reference uses \
         the name, or the two are equal, so nothing depends on it.", allowable;
    EMPTY_DOCUMENT = "E0396", "the document describes nothing",
        "The document states its version, and has no section that anything could be generated from: \
         no `paths`, no `components` (`definitions` in Swagger 2.0), no `webhooks`. Often this is a \
         part of a document, or one that was cut off.";
    SECTION_MISSING = "W0396", "a required section is missing",
        "Every document has `info`, and before OpenAPI 3.1 `paths`. What is there is generated \
         without them; a crate's name is made of the title, unless it is given.", allowable;
    CREDENTIALS_ELSEWHERE = "W0390", "credentials are directed to another server",
        "An operation that asks for credentials has a server of its own, or a scheme a `tokenUrl`, at \
         another host than the first server of the document. Whoever can change the document can send \
         credentials anywhere in this way, so a client refuses before it sends them, until its user \
         says with `Core::trust_origin` that they may go there. It is told once for each host.", allowable;

    // Names.
    NAME_NOT_RUST = "E0401", "a chosen name is no Rust identifier",
        "The configuration chooses a name under `[names]` that Rust does not take. Names consist of \
         letters, digits and `_`, and do not begin with a digit.";
    NAME_UNUSED = "E0402", "a name is chosen for nothing",
        "The configuration chooses a name under `[names]` for something that the document does not \
         hold. Names are chosen by JSON pointer (`/components/schemas/Pet`), by the name of a \
         reusable schema, by `operationId`, or as `Schema.member` for a property or a value of an \
         enum.", allowable;
    REQUIRED_UNDECLARED = "W0318", "a required property is not declared",
        "`required` lists a name that no property of the object has. Either one of them is misspelt, or \
         the property is missing. An object without the property is not valid, so generated types have \
         it as a required field of any JSON value, and both ends ask for it.", allowable;
    MEDIA_TYPE_NOT_CODED = "W0319", "a media type is not coded",
        "XML is not coded, and the content is not offered as JSON: the body is bytes, to be written \
         and read by hand. It is told once for each document.", allowable;
    NAME_TAKEN = "W0401", "two names become one in Rust",
        "Names that differ on the wire only by case or by signs are the same in Rust's cases. The \
         one with the better claim keeps the plain name: one that was chosen, one that is written \
         on the wire as it would be in Rust, one without signs, the first of the document. The other \
         is spelled out or gets a number. Choose a name under `[names]` to have a better one.", allowable;
}
