#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the program of Examples/WebBackend against the sandbox, signs in as its user, and ends it.

usage: web_backend.py PROGRAM
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

from approve import Visitor, approve


def free_port():
    """A port that is free, and so is the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue


def main(program):
    with tempfile.TemporaryDirectory(prefix="almanac-web-backend.") as folder:
        environment = os.environ | {"PORT": str(free_port()), "STATE_DIRECTORY": folder}
        with subprocess.Popen([program, "--sandbox"], env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                address = process.stdout.readline().split()[1]
                visitor = Visitor()
                before = visitor.load(address)
                assert before[0] == 200 and "Sign in with Google" in before[2], before
                end = approve(urllib.parse.urljoin(address, "sign-in"), visitor=visitor)
                assert urllib.parse.urlsplit(end).netloc == urllib.parse.urlsplit(address).netloc, end
                after = visitor.load(address)
                assert after[0] == 200 and "Calendars of Sample Person" in after[2] and "Trabajo" in after[2], after
                assert sorted(os.listdir(folder)) == ["sessions.json", "tokens"], os.listdir(folder)
            finally:
                # Not as Ctrl-C does: a shell has its background processes ignore that.
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
        assert process.returncode == -signal.SIGTERM, process.returncode
    print("WebBackend: served, signed in, listed, stopped", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
