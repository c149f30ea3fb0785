"""Draws values of JSON Schemas with hypothesis-jsonschema: `outside_values.py COUNT < SCHEMAS > VALUES`.

A line of the input is a schema of JSON Schema 2020-12 with what it refers to. For each value, the output has a line with
the number of its schema and the value; for a schema without values, a line with the reason after `!`. The same input gives
the same output.
"""

import base64
import json
import re
import sys
import warnings
import zlib

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, strategies
from hypothesis_jsonschema import from_schema

# How often a schema is within itself.
DEEPEST = 2
# The largest schema with everything that it refers to, in schemas.
LARGEST = 400
# The size from which on a schema has fewer values, since each takes longer.
LARGE = 40

# Keywords that are copied, those with a schema, with a list of schemas, and with schemas by name.
PLAIN = (
    "type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required",
)
ONE = ("additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
LISTS = ("allOf", "anyOf", "oneOf")
NAMED = ("properties", "patternProperties")
# Those that several schemas about one object may have.
OBJECT = (*LISTS, *NAMED, "$ref", "additionalProperties", "if", "not", "required")

FORMATS = {
    "uuid": strategies.uuids().map(str),
    "date": strategies.dates().map(str),
    "byte": strategies.binary().map(lambda bytes: base64.b64encode(bytes).decode()),
}


class Undrawable(Exception):
    """Why no values are drawn."""


class Inlined:
    """Schemas of draft 7 without references."""

    def __init__(self, root):
        self.root = root
        self.size = 0

    def target(self, reference):
        at = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            at = at[int(step)] if isinstance(at, list) else at[step]
        return at

    def schema(self, of, stack=(), is_whole=True):
        """Returns a schema. A whole one is no part of another one, and its objects have the declared properties only:
        types ignore others."""
        self.size += 1
        if self.size > LARGEST:
            raise Undrawable("large")
        if isinstance(of, bool):
            return of
        out = {key: of[key] for key in PLAIN if key in of}
        if "x-format" in of:
            out["format"] = of["x-format"]
        out |= {key: self.schema(of[key], stack) for key in ONE if key in of}
        for key in LISTS:
            if key in of:
                is_alone = not any(other in of for other in OBJECT if other != key)
                is_alone &= key != "allOf" or len(of[key]) == 1
                out[key] = [self.schema(part, stack, is_whole and is_alone) for part in of[key]]
        is_choice = any(key in of for key in (*LISTS, "$ref", "if", "not", "patternProperties"))
        if is_whole and "properties" in of and not is_choice:
            out.setdefault("additionalProperties", False)
        for key in NAMED:
            if key in of:
                out[key] = {name: self.schema(part, stack) for name, part in of[key].items()}
        if "prefixItems" in of:
            out["items"] = [self.schema(part, stack) for part in of["prefixItems"]]
            if "items" in of:
                out["additionalItems"] = self.schema(of["items"], stack)
        elif "items" in of:
            out["items"] = self.schema(of["items"], stack)
        needs = {**of.get("dependentRequired", {})}
        needs |= {name: self.schema(part, stack) for name, part in of.get("dependentSchemas", {}).items()}
        if needs:
            out["dependencies"] = needs
        if "$ref" in of:
            to = of["$ref"]
            is_whole = is_whole and not out
            inner = stack.count(to) < DEEPEST and self.schema(self.target(to), (*stack, to), is_whole)
            out = {"allOf": [inner, out]} if out else inner
        return out


def drawn(schema, count):
    """Returns the values of a schema, each once."""
    values = {}

    @seed(zlib.crc32(json.dumps(schema, sort_keys=True).encode()))
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(from_schema(schema, custom_formats=FORMATS, allow_x00=False))
    def draw(value):
        values[json.dumps(value, ensure_ascii=True)] = None

    draw()
    return list(values)[:count]


def main(count):
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10_000)
    for number, line in enumerate(sys.stdin):
        root = json.loads(line)
        try:
            inlined = Inlined(root)
            schema = inlined.schema(root)
            values = drawn(schema, max(3, count * LARGE // max(LARGE, inlined.size)))
        except Exception as error:  # whatever the generator cannot draw
            reason = re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")
            print(f"{number}\t!{reason[:200]}")
            continue
        for value in values:
            print(f"{number}\t{value}")
        sys.stdout.flush()


main(int(sys.argv[1]))
