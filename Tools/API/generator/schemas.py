# SPDX-License-Identifier: Apache-2.0
"""Schemas: the properties and their coding."""

from .swift import Part, comment, declaration, documentation, googles_name, identifier, modules, relative
from .table import Schema, Table

STRICT = {"items", "nextPageToken", "nextSyncToken"}


def parts(table: Table, schema: Schema) -> list[Part]:
    """The declarations of a schema, without its patch, its enumerations and its nested objects."""
    element = page_element(table, schema)
    return [Part(structure(schema, element), modules(schema.properties) | {"JSONCoding"})] + ([rare_fields(schema)] if schema.rare else [])


def page_element(table: Table, schema: Schema):
    """The type of the elements if the schema is a page of a collection."""
    pages = {table.swift_names[m.facts["response"]] for m in table.methods if "pages" in m.facts}
    return next((p.element for p in schema.properties if p.json_name == "items"), None) if schema.name in pages else None


def structure(schema: Schema, element) -> str:
    name = schema.name.rsplit(".", 1)[-1]
    renamed = f" Google's name is `{schema.json_name}`." if "." not in schema.name and schema.name != schema.json_name else ""
    text = comment(schema.doc + renamed) + f"public struct {name}: CalendarSchema {{\n"
    for p in schema.properties:
        if not p.facts.get("rare"):
            text += comment(documentation(p) + googles_name(p), "  ") + "  " + stored(schema, p, element) + "\n"
    if schema.rare:
        text += f"  /// The rarely set fields, in an array of at most one element.\n  private var rare: [{name}RareFields] = []\n"
    text += "  /// The fields without a property, and those whose value does not match the type of their property.\n  public var additionalFields: [String: JSONValue] = [:]\n\n"
    text += "  /// Creates a value without any fields.\n  public init() {}\n}\n"
    result = declaration(schema.name, text)
    if schema.rare:
        result += "\n" + rare_accessors(schema)
    if element:
        result += f"\nextension {schema.name}: CalendarPage {{}}\n"
    return result + "\n" + coding(schema, element)


def stored(schema, p, element) -> str:
    type = relative(p.type, schema.name)
    if element and p.json_name == "items":
        return f"public var {p.name}: {type} = []"
    return f"public var {identifier(p.name)}: {type}?"


def coding(schema: Schema, element) -> str:
    text = f"extension {schema.name}: SchemaCoding {{\n"
    text += "  mutating func readField(from reader: inout JSONReader) throws(JSONParseError) -> Bool {\n    switch reader.key.tag {\n"
    for p in schema.properties:
        read = "readStrictly" if element and p.json_name in STRICT else "read"
        text += f'    case {tag(p.json_name)} where reader.isKey("{p.json_name}"): try reader.{read}(&{member(p)})\n'
    text += "    default: return false\n    }\n    return true\n  }\n\n"
    text += "  func writeFields(to writer: inout JSONWriter) {\n"
    for p in schema.properties:
        text += f'    writer.field("{p.json_name}", {member(p)})\n'
    text += "  }\n\n  static var fieldNamesByKeyPath: [PartialKeyPath<Self>: String] {\n    [\n"
    for p in schema.properties:
        text += f'      \\.{identifier(p.name)}: "{p.json_name}",\n'
    return text + "    ]\n  }\n}\n"


def member(p) -> str:
    return f"self.{p.name}" if identifier(p.name) != p.name else p.name


def tag(name: str) -> str:
    """The length and the first seven bytes, in the form of JSONReader.Key.tag."""
    first = int.from_bytes(name.encode()[:7], "little")
    return f"0x{first << 8 | len(name):016X}"


# Rare fields


def rare_accessors(schema: Schema) -> str:
    text = f"extension {schema.name} {{\n"
    for index, p in enumerate(schema.rare):
        type = relative(p.type, schema.name)
        text += ("\n" if index else "") + comment(documentation(p) + googles_name(p), "  ")
        text += f"  public var {p.name}: {type}? {{\n"
        text += f"    get {{ rare.isEmpty ? nil : rare[0].{p.name} }}\n    set {{\n"
        text += f"      if rare.isEmpty {{ rare.append({schema.name}RareFields()) }}\n      rare[0].{p.name} = newValue\n"
        text += f"      if newValue == nil, rare[0] == {schema.name}RareFields() {{ rare = [] }}\n    }}\n  }}\n"
    return text + "}\n"


def rare_fields(schema: Schema) -> Part:
    text = comment(f"The rarely set fields of ``{schema.name}``. They are stored behind one reference, which keeps values without them small.")
    text += f"struct {schema.name}RareFields: Sendable, Hashable {{\n"
    for p in schema.rare:
        type = f"{schema.name}.{p.type.split('.', 1)[1]}" if p.type.startswith(schema.name + ".") else p.type
        text += f"  var {p.name}: {type}?\n"
    return Part(text + "}\n", modules=modules(schema.rare))
