# SPDX-License-Identifier: Apache-2.0
"""Patches, which set and clear fields of a resource."""

from .swift import Part, comment, documentation, identifier, modules
from .table import Schema, Table


def parts(table: Table, schema: Schema) -> list[Part]:
    """The patch of a schema, if it has one."""
    if schema not in patched(table):
        return []
    return [Part(patch(schema), modules(fields(schema)) | {"JSONCoding"})]


def patched(table: Table) -> list[Schema]:
    """The schemas of methods that patch, and their nested objects, which are merged."""
    found: dict[str, Schema] = {}
    rest = [table.swift_names[m.facts["request"]] for m in table.methods if m.patches]
    while rest:
        name = rest.pop()
        if name not in found:
            found[name] = table.schemas[name]
            rest += [p.element for p in fields(found[name]) if p.kind == "object"]
    return list(found.values())


def fields(schema: Schema):
    return [p for p in schema.properties if p.is_writable]


def patch(schema: Schema) -> str:
    text = f"extension {schema.name} {{\n"
    text += comment(f"A patch that sets and clears fields of ``{schema.name.replace('.', '/')}``, and leaves all others unchanged.", "  ")
    text += "  public struct Patch: CalendarPatch {\n"
    text += f"    /// The schema of the resource to change.\n    public typealias Schema = {schema.name}\n\n"
    text += "    /// The changes as a JSON merge patch.\n    public var changes: JSONValue = .object([:])\n\n    /// Creates a patch without changes.\n    public init() {}\n  }\n}\n\n"
    text += f"extension {schema.name}.Patch {{\n"
    for index, p in enumerate(fields(schema)):
        text += ("\n" if index else "") + comment(documentation(p), "  ")
        text += f"  public var {identifier(p.name)}: {change(schema, p)} {{\n"
        text += f'    get {{ self["{p.json_name}"] }}\n    set {{ self["{p.json_name}"] = newValue }}\n  }}\n'
    text += "}\n\n"
    read_only = ", ".join(f'"{p.json_name}"' for p in schema.properties if not p.is_writable)
    text += f"extension {schema.name}.Patch: ObjectPatch {{\n  static var readOnlyNames: [String] {{ [{read_only}] }}\n}}\n"
    return text


def change(schema, p) -> str:
    if p.kind == "object":
        return f"{p.element}.Patch"
    if p.kind == "map":
        assert p.element == "String", p.json_name
        return "StringMapPatch"
    return f"PatchValue<{p.type}>"
