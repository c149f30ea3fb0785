//! Errors: no code is generated.

codes! {
    // Reading files.
    FILE_UNREADABLE = "E0001", "a file cannot be read",
        help "check the path and the permissions of the file",
        "The file does not exist, or the operating system denies access. The message says which.";
    FILE_NOT_UTF8 = "E0002", "a file is not UTF-8 text",
        help "save the file as UTF-8",
        "Documents are read as UTF-8, with or without a byte order mark. Convert the file, for \
         example with `iconv -f UTF-16 -t UTF-8`.";
    SYNTAX = "E0003", "a file is neither JSON nor YAML",
        help "correct the syntax at this place",
        "The text breaks the rules of its format at the place that is shown. A file that begins \
         with a brace is parsed as JSON first, and as YAML if that fails.";
    FILE_TOO_LARGE = "E0004", "a file is too large",
        help "check that the path names an OpenAPI document",
        "Files beyond the size limit are not read, so that a wrong path cannot exhaust the memory.";
    NESTED_TOO_DEEP = "E0005", "a file is nested too deeply",
        help "move nested objects into components and refer to them with `$ref`",
        "JSON and YAML are read to a depth of 128 levels. Documents written by people stay far \
         below that.";
    EXPANDS_TOO_FAR = "E0006", "YAML aliases expand too far",
        help "replace aliases of aliases by `$ref`",
        "An alias stands for a copy of its anchor, and copies of copies grow without bound. The \
         document would become many times larger than its text.";
    DUPLICATE_KEY = "E0007", "duplicate key in an object",
        help "remove one of the two entries",
        "JSON and YAML leave the meaning of a duplicate key open or forbid it. When allowed, \
         the last value counts, as in most parsers.", allowable;
    UNUSED_ALLOWANCE = "E0008", "unused allowance",
        help "remove the allowance",
        "A code is allowed that was not reported in this run. An unused allowance would hide the \
         same problem when it returns.";
    TOO_MANY_FILES = "E0009", "a document has too many files",
        help "bundle the document into fewer files",
        "The references of the document lead to more files than the limit for one document.";

    // Overlays.
    OVERLAY_INVALID = "E0020", "an overlay is invalid",
        help "correct the overlay at this place",
        "An overlay has `overlay: 1.1.0` (or 1.0.0), `info` and a list of `actions`. An action has a \
         `target`, which is a JSONPath query as RFC 9535 defines them, and one of `update`, `copy` \
         (1.1) and `remove: true`. Names in a query that are not letters, digits and underscores are \
         written in brackets and quotes: `$.paths['/pets'].get`.";
    OVERLAY_TARGET_MISSING = "E0021", "the target of an overlay selects nothing",
        help "correct the query, remove the action, or add `x-bothends-optional: true` to it",
        "An action of an overlay selects no node of the document: the query is misspelled, or a new \
         version of the document does not have the node. The action would have no effect. When \
         allowed, it has none.", allowable;
    OVERLAY_UNEXPECTED = "E0022", "the target of an overlay has changed",
        help "read what the document has now, and correct the action and its `x-bothends-expects`",
        "`x-bothends-expects` states the value that the target of an action has before the action. \
         The document has another value, so a new version of it may have changed what the action \
         was written for. When allowed, the action is left out.", allowable;
    OVERLAY_MERGE = "E0023", "an overlay cannot be merged",
        help "write a value of the same kind as the target, or remove the target in an action before",
        "An object is merged into an object, an array is added to an array, and a primitive value \
         replaces a primitive value. All targets of an action are of one of these kinds. An array \
         as a target takes any value as a further item. `copy` selects exactly one node.";
    OVERLAY_TOO_LARGE = "E0024", "an overlay causes too much work",
        help "select fewer nodes: write names in place of `..` and `*`",
        "The queries of the overlays visit too many nodes, or the actions write too much, so that \
         the document would become many times larger than its text.";
    OVERLAY_DOCUMENT = "E0025", "an overlay is for a file that is not part of the document",
        help "correct the path in `extends`, relative to the overlay, or remove the key",
        "An overlay changes the file that its `extends` names: the document, or a file that \
         references of the document lead to. Without `extends`, or if it is a URL, the overlay \
         changes the document.";

    // The shape of the document.
    VERSION_MISSING = "E0101", "missing version of the format",
        help "begin the document with `openapi: 3.1.0` or `swagger: \"2.0\"`",
        "An API description begins with `openapi: 3.x.y` or `swagger: \"2.0\"`.";
    VERSION_UNKNOWN = "E0102", "unsupported version of the format",
        help "use Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2",
        "Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are supported.";
    WRONG_TYPE = "E0103", "a value has the wrong type",
        help "write a value of the expected type",
        "The specification expects another type of value at this place, so the intended meaning is \
         unknown. When allowed, the value is left out.", allowable;
    MISSING_FIELD = "E0104", "missing required field",
        help "add the field",
        "Without the field, no code can be generated for the object. When allowed, the \
         object is left out.", allowable;
    UNKNOWN_VALUE = "E0105", "unknown value of a field",
        help "write one of the values that the specification lists",
        "The field accepts one of a few values. When allowed, the field counts as absent.", allowable;
    BAD_STATUS = "E0106", "a response key is not a status",
        help "write a status such as `200`, a range such as `4XX`, or `default`",
        "Responses are keyed by a status such as `200`, a range such as `4XX`, or `default`. When \
         allowed, the response is left out.", allowable;
    DUPLICATE_PARAMETER = "E0107", "duplicate parameter",
        help "remove or rename one of the two parameters",
        "A parameter is identified by its name and its `in`, and may occur once in a list. When \
         allowed, the first one counts.", allowable;
    SEVERAL_CONTENTS = "E0108", "a parameter or header has several media types",
        help "keep one entry of `content`",
        "`content` of a parameter or a header has exactly one entry, which says how the value is \
         encoded. When allowed, the first one counts.", allowable;
    SEVERAL_BODIES = "E0109", "an operation has several bodies",
        help "keep one `in: body` parameter, or use `in: formData` parameters only",
        "Swagger 2.0 allows an operation one `in: body` parameter, or `in: formData` parameters, \
         not both. When allowed, the first body parameter counts.", allowable;
    NOT_OPENAPI_3_0 = "E0110", "a document cannot be bundled",
        "`bothends bundle` writes OpenAPI 3.0, and puts what that version cannot express under keys \
         that begin with `x-`. The message says what could not be written.";
    UNFOLDS_TOO_FAR = "E0111", "a document is too large",
        help "let fewer components contain or compose one another",
        "The document has more schemas, parameters, responses and examples than the limit. Shared \
         ones count once for each use, so that a small document cannot expand and exhaust the \
         memory.";
    EXAMPLE_REFUSED = "E0112", "an example is not a value of its type",
        help "correct the example or the schema, or remove the example by an overlay",
        "`bothends examples` reads each example by the generated type of its schema, checks the rules of the \
         document, and writes the value again. The type refuses the value, a rule is violated, or the value is \
         written differently: an undeclared property is lost, for example.";

    // References.
    DANGLING_REFERENCE = "E0201", "unresolved reference",
        help "add the target, or correct the `$ref`",
        "The target of the `$ref` does not exist. When allowed, the object with the reference is left \
         out; a schema becomes one that accepts any value.", allowable;
    CYCLIC_REFERENCE = "E0202", "circular reference",
        help "replace one `$ref` of the cycle by the object itself",
        "The `$ref` leads through other references back to itself, so it has no target.";
    REMOTE_REFERENCE = "E0203", "remote reference",
        help "save the document beside the others, or pass `--allow-remote`",
        "References to URLs are fetched only with `--allow-remote` (`allow-remote = true`), and only \
         by `https`. Alternatively, save the document beside the others and refer to the file. When \
         allowed, the object with the reference is left out; a schema becomes one that accepts any \
         value.", allowable;
    REFERENCE_OUTSIDE = "E0204", "a reference leaves the project of the document",
        help "pass `--allow-outside`, or move the file into the project",
        "Relative references stay in the folder of the root document, or lead to YAML and JSON files of the \
         project around it, so that a document from an untrusted source cannot read other files of this \
         machine. The project is the outermost folder with `bothends.toml` or `Cargo.toml` within the nearest \
         git repository, or the repository; its hidden folders are excluded. `--allow-outside` \
         (`allow-outside = true`) removes the limit for your own documents. It is reported once.";
    FETCH_FAILED = "E0205", "a document cannot be fetched",
        help "check the URL, or save the document beside the others",
        "Remote references are allowed, but the server returns no document or takes too long. \
         Redirects are not followed: refer to the final URL. The generator does not connect to \
         addresses that are not public and uses no proxy; save such documents beside the \
         others. When allowed, the object with the reference is left out; a schema becomes one that \
         accepts any value.", allowable;

    // What Rust cannot express.
    FAULT = "E0307", "invalid `x-bothends-rejections`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-rejections` and their values",
        "Each entry is an object with `response`, a reference to a reusable response that has a JSON \
         example. When allowed, the entry is left out.", allowable;
    TASK = "E0308", "invalid `x-bothends-task`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-task` and their values",
        "The extension names the operation that returns the status of a task, its parameter for the id \
         of the task, and the statuses that end a task. When allowed, no task is generated.", allowable;
    TOKEN = "E0309", "invalid `x-bothends-token`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-token` and their values",
        "The extension of an OAuth 2.0 scheme says where the response of the token endpoint has its \
         members (`envelope`), which schemes authenticate the client (`obtain`, `refresh`), and after \
         which 401 responses the token is not refreshed (`code`, `non-refreshable-codes`). When allowed, the flow is \
         that of RFC 6749.", allowable;
    DELIVERY = "E0310", "invalid `x-bothends-webhooks`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-webhooks` and their values",
        "The extension says how webhooks are subscribed to (`subscription`), signed (`signing`) and \
         delivered (`delivery`). `delivery` requires the integers `timeout-seconds` and `max-retries`, \
         and a list `retry-statuses`. A `null` stands for an unknown value. When allowed, \
         invalid entries are left out.", allowable;
    PAGES = "E0311", "invalid `x-bothends-pages`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-pages` and their values",
        "The extension of an operation that returns a list says how its next page is requested. When \
         allowed, the operation has no pages.", allowable;
    SECURITY_BY_BODY = "E0316", "invalid `x-bothends-security`",
        help "the page `reference/extensions` of the guide lists the keys of `x-bothends-security` and their values",
        "The extension of an operation says which alternatives of its `security` a request body \
         accepts: the name of the property that distinguishes the variants of the body, and for each \
         of its values a list in the form of `security`. When allowed, every variant accepts every \
         alternative.", allowable;
    AMBIGUOUS_NAME = "E0395", "ambiguous schema name in a reference",
        help "give one of the two schemas another `$id` or anchor",
        "A reference names a schema by its `$id` or its anchor, and two different schemas have that \
         name, so the target is unknown (JSON Schema 2020-12 Core, sections 8.2.1 and \
         8.2.2). When allowed, the first one counts.", allowable;
    EMPTY_DOCUMENT = "E0396", "the document is empty",
        help "add `paths`, `webhooks` or `components`",
        "The document states its version, and has no section to generate code from: \
         no `paths`, no `components` (`definitions` in Swagger 2.0), no `webhooks`. Often such a file is a \
         part of a document, or a truncated one.";

    // Names.
    NAME_NOT_RUST = "E0401", "a configured name is not a Rust identifier",
        help "use letters, digits and `_`, and begin with a letter",
        "The configuration chooses a name under `[names]` that is not a Rust identifier. Names consist of \
         letters, digits and `_`, and do not begin with a digit.";
    NAME_UNUSED = "E0402", "unused name in the configuration",
        help "remove the entry of `[names]`, or correct its key",
        "The configuration chooses a name under `[names]` for an item that the document does not \
         have. Names are chosen by JSON pointer (`/components/schemas/Pet`), by the name of a \
         reusable schema, by `operationId`, or as `Schema.member` for a property or a value of an \
         enum.";

    // The configuration.
    SELECTOR_UNUSED = "E0411", "a selector of the filter matches nothing",
        help "`bothends list` prints the selectors of a document",
        "A selector of `[filter]` (`--include`, `--exclude`) matches no operation, no webhook and no schema \
         of the document, possibly because the document changed.";
    TYPE_UNUSED = "E0412", "a key of the configuration matches no type",
        help "name a reusable schema, a Rust type or a JSON pointer, or remove the entry",
        "The configuration has a key under `[types]` for a schema that the document does not have, or under \
         `[derives]` or `[attributes]` for a type that is not generated. Keys of `[types]` are names of \
         reusable schemas, JSON pointers, and `FILE#POINTER` for other files. A reference has no type of its \
         own: name the schema that it leads to. The other keys are `*`, `structs`, `enums`, `unions`, \
         `newtypes`, names of reusable schemas, Rust names, and JSON pointers (`/components/schemas/Pet`).";
    DERIVE_IMPOSSIBLE = "E0413", "a type cannot derive a trait",
        help "remove the trait from `[derives]`, or change the type of this part",
        "The configuration derives a trait of the standard library for a type that contains a value without \
         this trait, such as `Eq` for a number with a fraction, or `Copy` for a string.";
    IMPORT_UNREADABLE = "E0415", "an imported file has no module of its own",
        help "import a whole OpenAPI document without errors, and generate its module from it",
        "A file under `[imports]` becomes a module of its own: bothends reads it as the root document, with \
         the settings of its `config`, to know the names of its types. A fragment, which has no `openapi` and \
         no `components`, cannot be generated by itself.";
    IMPORT_DIFFERS = "E0416", "an imported type has another form",
        help "generate both modules with the same settings, and name those of the imported one by `config`",
        "The module of an imported file has no type for a schema, or has it in another form than the schema \
         has in this document. The settings `unknown-values`, `formats`, `types` and `filter` decide the \
         form, and overlays change the schema. `config` of an entry of `[imports]` is the `bothends.toml` of \
         the imported module.";
    CRATE_UNKNOWN = "E0417", "the crate of a type is not listed",
        help "list the crate under `[dependencies]`, or as `\"!\"` under `[crates]` to generate the type",
        "A schema states by `x-rust-type` from which Rust type it was made, the configuration does not list \
         the crate of the type, and `unknown-crates` is `deny`.";
}
