"""The cases, and how often the work of each is done in the two runs whose difference is measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    few: int
    many: int


def small(*names: str) -> list[Case]:
    """Cases of some thousand instructions."""
    return [Case(name, 50, 550) for name in names]


def medium(*names: str) -> list[Case]:
    """Cases of some hundred thousand instructions."""
    return [Case(name, 3, 23) for name in names]


def large(*names: str) -> list[Case]:
    """Cases of many million instructions."""
    return [Case(name, 1, 3) for name in names]


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
    *small("server-get", "server-get-many", "server-post"),
]
