"""The cases: a document each, and what shows that a generator does what the document asks for.

A case is shown by values that the generated type `Probe` reads and writes (`values`), by a pattern that the
generated code has (`shows`, by generator; `""` for all that have none of their own), by what the generator
prints (`output`), by the bytes of a second run (`again`), or by compiling. Patterns were chosen by reading what each
generator writes; `instead` says what stands in the code of a generator where the pattern is not found. `other` names
another document for a generator that refuses the first one for a reason that the row is not about.
"""

import re
from dataclasses import dataclass, field


@dataclass
class Case:
    row: str
    spec: str
    side: str = "client"
    shows: dict[str, str] = field(default_factory=dict)
    values: list[tuple[str, str]] = field(default_factory=list)
    output: re.Pattern | None = None
    again: bool = False
    other: dict[str, str] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    ogen: str = "not measured"

    def pattern(self, tool: str) -> re.Pattern | None:
        """What the code of a tool must have, if anything."""
        text = self.shows.get(tool, self.shows.get(""))
        return re.compile(text, re.M) if text else None


def same(*texts: str) -> list[tuple[str, str]]:
    """Values that are written as they were read."""
    return [(text, text) for text in texts]


# What stands in the code of a generator that reads only the schemas of a webhook or a callback.
PAYLOADS = "the payload type only"

CASES = [
    Case("Swagger 2.0", "swagger2"),
    Case("OpenAPI 3.0", "version30", ogen="documented"),
    Case("OpenAPI 3.1", "version31"),
    Case("OpenAPI 3.2, an operation with `query`", "version32", shows={"": r"\bQUERY\b"}, instead={
        "oas3-gen": "the operation is left out",
    }),
    Case("YAML", "plain"),
    Case("JSON", "json", ogen="documented"),
    Case("references into other files", "files"),
    Case("client", "plain", ogen="documented", shows={"": r"fn send_probe\b"}),
    Case("server: traits and a router", "plain", "server", ogen="documented", shows={"": r"fn send_probe\b[\s\S]*Router|Router[\s\S]*fn send_probe\b"}),
    Case("webhooks: payload types", "webhooks", "any", ogen="documented", shows={"": r"struct ProbeChange\b"}),
    Case("webhooks: a handler trait and a router", "webhooks", "any", ogen="documented", shows={
        "bothends": r"fn router<H: WebhookHandler>",
        "openapi-to-rust-server": r"fn probe_changed\b[\s\S]*Router",
        "oas3-gen-server": r"fn probe_changed\b[\s\S]*-> Router",
        "openapi-generator-server": r"fn probe_changed\b",
        "": r"WebhookHandler",
    }, instead={"progenitor": PAYLOADS}),
    Case("callbacks: a handler trait and a router", "callbacks", "any", shows={
        "bothends": r"fn send_probe_done\b",
        "oas3-gen-server": r"fn probe_done\b[\s\S]*-> Router",
        "": r"(?i)fn (send_probe_)?(probe_)?done\b",
    }, instead={"progenitor": PAYLOADS, "openapi-to-rust": PAYLOADS}),
    Case("callbacks: their URL from the request", "callbacks", "any", shows={
        "bothends": r"SEND_PROBE_DONE_URL",
        "": r"(?i)notify.*(expression|url)\(",
    }, instead={
        "progenitor": PAYLOADS,
        "openapi-to-rust": PAYLOADS,
        "oas3-gen": "a handler at a fixed path, and no code for the URL",
    }),
    Case("`oneOf` with a discriminator", "discriminator", ogen="documented", values=same('{"kind":"cat","lives":9}', '{"kind":"dog","tricks":2}')),
    Case("`oneOf` without a discriminator", "untagged", ogen="documented", values=same('{"lives":9}', '{"tricks":2}')),
    Case("unlisted values of an enum are kept", "enums", values=same('{"state":"running"}', '{"state":"paused"}')),
    Case("absent and `null` are distinct", "nullable", ogen="documented", values=same('{"name":"a"}', '{"name":"a","note":null}', '{"name":"a","note":"b"}')),
    Case("`default` of a property is in the code", "defaults", shows={"": r"4[_]?711"}, instead={
        "openapi-to-rust": "`Option<i64>` without a default",
    }),
    Case("the server checks `maxLength`", "constraints", "server", ogen="documented", shows={
        "bothends": r"max_length\(4711\)",
        "openapi-to-rust-server": r'maxLength\\":4711[\s\S]*fn validate\b',
        "oas3-gen-server": r"\.validate\(\)",
        "": r"4[_]?711",
    }, instead={"oas3-gen-server": "`#[validate(length(max = 4_711u64))]` on the type; the router does not call `validate`"}),
    Case("multipart requests", "multipart", shows={"": r"(?i)multipart"}),
    Case("server-sent events, typed", "sse", ogen="documented", shows={
        "bothends": r"Streamed<Event<types::Event>>",
        "openapi-to-rust": r"BoxSseStream<Result<Event,",
        "": r"(?i)(stream|sse)\w*<[^;{]*\bEvent\b",
    }, instead={"progenitor": "a `ByteStream` of the body"}),
    Case("JSON lines, typed", "lines", shows={
        "bothends": r"Streamed<types::Event>",
        "": r"(?i)(stream|lines)\w*<[^;{]*\bEvent\b",
    }, instead={
        "progenitor": "a `ByteStream` of the body",
        "openapi-to-rust": "`Result<(), …>`; the body is dropped",
        "oas3-gen": "the body is read as one `Event`",
    }),
    Case("API key, basic and bearer in the client", "auth", shows={"": r"(?i)basic[\s\S]*bearer|bearer[\s\S]*basic"}, instead={
        "progenitor": "the schemes are not read; the caller sets headers on the `reqwest::Client`",
        "openapi-to-rust": "the schemes are not read; the configuration names one of bearer, API key or another header",
        "oas3-gen": "`with_key` and `with_bearer`; the basic scheme is left out",
    }),
    Case("OAuth 2.0 tokens obtained and refreshed", "tokens", shows={"": r"auth\.example\.com/tokens"}, instead={
        "progenitor": "the scheme is not read",
        "openapi-to-rust": "the scheme is not read; the caller passes a token",
        "oas3-gen": "the scheme is left out",
    }),
    Case("a typed error for each status", "errors", shows={"": r"(?i)404[\s\S]*(Missing|NotFound)", "oas3-gen": r"NotFound\(ConflictOrMissing::Missing\(data\)\)"}),
    Case("typed response headers", "headers", shows={"": r"(?i)x[-_]probe[-_]remaining"}, instead={
        "progenitor": "an untyped `HeaderMap`",
        "openapi-to-rust": "a success is the body alone",
    }),
    Case("two runs write the same bytes", "again", again=True, other={"progenitor": "discriminator"}),
    Case("a wrong `$ref` is reported with line and column", "dangling", output=re.compile(r"\b11:\d+"), instead={
        "openapi-to-rust": "no error is reported",
        "oas3-gen": "no error is reported",
    }),
]

