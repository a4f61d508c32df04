# SPDX-License-Identifier: Apache-2.0
"""Enumerations whose unknown values are kept."""

from .swift import Part, comment, declaration, identifier, source
from .table import Table


def files(table: Table):
    """The enumerations that several schemas or requests use, which are inside no other type."""
    for name in table.enumerations:
        if "." not in name:
            yield f"Enumerations/{name}.swift", source([part(table, name)])


def parts(table: Table, owner: str) -> list[Part]:
    """The enumerations inside a type, without those of the types inside it."""
    return [part(table, name) for name in table.enumerations if name.rpartition(".")[0] == owner]


def part(table: Table, name: str) -> Part:
    return Part(enumeration(name, table.enumerations[name]))


def enumeration(qualified: str, facts: dict) -> str:
    name = qualified.rsplit(".", 1)[-1]
    text = comment(facts["doc"]) + f"public struct {name}: OpenEnumeration {{\n  /// The value as the API has it.\n  public let rawValue: String\n\n"
    text += "  /// Creates a value from what the API has.\n  public init(rawValue: String) { self.rawValue = rawValue }\n\n"
    members = []
    for value, value_facts in facts["values"].items():
        member = identifier(value_facts.get("name", value))
        members.append(f".{member}")
        text += comment(value_facts["doc"], "  ") + f'  public static let {member}: {name} = "{value}"\n'
    text += f"\n  /// The values that this version knows.\n  public static var knownValues: [{name}] {{ [{', '.join(members)}] }}\n}}\n"
    return declaration(qualified, text) + f"\nextension {qualified}: JSONConvertible {{}}\n"
