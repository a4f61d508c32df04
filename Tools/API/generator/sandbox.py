# SPDX-License-Identifier: Apache-2.0
"""The tables of the API in AlmanacSandbox: the routes of its methods, and the types of its schemas."""

import textwrap

from .swift import Part, identifier, source
from .table import Property, Schema, Table

#: Fields that responses include even with their default values.
ALWAYS_SENT = ("eventType", "type")
#: The endpoints in Sandbox.Endpoint whose names differ from those of their resources.
ENDPOINTS = {"freebusy": "freeBusy"}


def files(table: Table) -> dict[str, str]:
    """Returns the text of every generated file by its name, before it is formatted."""
    other_roots = {table.swift_names[m.facts[body]] for m in table.methods if m.resource != "events" for body in ("request", "response") if body in m.facts}
    others = reachable(table, other_roots)
    return {
        "CalendarMethod+All.swift": source([Part(methods(table), modules=frozenset(["HTTPTransport"]))]),
        "ResourceSchema+All.swift": source([Part(all_schemas(table))]),
        "ResourceSchema+Events.swift": source([schema(table, s) for name, s in sorted(table.schemas.items()) if name not in others]),
        "ResourceSchema+Calendars.swift": source([schema(table, s) for name, s in sorted(table.schemas.items()) if name in others]),
    }


def reachable(table: Table, roots: set[str]) -> set[str]:
    """The schemas of `roots` and, recursively, of their fields."""
    found: set[str] = set()
    rest = list(roots)
    while rest:
        name = rest.pop()
        if name not in found:
            found.add(name)
            rest += [p.element for p in table.schemas[name].properties if p.element in table.schemas]
    return found


def lower_camel(text: str) -> str:
    words = text.replace(".", " ").split(" ")
    words = [word[0].upper() + word[1:] for word in words]
    joined = "".join(words)
    return identifier(joined[0].lower() + joined[1:])


def strings(values) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


# Methods.


def methods(table: Table) -> str:
    names = [lower_camel(m.id) for m in table.methods]
    text = "extension CalendarMethod {\n  /// The names of the methods.\n  enum ID: String, Sendable {\n"
    text += "".join(f'    case {name} = "{m.id}"\n' for name, m in zip(names, table.methods))
    text += "  }\n\n  /// The methods of the API.\n"
    text += f"  static let all: [CalendarMethod] = [{', '.join(names)}]\n"
    for m in table.methods:
        name = lower_camel(m.id)
        text += f"\n  static let {name} = CalendarMethod(\n"
        arguments = [
            f'.{name}, .{m.http_method.lower()}, "{m.facts["path"]}"', f"endpoint: .{ENDPOINTS.get(m.resource, m.resource)}"]
        for key in ("request", "response"):
            if key in m.facts:
                arguments.append(f'{key}: "{m.facts[key]}"')
        parameters = [parameter(table, p) for p in m.required + m.optional]
        if parameters:
            arguments.append(f"parameters: [{', '.join(parameters)}]")
        arguments.append(f"scopes: {strings(m.facts['scopes'])}")
        if "sync" in m.facts:
            sync = m.facts["sync"]
            arguments.append(f"sync: .init(mustNotCombine: {strings(sync['mustNotCombine'])}, mustNotBeFalse: {strings(sync['mustNotBeFalse'])})")
        text += textwrap.indent(",\n".join(arguments), "    ") + ")\n"
    return text + "}\n"


def parameter(table: Table, p: Property) -> str:
    facts = p.facts
    if p.is_enumeration:
        kind = f".choice({strings(table.enumerations[p.element]['values'])})"
    elif "pageSizeMax" in facts:
        kind = f".pageSize(default: {facts['pageSizeDefault']}, maximum: {facts['pageSizeMax']})"
    elif facts["type"] == "integer":
        kind = f".integer({facts.get('minimum', 'Int(Int32.min)')}...{facts.get('maximum', 'Int(Int32.max)')})"
    elif facts.get("format") == "date-time":
        kind = ".time"
    else:
        kind = {"boolean": ".boolean", "string": ".text"}[facts["type"]]
    flags = "".join(f", {name}: true" for name, key in (("isRepeated", "repeated"), ("isRequired", "required")) if facts.get(key))
    return f'"{p.json_name}": .init({kind}{flags})'


# Schemas.


def all_schemas(table: Table) -> str:
    text = "extension ResourceSchema {\n  /// The schemas by their names.\n  static let all: [String: ResourceSchema] = [\n"
    for name in map(table.google_name, table.schemas):
        text += f'    "{name}": {lower_camel(name)},\n'
    return text + "  ]\n}\n"


def schema(table: Table, schema: Schema) -> Part:
    text = f"extension ResourceSchema {{\n  static let {lower_camel(table.google_name(schema.name))} = ResourceSchema(\n    [\n"
    for p in schema.properties:
        text += f'      "{p.json_name}": {property_type(table, p)},\n'
    text += "    ]"
    read_only = [p.json_name for p in schema.properties if p.facts.get("readOnly") is True or p.json_name in ("etag", "kind")]
    if read_only:
        text += f", readOnly: {strings(read_only)}"
    defaults = [f'"{p.json_name}": {default(p)}' for p in schema.properties if is_omitted(p)]
    if defaults:
        text += f", defaults: [{', '.join(defaults)}]"
    return Part(text + ")\n}\n", modules=frozenset(["JSONCoding"] if defaults else []))


def is_omitted(p: Property) -> bool:
    """Whether Google omits the field if it has its default value."""
    return p.facts.get("default", "") != "" and p.json_name not in ALWAYS_SENT and (p.is_enumeration or p.facts["type"] in ("boolean", "integer"))


def default(p: Property) -> str:
    return f'"{p.facts["default"]}"' if p.facts["type"] == "string" else p.facts["default"]


def property_type(table: Table, p: Property) -> str:
    value = p.facts.get("items") or p.facts.get("mapOf") or p.facts
    if p.is_enumeration:
        element = f".choice({strings(v for v in table.enumerations[p.element]['values'] if v)})"
    elif p.element in table.schemas:
        element = f'.object("{table.google_name(p.element)}")'
    else:
        element = {
            ("string", None): ".text", ("string", "color"): ".text", ("string", "date"): ".date",
            ("string", "date-time"): ".time", ("string", "offset-date-time"): ".localTime", ("string", "int64"): ".int64",
            ("boolean", None): ".boolean", ("integer", "int32"): ".integer", ("any", None): ".any",
        }[value["type"], value.get("format")]
    return {"array": f".array({element})", "map": f".map({element})"}.get(p.kind, element)
