# SPDX-License-Identifier: Apache-2.0
"""Scopes of OAuth 2.0, and what does not go with a synchronization."""

from .swift import HEADER, comment
from .table import Table


def files(table: Table):
    yield "SyncRules.swift", HEADER + sync_rules(table)
    text = comment(
        "The access that an application asks the user for ([scopes](https://developers.google.com/workspace/calendar/api/auth)). "
        "Ask for the least that is sufficient."
    )
    text += "public struct CalendarScope: OpenEnumeration {\n"
    text += "  /// The scope as an authorization request has it: a URL.\n  public let rawValue: String\n\n"
    text += "  /// Creates a scope from its URL.\n  public init(rawValue: String) { self.rawValue = rawValue }\n\n"
    text += '  private init(name: String) { rawValue = "https://www.googleapis.com/auth/" + name }\n\n'
    for name, facts in table.scopes.items():
        text += comment(facts["doc"], "  ") + f'  public static let {facts["name"]} = CalendarScope(name: "{name}")\n'
    members = ", ".join(f".{facts['name']}" for facts in table.scopes.values())
    text += f"\n  /// The scopes that this version knows.\n  public static var knownValues: [CalendarScope] {{\n    [{members}]\n  }}\n}}\n"
    yield "CalendarScope.swift", HEADER + text


def sync_rules(table: Table) -> str:
    """What does not go with a synchronization, by method."""
    text = "extension SyncRules {\n  /// The rules by the names of the methods that list.\n  static let byMethod: [String: SyncRules] = [\n"
    for m in table.methods:
        if "sync" in m.facts:
            names = {key: ", ".join(f'"{name}"' for name in m.facts["sync"][key]) for key in ("mustNotCombine", "mustNotBeFalse")}
            text += f'    "{m.id}": SyncRules(mustNotCombine: [{names["mustNotCombine"]}], mustNotBeFalse: [{names["mustNotBeFalse"]}]),\n'
    return text + "  ]\n}\n"
