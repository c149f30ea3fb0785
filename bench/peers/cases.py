"""The cases: a document each, and what shows that a generator does what the document asks for.

A case is shown by values that the generated type `Probe` reads and writes (`values`), by a pattern that the
generated code has (`shows`, by generator; `""` for all that have none of their own), by what the generator
prints (`output`), by the bytes of a second run (`again`), or by compiling. Patterns were chosen by reading what each generator writes.
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
    ogen: str = "not measured"

    def pattern(self, tool: str) -> re.Pattern | None:
        """What the code of a tool must have, if anything."""
        text = self.shows.get(tool, self.shows.get(""))
        return re.compile(text, re.M) if text else None


def same(*texts: str) -> list[tuple[str, str]]:
    """Values that are written as they were read."""
    return [(text, text) for text in texts]


CASES = [
    Case("Swagger 2.0", "swagger2"),
    Case("OpenAPI 3.0", "version30", ogen="documented"),
    Case("OpenAPI 3.1", "version31"),
    Case("OpenAPI 3.2, an operation with `query`", "version32", shows={"": r"\bQUERY\b"}),
    Case("YAML", "plain"),
    Case("JSON", "json", ogen="documented"),
    Case("references into other files", "files"),
    Case("client", "plain", ogen="documented", shows={"": r"fn send_probe\b"}),
    Case("server: traits and a router", "plain", "server", ogen="documented", shows={"": r"fn send_probe\b[\s\S]*Router|Router[\s\S]*fn send_probe\b"}),
    Case("webhooks: payload types", "webhooks", "any", ogen="documented", shows={"": r"struct ProbeChange\b"}),
    Case("webhooks: a handler trait and a router", "webhooks", "any", ogen="documented", shows={
        "bothends": r"fn router<H: WebhookHandler>",
        "openapi-to-rust-server": r"fn probe_changed\b[\s\S]*Router",
        "oas3-gen-server": r"fn probe_changed\b",
        "openapi-generator-server": r"fn probe_changed\b",
        "": r"WebhookHandler",
    }),
    Case("callbacks: a handler trait and a router", "callbacks", "any", shows={
        "bothends": r"fn send_probe_done\b",
        "": r"(?i)fn (send_probe_)?(probe_)?done\b",
    }),
    Case("callbacks: their URL from the request", "callbacks", "any", shows={"bothends": r"SEND_PROBE_DONE_URL", "": r"(?i)notify.*(expression|url)\("}),
    Case("`oneOf` with a discriminator", "discriminator", ogen="documented", values=same('{"kind":"cat","lives":9}', '{"kind":"dog","tricks":2}')),
    Case("`oneOf` without a discriminator", "untagged", ogen="documented", values=same('{"lives":9}', '{"tricks":2}')),
    Case("unlisted values of an enum are kept", "enums", values=same('{"state":"running"}', '{"state":"paused"}')),
    Case("absent and `null` are told apart", "nullable", ogen="documented", values=same('{"name":"a"}', '{"name":"a","note":null}', '{"name":"a","note":"b"}')),
    Case("`default` of a property is in the code", "defaults", shows={"": r"4[_]?711"}),
    Case("the server checks `maxLength`", "constraints", "server", ogen="documented", shows={
        "bothends": r"max_length\(4711\)",
        "": r"4[_]?711",
    }),
    Case("multipart requests", "multipart", shows={"": r"(?i)multipart"}),
    Case("server-sent events, typed", "sse", ogen="documented", shows={
        "bothends": r"Streamed<Event<types::Event>>",
        "": r"(?i)(stream|sse)\w*<[^;{]*\bEvent\b",
    }),
    Case("JSON lines, typed", "lines", shows={"bothends": r"Streamed<types::Event>", "": r"(?i)(stream|lines)\w*<[^;{]*\bEvent\b"}),
    Case("API key, basic and bearer in the client", "auth", shows={"": r"(?i)basic[\s\S]*bearer|bearer[\s\S]*basic"}),
    Case("OAuth 2.0 tokens got and refreshed", "tokens", shows={"": r"auth\.example\.com/tokens"}),
    Case("a typed error for each status", "errors", shows={"": r"(?i)404[\s\S]*(Missing|NotFound)"}),
    Case("typed response headers", "headers", shows={"": r"(?i)x[-_]probe[-_]remaining"}),
    Case("two runs write the same bytes", "again", again=True),
    Case("a wrong `$ref` is reported with line and column", "dangling", output=re.compile(r"\b11:\d+")),
]

# What no case measures: `tested` by this repository's own tests, `documented` by the generator's README or `--help`.
DOCUMENTED = [
    ("generates in a build script", ["tested", "documented", "documented", "not documented", "documented", "not documented", "not documented"]),
    ("generates by a macro", ["no", "documented", "not documented", "not documented", "documented", "not documented", "not documented"]),
    ("`--check` for committed code", ["tested", "not documented", "documented", "not documented", "not documented", "not documented", "not documented"]),
    ("the client retries", ["tested", "not documented", "documented", "not documented", "documented, with a policy of the caller's", "documented, by middleware", "not documented"]),
    ("the client compiles for wasm32", ["tested", "not documented", "documented", "not documented", "documented", "not documented", "not documented"]),
    ("webhooks signed, sent and retried from a database", ["tested", *["not documented"] * 6]),
]
