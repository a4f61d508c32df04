# SPDX-License-Identifier: Apache-2.0
"""The OAuth 2.0 scopes."""

from .swift import Part, comment, source
from .table import Table


def files(table: Table):
    text = comment(
        "An OAuth 2.0 scope of the Calendar API ([scopes](https://developers.google.com/workspace/calendar/api/auth)). "
        "Request the narrowest scopes that are sufficient."
    )
    text += "public struct CalendarScope: OpenEnumeration {\n"
    text += "  /// The scope's URL, as in an authorization request.\n  public let rawValue: String\n\n"
    text += "  /// Creates a scope from its URL.\n  public init(rawValue: String) { self.rawValue = rawValue }\n\n"
    text += '  private init(name: String) { rawValue = "https://www.googleapis.com/auth/" + name }\n\n'
    for name, facts in table.scopes.items():
        text += comment(facts["doc"], "  ") + f'  public static let {facts["name"]} = CalendarScope(name: "{name}")\n'
    members = ", ".join(f".{facts['name']}" for facts in table.scopes.values())
    text += f"\n  /// The scopes known to this version.\n  public static var knownValues: [CalendarScope] {{\n    [{members}]\n  }}\n}}\n"
    yield "CalendarScope.swift", source([Part(text)])
