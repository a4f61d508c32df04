# SPDX-License-Identifier: Apache-2.0
"""Enumerations whose unknown values are kept."""

from .swift import HEADER, comment, declaration, file_name, identifier
from .table import Table


def files(table: Table):
    for name, facts in table.enumerations.items():
        yield file_name("Enumerations", name), HEADER + enumeration(name, facts)


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
