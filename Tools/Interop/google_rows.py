# SPDX-License-Identifier: Apache-2.0
"""Google's own client of the Calendar API against `almanac sandbox`: a row for every method, and what goes beyond."""

import functools

import google_batch  # noqa: F401, which registers rows, as the ones below do
import google_calendar_methods  # noqa: F401
import google_data  # noqa: F401
import google_event_methods  # noqa: F401
import google_failures  # noqa: F401
import google_listing  # noqa: F401
import google_push  # noqa: F401
import google_rules  # noqa: F401
import google_sharing  # noqa: F401
import google_writing  # noqa: F401
from google_checks import METHODS, ROWS
from google_client import NAME, Google, method_names
from table import Failure, Row

PAIR = f"{NAME} → sandbox"


def _missing():
    raise Failure("no check of this method")


def rows(almanac, sandbox):
    google = Google(sandbox, almanac)
    for name in method_names():
        text, function = METHODS.get(name, ("", None))
        yield Row(PAIR, f"{name}: {text}", functools.partial(function, google) if function else _missing)
    for text, function in ROWS:
        yield Row(PAIR, text, functools.partial(function, google))
