//! Warnings: code is generated, and the document should be changed.

codes! {
    REPEATED_KEY = "W0001", "duplicate key with the same value",
        help "remove one of the two entries",
        "The two values are equal, or are texts for people. The last one counts.", allowable;

    // The shape of the document.
    SIBLINGS_IGNORED = "W0101", "ignored keywords beside a `$ref`",
        help "put the `$ref` into an `allOf` beside the keywords",
        "Before OpenAPI 3.1, keywords beside a `$ref` are ignored by the specification. \
         Descriptions, defaults and other annotations are kept all the same; keywords that would change \
         the type are not. Put the `$ref` into an `allOf` to combine them.", allowable;
    UNTYPED_PARAMETER = "W0103", "a parameter has no schema",
        help "add `schema: { type: string }`, or the type that the parameter has",
        "A parameter states its type in `schema` or `content`. Without it, the parameter is a string.", allowable;
    REQUIRED_FLAG = "W0104", "`required` is a boolean in a schema",
        help "name the property in the `required` list of the object around it",
        "In a schema, `required` is the list of the required properties, and is a keyword of the \
         object, not of the property. A boolean is ignored, as in other tools.", allowable;
    NESTED_CALLBACK = "W0105", "a callback inside a callback",
        help "describe the inner callback under `webhooks`",
        "Callbacks of the operations of a callback are not generated.", allowable;
    MEANT = "W0106", "nonstandard spelling",
        help "write the standard form, since other tools may refuse this one",
        "The specification has another form, but this one has only one possible meaning: `\"true\"` for \
         `true`, one name for a list of names, `int` for `integer`, `[]` for an empty object. It is read \
         with that meaning; other tools may refuse it.", allowable;
    IGNORED = "W0107", "ignored value",
        help "correct or remove the value",
        "The value is invalid at this place, and no generated code depends on it, or \
         the specification says what applies without it. The value is left out.", allowable;
    UNKNOWN_TYPE = "W0108", "unknown type",
        help "write `string`, `integer`, `number`, `boolean`, `object`, `array` or `null`",
        "`type` is not one of the JSON types. The schema accepts any value.", allowable;
    UNKNOWN_METHOD = "W0109", "unknown method in a path item",
        help "write an HTTP method, or put the operation into `additionalOperations`",
        "A path item has an object under a key that is neither an HTTP method nor a field of the \
         specification. If the object is an operation, no code is generated for it: correct the name of \
         the method, or put the operation into `additionalOperations`.", allowable;
    NOT_CHECKED = "W0110", "keywords are not checked",
        help "check the value in the handler",
        "These keywords restrict the valid values, and do not change the Rust type. Generated code \
         accepts values that violate them. They are reported once for each document.", allowable;
    MISSPELT_KEY = "W0111", "possibly misspelled key",
        help "correct the spelling, or begin the key with `x-`",
        "The specification has no such key at this place, and has one of similar spelling. The key is \
         ignored: documents may have keys of their own, which should begin with `x-`.", allowable;
    ITEMS_MISSING = "W0112", "`items` is missing",
        help "add `items` with the schema of the elements",
        "Before OpenAPI 3.1, a schema of type `array` requires `items`. Without it, the elements are any \
         JSON values.", allowable;
    MEDIA_TYPE_MISSPELT = "W0113", "possibly misspelled media type",
        help "correct the spelling of the media type",
        "The media type is not a known one, and is similar to one. Bodies are sent and read by their media \
         type: one that is misspelled is bytes, and a peer with the correct one is refused.", allowable;
    BOUNDS = "W0114", "contradicting bounds",
        help "exchange the two bounds, or correct one of them",
        "A lower bound is above the upper bound of the same schema, so no value is valid: a server rejects \
         every request with such a value.", allowable;
    FORMAT_MISSPELT = "W0115", "possibly misspelled format",
        help "correct the spelling of the format",
        "The format is not a known one, and is similar to one. An unknown format is ignored: the type is that of \
         `type` alone, and values are not checked.", allowable;
    DEEP_OBJECT = "W0116", "`deepObject` is not defined for the schema",
        help "use `style: form` for an array or a single value",
        "The style `deepObject` serializes the properties of an object (OpenAPI 3.1.1, section 4.8.12.3). For an \
         array or a single value it is not defined, and services differ in what they expect.", allowable;
    PATH_BRACES = "W0117", "unbalanced braces in a path",
        help "write each variable as `{name}`",
        "A path template has a `{` or `}` that is not part of a variable. It is read as a character of the path, \
         so that requests for the intended path do not match.", allowable;
    RESERVED_HEADER = "W0118", "a header parameter is ignored",
        help "describe credentials by a security scheme, and media types under `content`",
        "The specification says that a header parameter `Accept`, `Content-Type` or `Authorization` is \
         ignored (OpenAPI 3.1.1, section 4.8.12.2.1): the media types of bodies and responses determine the \
         first two, and the security schemes the third. Operations have no such argument.", allowable;
    EXAMPLE = "W0119", "an example contradicts its schema",
        help "correct the example or the schema",
        "The example is not valid for the schema beside it. Either readers of the documentation see a value \
         that a service refuses, or the schema refuses values that exist. Generated code follows the \
         schema.", allowable;

    // What Rust cannot express.
    NEVER = "W0301", "no value is valid",
        help "correct the contradicting schemas",
        "The schema is `false`, or it is an `allOf` whose parts require different types. The generated type \
         accepts any JSON value.", allowable;
    REPEATED_VALUE = "W0302", "duplicate value in an enum",
        help "remove the second value",
        "The value has one variant.", allowable;
    WRONG_DEFAULT = "W0303", "a default has the wrong type",
        help "write a default that is valid for the schema",
        "The default is not valid for its own schema, so no code is generated for it.", allowable;
    DISCRIMINATOR_UNUSABLE = "W0304", "unusable discriminator",
        help "give each variant a value of its own, with `mapping` or with `const`",
        "Two variants have the same value of the discriminator, one variant has none, or the property \
         is not a string. The values of a variant are those of `mapping`, those that only this variant \
         lists for the property, or else the name of its schema. Without a discriminator, a value is \
         matched against the content of the variants.", allowable;
    NO_SUCCESS = "W0305", "an operation documents no success",
        help "add a response such as `'204': { description: Done }`",
        "No response below 400 is listed. Any 2xx status counts as a success, with its body as \
         bytes.", allowable;
    SAME_ROUTE = "W0306", "two operations have the same route",
        help "change one of the two paths",
        "The methods are equal and the paths differ in the name of a variable or in a query \
         only. The client has a method for both; the server routes requests to the first.", allowable;
    UNDECLARED_VARIABLE = "W0307", "a path variable has no parameter",
        help "add a parameter with `in: path`",
        "The path template has a variable without a parameter. The variable is a string.", allowable;
    UNUSED_PATH_PARAMETER = "W0308", "a path parameter is not in the path",
        help "add the variable to the path, or remove the parameter",
        "A parameter with `in: path` has no variable in the path template, so it cannot be sent.", allowable;
    UNKNOWN_SECURITY_SCHEME = "W0310", "undeclared security scheme",
        help "declare the scheme under `securitySchemes`, or correct its name",
        "`security` names a scheme that the document does not declare, so the place of the credentials is \
         unknown. Both ends still require the scheme: without it, the operation would be open to \
         every caller. A client says with `MutualTls` that its transport authenticates it.", allowable;
    REQUIRED_BUT_REFUSED = "W0311", "a required property is not allowed",
        help "declare the property, or remove it from `required`",
        "The property is listed in `required`, but is not declared, and `additionalProperties` is \
         `false`, so no value is valid. The generated type does not require the property. In an \
         `allOf`, `additionalProperties: false` allows only the properties beside it, and not those of \
         the other parts. The generated type has the properties of all parts, and no others.", allowable;
    FORM_WITHOUT_FIELDS = "W0312", "a form has no fields",
        help "make the schema an object whose properties are the fields of the form",
        "Form and multipart bodies consist of named fields, so their schema is an object. \
         The body is a map of any values.", allowable;
    PATTERN_NOT_CHECKED = "W0313", "a pattern is not checked",
        help "write the pattern without look-around and back references, or check it in the handler",
        "Patterns are matched in time linear to the text, so that no request can block a server. \
         Such a matcher has no look-around and no back references. Values with this pattern are \
         accepted without a check.", allowable;
    OPERATION_SERVER = "W0314", "an operation has an unusable server",
        help "write an `http` or `https` URL, or one relative to the server of the document",
        "An operation with `servers` of its own, or of its path, is called at the first of them. \
         This one is not the address of a server: it has a variable without a default, is not \
         an HTTP URL, or is not a URL. The operation is called at the server of the document.", allowable;
    EXTENSION_NOT_READ = "W0315", "unknown extension",
        help "the page `reference/extensions` of the guide lists every key, its place and its value",
        "The key begins with `x-bothends-`, or is inside one that does, but is not known: it is \
         misspelled, is at another place than expected, or has a value of another \
         type. The page `reference/extensions` of the guide lists every key, its place and its value.", allowable;
    LINK = "W0316", "an unusable link",
        help "name an operation of the document, its parameters, and runtime expressions",
        "A link of a response names an operation of the document (`operationId`, or \
         `operationRef` with a JSON pointer), its parameters, and the runtime \
         expressions (OpenAPI 3.1.1, section 4.8.20.4) of their values. A client can follow a link \
         whose values it has.", allowable;
    ENCODING_LEFT_OUT = "W0317", "an encoding is left out",
        help "write `style: deepObject`, or `contentType: application/json`",
        "The `encoding` of a property of a form or of a multipart body is not supported. An \
         object of any properties is encoded as JSON.", allowable;
    REQUIRED_UNDECLARED = "W0318", "a required property is not declared",
        help "declare the property under `properties`, or remove it from `required`",
        "`required` lists a name that is not a property of the object. Either one of them is misspelled, or \
         the property is missing. Generated types have an optional field of any JSON value. A server \
         rejects requests without the property. A client accepts responses without it, and a receiver \
         accepts webhooks without it, because many services omit such properties.", allowable;
    MEDIA_TYPE_NOT_CODED = "W0319", "a media type is not supported",
        help "offer the same content as JSON, or encode and decode the bytes in your code",
        "The generated code does not encode XML, and the document does not offer the content as JSON: the \
         body is bytes. It is reported once for each document.", allowable;
    ALL_OF_CYCLE = "W0320", "circular `allOf`",
        help "remove the schema from its own `allOf`",
        "A schema that is part of its own `allOf`, directly or through others, adds nothing to itself; a \
         `$ref` with sibling keywords counts as an `allOf` since OpenAPI 3.1. A base may list the \
         schemas that extend it in a `oneOf` or `anyOf`, though. The part that closes the cycle is left \
         out.", allowable;
    ENDLESS_SCHEMA = "W0321", "a schema consists of itself only",
        help "put an object or a list between the schema and itself",
        "The schema refers to itself without an object, a list or a name in between, so no Rust type \
         can represent it. It accepts any JSON value.", allowable;
    DYNAMIC_UNBOUND = "W0322", "a `$dynamicRef` is not bound",
        help "refer to the schema from one that has a `$dynamicAnchor` of the same name in its `$defs`",
        "The target of a `$dynamicRef` is the `$dynamicAnchor` of this name in the outermost schema on the \
         path to it. No schema of the document refers to this one with an anchor of the name, and \
         the anchor beside it accepts any value, so the type has any JSON value at this place.", allowable;
    PAGES_NOT_READ = "W0323", "an unusable description of pages",
        help "describe the pages by `x-bothends-pages`, in the document or in an overlay",
        "`x-speakeasy-pagination`, `x-fern-pagination` or `x-dropshot-pagination` names a parameter or a \
         property that does not exist, or has a form that is not known. The client has the operation \
         without its pages.", allowable;
    CALLBACK_URL = "W0330", "invalid URL of a callback",
        help "write runtime expressions such as `{$request.body#/callbackUrl}`",
        "The key of a callback is a runtime expression (OpenAPI 3.1.1, section 4.8.20.4) for the URL in \
         the request of its operation. This key is not a valid expression, so no constant is generated \
         for it; the callback is generated all the same.", allowable;
    CHOICE_NOT_CHECKED = "W0350", "the choice of alternatives is not checked",
        help "check the value in the handler, or give the alternatives different types",
        "The alternatives of a `oneOf` or `anyOf` have one Rust type. Alternatives that differ in their \
         required properties are checked (`oneOf: [{required: [a]}, {required: [b]}]`); these differ in \
         bounds, or in keywords that are not checked. A server accepts values that match none of them, or \
         several of a `oneOf`.", allowable;
    ALTERNATIVES_OVERLAP = "W0351", "overlapping alternatives of a `oneOf`",
        help "add a property that each alternative requires, with a `const` of its own",
        "A value may match two alternatives of the `oneOf`, and is then not valid by JSON Schema. \
         Documents with `oneOf` mostly mean a choice, so a server decodes the alternative that keeps \
         most of the value. Alternatives exclude each other by their JSON types, by a property that one \
         requires and that has other values in the other, or by `additionalProperties: false` beside a \
         required property that the closed one does not have. It is reported once for each document.", allowable;
    PATTERN_VALUES = "W0352", "values under several patterns are not checked",
        help "use one schema for all patterns, or check the values in the handler",
        "The schemas of `patternProperties` and `additionalProperties` differ. Values of such names are \
         any JSON, since a Rust map has one type of values, and the pattern of a name is not \
         evaluated.", allowable;
    LONG_TUPLE = "W0353", "too many items with schemas of their own",
        help "use an object, or a list of one type",
        "Rust tuples implement traits such as `Debug` for up to 12 elements. The list contains any values, \
         and its items are not checked.", allowable;
    SHARED_TAG = "W0360", "several variants share a discriminator value",
        help "assign the value to one variant in `mapping`",
        "Several variants of a union list the value for the discriminating property, and \
         `mapping` does not assign it to one of them. A value is matched against the content of the \
         variants; where `mapping` has other values for each variant, those are used, and the shared value \
         matches no variant.", allowable;
    TAG_UNDECLARED = "W0361", "no variant has the discriminating property",
        help "declare the property in each variant, or correct `propertyName`",
        "The `propertyName` of a discriminator is a property that each variant declares and requires. No \
         variant of this union has a property of that name, so it may be misspelled. The property is read and \
         written all the same.", allowable;
    PARTS_NOT_CODED = "W0370", "unnamed parts of a body are not supported",
        help "use `multipart/form-data` with an object schema, or read and write the parts in your code",
        "The parts of the multipart body have no names and are identified by their order: the media type \
         has an `itemSchema` (OpenAPI 3.2) or a list as its schema. The body is bytes; its media type has \
         the boundary.", allowable;
    PART_NOT_CODED = "W0371", "a part is sent as JSON",
        help "make the property a string, and encode and decode the XML in your code",
        "The `encoding` of a multipart body says that a property is XML, and the property is an object, \
         which is encoded as JSON only. It is sent as `application/json`, and a part that is received \
         as XML is rejected.", allowable;
    SERVER_VARIABLE = "W0380", "an invalid server variable",
        help "declare the variable under `variables`, with a `default` that is one of its `enum`",
        "Each variable in the URL of a server is declared under `variables` with a `default`, which is \
         one of its `enum` where there is one (OpenAPI 3.1.1, sections 4.8.5 and 4.8.6). The URL of this \
         server is incomplete without a value that the document does not have, or its default is not \
         allowed.", allowable;
    SERVER_SCHEME = "W0381", "a server URL without a scheme",
        help "begin the URL with `https://`, or with `/` if it is a path",
        "A URL without a scheme is relative to the location of the document (RFC 3986, section 4.2): \
         `api.example.com/v1` is a path. Clients of this document have no base URL, and a server expects \
         requests below a path that begins with the name of the host.", allowable;
    NUMBER_AS_STRING = "W0385", "a number is written as a string",
        help "with rust_decimal, enable its feature `serde-float`; else use a type that is written as a number",
        "A format of `[formats]` applies to all schemas that have it: to numbers as well as to strings. \
         `rust_decimal::Decimal` and `bigdecimal::BigDecimal` are written as strings, unless a feature of \
         the crate changes that, and the schema is a number, so another program may reject the value.", allowable;
    CREDENTIALS_ELSEWHERE = "W0390", "credentials for another host",
        help "allow the host in the client with `ClientCore::trust_origin`, or correct the URL",
        "An operation that requires credentials has a server of its own, or a scheme has a `tokenUrl`, at \
         another host than the first server of the document. A changed document could send \
         credentials to any host in this way, so a client returns an error before it sends them, until its \
         user allows the host with `ClientCore::trust_origin`. It is reported once for each host.", allowable;
    REPEATED_NAME = "W0395", "two schemas have the same name",
        help "give one of the two schemas another `$id` or anchor",
        "Two schemas have the same `$id`, or two of one document the same anchor. No reference uses \
         the name, or the two are equal, so no generated code depends on it.", allowable;
    SECTION_MISSING = "W0396", "a required section is missing",
        help "add `info: { title: …, version: … }`, and `paths` before OpenAPI 3.1",
        "Every document has `info`, and before OpenAPI 3.1 `paths`. Code is generated \
         without them; the name of a crate is derived from the title, unless it is given.", allowable;
    NAME_TAKEN = "W0401", "two names are the same in Rust",
        help "choose a name for one of them under `[names]` in the configuration",
        "Names of the document that differ only by case or by signs are the same in Rust. The plain name \
         goes to a configured name, then to a name that is the same in the document, then to one without \
         signs, then to the first of the document. The other is spelled out or gets a number.", allowable;
    IMPORT_ONE_SIDED = "W0402", "an imported type is made for another direction",
        help "leave the operations out of the imported file, or use the type in a request there",
        "The operations of the imported file decide what its module checks: a type that they have in \
         responses only has no validation rules, and a property that one side writes is optional if requests \
         and responses have the type. The operations of this document use the type otherwise. A file without \
         operations has types with all rules, whose properties are required as the file says.", allowable;
    RETRIES = "W0410", "a statement about retries cannot be read",
        help "the page `reference/extensions` of the guide lists the keys of `x-speakeasy-retries` and `x-fern-retries`",
        "The document states how operations are retried (`x-speakeasy-retries`, `x-fern-retries`), but this part of \
         it has another form. It is left out: the client retries as if the document did not state it.", allowable;
}
