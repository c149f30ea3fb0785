"""The cases: what runs where, and how often in the two runs whose difference is measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    few: int
    many: int
    # `local`: the program does the work by itself. `client`: it calls the stub. `server`: the stub calls it.
    where: str = "local"
    # What the stub sends to a server.
    request: str = ""
    # `cost`: instructions or CPU time. `cpu`: CPU time. `peak`: bytes that are allocated at once.
    # `idle`, `calls`: resident bytes for each open connection or call.
    measure: str = "cost"
    # The programs are `NAME-ours` and `NAME-peer`.
    programs: str = "bench"


def small(*names: str) -> list[Case]:
    """Cases of some thousand instructions."""
    return [Case(name, 50, 550) for name in names]


def medium(*names: str) -> list[Case]:
    """Cases of some hundred thousand instructions."""
    return [Case(name, 3, 23) for name in names]


def large(*names: str) -> list[Case]:
    """Cases of many million instructions."""
    return [Case(name, 1, 3) for name in names]


def client(*names: str, few: int = 50, many: int = 550) -> list[Case]:
    return [Case(name, few, many, "client") for name in names]


def memory(name: str, where: str, request: str = "", measure: str = "peak", times: int = 1) -> Case:
    return Case(name, 0, times, where, request, measure)


CASES = [
    *small("decode-object", "encode-object"),
    *large("decode-array", "encode-array"),
    *medium("decode-tagged-tree", "decode-tagged-list", "decode-tagged-chain"),
    *medium("decode-tagged-tree-last", "decode-tagged-list-last", "decode-tagged-chain-last"),
    *medium("encode-tagged-tree"),
    *medium("decode-untagged-tree", "decode-untagged-list", "decode-untagged-chain", "encode-untagged-tree"),
    *small("decode-body-object", "encode-body-object"),
    *large("decode-body-array", "encode-body-array"),
    *medium("decode-body-tagged-tree", "decode-body-tagged-tree-last", "decode-body-untagged-tree"),
    *medium("encode-body-tagged-tree"),
    *small("server-get", "server-get-many", "server-post", "server-get-checked"),
    Case("server-500-paths", 500, 1500, programs="bench-paths"),
    *large("server-upload", "server-multipart", "server-journal"),
    *medium("webhooks"),
    Case("loopback-get", 50, 550, "server", "get"),
    Case("loopback-post", 50, 550, "server", "post"),
    Case("loopback-get-cpu", 2_000, 22_000, "server", "get", "cpu"),
    Case("loopback-post-cpu", 2_000, 22_000, "server", "post", "cpu"),
    *client("client-get", "client-get-many", "client-post"),
    *client("client-hyper-get", "client-hyper-post"),
    *client("client-hyper-get-to-reqwest", "client-hyper-post-to-reqwest"),
    *small("client-memory-get", "client-memory-post", "client-memory-get-checked"),
    *client("client-journal", few=1, many=4),
    *client("client-multipart", few=1, many=4),
    memory("memory-server-upload", "server", "post-blob"),
    memory("memory-server-download", "server", "get-blob"),
    memory("memory-client-upload", "client"),
    memory("memory-client-download", "client"),
    memory("memory-connections", "server", "get", "idle", 10_000),
    memory("memory-calls", "client", "", "calls", 1_000),
]
