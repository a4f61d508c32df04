# SPDX-License-Identifier: Apache-2.0
"""Writes the Swift of Sources/CalendarAPI/Generated from the table Tools/API/calendar_v3.json."""

from . import enumerations, resources, schema_files, scopes
from .table import Table


def files(table: Table) -> dict[str, str]:
    """Returns the text of every generated file by its name, before it is formatted."""
    result: dict[str, str] = {}
    for module in (resources, schema_files, enumerations, scopes):
        for name, text in module.files(table):
            assert name not in result, name
            result[name] = text
    return result
