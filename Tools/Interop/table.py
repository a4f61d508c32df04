# SPDX-License-Identifier: Apache-2.0
"""Rows that are run one by one, and the table of what came of them."""

import dataclasses
import signal
import time
from collections.abc import Callable

#: Seconds that one row may take.
LIMIT = 30


class Failure(Exception):
    """A row did not see what it has to see."""


def check(condition, message):
    if not condition:
        raise Failure(message)


@dataclasses.dataclass
class Row:
    #: Who talks to whom.
    pair: str
    capability: str
    run: Callable[[], None]


class Rows(list):
    """The functions of a program's rows, each with its text and its options."""

    def row(self, text, **options):
        """Registers a function."""

        def register(function):
            self.append((text, function, options))
            return function

        return register


class TooLong(BaseException):
    """The time limit of a row; no client catches it as an error of its own."""


def _stop(signal_number, frame):
    raise TooLong(f"took longer than {LIMIT} s")


def run(rows):
    """Runs rows, prints the table, and returns how many failed."""
    signal.signal(signal.SIGALRM, _stop)
    widths = (max(len(row.pair) for row in rows), max(len(row.capability) for row in rows))
    print(f"{'client → server':{widths[0]}}  {'capability':{widths[1]}}  result", flush=True)
    failed = 0
    start = time.monotonic()
    for row in rows:
        reason = _reason(row)
        failed += reason is not None
        result = "passed" if reason is None else f"FAILED: {reason}"
        print(f"{row.pair:{widths[0]}}  {row.capability:{widths[1]}}  {result}", flush=True)
    print(f"{len(rows) - failed} of {len(rows)} passed in {time.monotonic() - start:.1f} s")
    return failed


def _reason(row):
    """Why a row fails, in one line; None if it passes."""
    signal.alarm(LIMIT)
    try:
        row.run()
        return None
    except (Exception, TooLong) as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    finally:
        signal.alarm(0)