# What no case measures: `tested` by this repository's own tests, `documented` by the generator's README or `--help`.
DOCUMENTED = [
    ("generates in a build script", ["tested", "documented", "documented", "not documented", "documented", "not documented", "not documented"]),
    ("generates by a macro", ["no", "documented", "not documented", "not documented", "documented", "not documented", "not documented"]),
    ("`--check` for committed code", ["tested", "not documented", "documented", "not documented", "not documented", "not documented", "not documented"]),
    ("generates selected operations only", ["tested", "not documented", "documented", "documented, by operation id", "documented, by exclusion", "documented", "documented, by path and method"]),
    ("a Cargo feature for each tag", ["tested", "not documented", "not documented", "not documented", "not documented", "not documented", "not documented"]),
    ("own types in place of schemas", ["tested", "documented", "not documented", "not documented", "not documented", "documented, without effect in Rust", "not documented"]),
    ("the type that `x-rust-type` states", ["tested", "documented", "not documented", "not documented", "not documented", "not documented", "not documented"]),
    ("further derives from the configuration", ["tested", "documented", "documented", "not documented", "not documented", "not documented", "not documented"]),
    ("applies overlays", ["tested", "not documented", "documented, 1.1", "not documented", "not documented", "not documented", "not documented"]),
    ("pagination", ["tested", "documented, Dropshot's", "not documented", "not documented", "not documented", "not documented", "not documented"]),
    ("JSON Schema of its configuration", ["tested", "not documented", "not documented", "not documented", "not documented", "documented, of its npm package", "documented"]),
    ("compares two documents", ["tested", "not documented", "not documented", "not documented", "documented", "not documented", "not documented"]),
    ("the client retries", ["tested", "not documented", "documented", "not documented", "documented, with a policy of the caller's", "documented, by middleware", "not documented"]),
    ("the client compiles for wasm32", ["tested", "not documented", "documented", "not documented", "documented", "not documented", "not documented"]),
    ("webhooks signed, sent and retried from a database", ["tested", *["not documented"] * 6]),
]
