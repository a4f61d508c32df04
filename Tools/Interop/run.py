#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interoperability: clients of others against the sandbox, the `almanac` command and the library against servers of others, and
what GoogleCredentials sends beside what google-auth sends.

usage: run.py PROGRAMS [TEXT]

PROGRAMS is the folder with `almanac`, `InteropCredentials` and `InteropSteps`.

Runs the rows whose text contains TEXT, or all, and prints a table. The exit status is 1 if a row failed. Everything is on
loopback and in a temporary folder; the processes that it starts end with it.
"""

import contextlib
import logging
import os
import pathlib
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def make_browsers(folder):
    """Links the program that plays the user under the name of each decision."""
    browsers = {decision: pathlib.Path(folder, decision) for decision in ("allow", "deny")}
    for browser in browsers.values():
        browser.symlink_to(HERE / "approve.py")
    return browsers


def main(programs, text=""):
    almanac, credentials, steps = (os.path.join(programs, name) for name in ("almanac", "InteropCredentials", "InteropSteps"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    os.environ["NO_PROXY"] = "localhost,127.0.0.1,::1"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="almanac-interop."))
        browsers = make_browsers(folder)
        # In the background, since the client listens only after "webbrowser" has returned.
        os.environ["BROWSER"] = f"{browsers['allow']} %s &"

        import almanac_rows
        import credential_rows
        import google_client
        import google_rows
        import library_rows
        import library_server_rows
        import mcp_rows
        import sandbox_calendar_rows
        import sandbox_rows
        import table

        sandbox = stack.enter_context(sandbox_rows.running(almanac))
        seeded = stack.enter_context(google_client.running(almanac))
        rows = [
            *sandbox_rows.rows(sandbox), *google_rows.rows(almanac, seeded), *almanac_rows.rows(almanac, browsers),
            *library_rows.rows(steps), *library_server_rows.rows(steps), *mcp_rows.rows(almanac, browsers),
            *sandbox_calendar_rows.rows(sandbox), *credential_rows.rows(credentials)]
        rows = [row for row in rows if text in f"{row.pair} {row.capability}"]
        if not rows:
            sys.exit(f"No row contains {text!r}.")
        return table.run(rows)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(1 if main(*sys.argv[1:]) else 0)
