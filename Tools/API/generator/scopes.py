# SPDX-License-Identifier: Apache-2.0
"""The OAuth 2.0 scopes."""

from .swift import Part, comment, source
from .table import Table


def files(table: Table):
    text = comment(
        "The scopes of the Calendar API ([scopes](https://developers.google.com/workspace/calendar/api/auth)). "
        "Request the narrowest scopes that are sufficient."
    )
    text += "extension Scope {\n"
    for name, facts in table.scopes.items():
        text += comment(facts["doc"], "  ")
        text += f'  public static let {facts["name"]}: Scope = "https://www.googleapis.com/auth/{name}"\n'
    members = ", ".join(f".{facts['name']}" for facts in table.scopes.values())
    text += f"\n  /// The scopes of the Calendar API.\n  package static var ofCalendarAPI: [Scope] {{\n    [{members}]\n  }}\n}}\n"
    parts = [Part(text, frozenset({"OAuthScope"})), Part(scope_set(table), frozenset())]
    yield "Scope+Calendar.swift", source(parts)


def scope_set(table: Table) -> str:
    """A bit for each scope, in the order of `Scope.ofCalendarAPI`."""
    return "extension ScopeSet {\n" + "".join(
        f'  static let {facts["name"]} = Self(rawValue: 1 << {index})\n'
        for index, facts in enumerate(table.scopes.values())) + "}\n"
