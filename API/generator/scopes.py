# SPDX-License-Identifier: Apache-2.0
"""Scopes of OAuth 2.0."""

from .swift import Part, comment, source
from .table import Table


def files(table: Table):
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
    yield "CalendarScope.swift", source([Part(text)])
