# SPDX-License-Identifier: Apache-2.0
"""Google's own client of the Calendar API against `almanac sandbox`: rows for methods, then what goes beyond one."""

import functools

import google_calendar_methods  # noqa: F401, which registers methods, as the ones below do
import google_event_methods  # noqa: F401
import google_listing  # noqa: F401
import google_sharing  # noqa: F401
import google_writing  # noqa: F401
from google_checks import METHODS, ROWS
from google_client import NAME, Google, method_names
from table import Row

PAIR = f"{NAME} → sandbox"


def rows(sandbox):
    google = Google(sandbox)
    for name in filter(METHODS.get, method_names()):
        text, function = METHODS[name]
        yield Row(PAIR, f"{name}: {text}", functools.partial(function, google))
    for text, function in ROWS:
        yield Row(PAIR, text, functools.partial(function, google))
