# SPDX-License-Identifier: Apache-2.0
"""Enumerations that preserve unknown values."""

from .swift import Part, comment, declaration, identifier, source
from .table import Table


def files(table: Table):
    """The enumerations that are not nested in another type, because several schemas or requests use them."""
    for name in table.enumerations:
        if "." not in name:
            yield f"Enumerations/{name}.swift", source([part(table, name)])


def parts(table: Table, owner: str) -> list[Part]:
    """The enumerations nested directly in a type."""
    return [part(table, name) for name in table.enumerations if name.rpartition(".")[0] == owner]


def part(table: Table, name: str) -> Part:
    return Part(enumeration(name, table.enumerations[name]))


def enumeration(qualified: str, facts: dict) -> str:
    name = qualified.rsplit(".", 1)[-1]
    text = comment(facts["doc"]) + f"public struct {name}: OpenEnumeration {{\n  /// The value in the API.\n  public let rawValue: String\n\n"
    text += "  /// Creates a value from its raw value in the API.\n  public init(rawValue: String) { self.rawValue = rawValue }\n\n"
    members = []
    for value, value_facts in facts["values"].items():
        member = identifier(value_facts.get("name", value))
        members.append(f".{member}")
        text += comment(value_facts["doc"], "  ") + f'  public static let {member}: {name} = "{value}"\n'
    text += f"\n  /// The values known to this version.\n  public static var knownValues: [{name}] {{ [{', '.join(members)}] }}\n}}\n"
    return declaration(qualified, text) + f"\nextension {qualified}: JSONConvertible {{}}\n"
