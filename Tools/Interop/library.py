# SPDX-License-Identifier: Apache-2.0
"""The library as a client: a process that does the steps of `InteropSteps`, one a line."""

import json
import subprocess

from approve import approve
from table import Failure, check


class StepFailed(Exception):
    """What the library has thrown."""

    def __init__(self, step, error):
        super().__init__(f"{step}: {error['code']} ({error.get('serverCode')}): {error['message']}")
        self.code = error["code"]
        self.server_code = error.get("serverCode")


class Library:
    """A client at a server; `description` is how InteropSteps reads it."""

    def __init__(self, program, server, description):
        self.program = program
        self.server = server
        self.description = description

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.communicate()

    def __call__(self, step, **members):
        """Does a step, and returns its result."""
        self.process.stdin.write(json.dumps({"step": step, **members}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"{step}: InteropSteps ended: {self.process.stderr.read()}")
        report = json.loads(line)
        if "error" in report:
            raise StepFailed(step, report["error"])
        return report.get("result")

    def fails(self, code, server_code, step, **members):
        """Does a step that has to fail in one way."""
        try:
            self(step, **members)
        except StepFailed as error:
            check((error.code, error.server_code) == (code, server_code), str(error))
        else:
            raise Failure(f"{step} did not fail")

    def discover(self):
        return self("discover", issuer=self.server.issuer, client=self.description)

    def callback(self, scopes=("openid", "email"), decision="allow"):
        """Begins a sign-in, and returns what the user's browser is sent to."""
        return approve(self("begin", scopes=list(scopes))["url"], decision, follow=False)

    def sign_in(self, scopes=("openid", "email")):
        """Discovers, and signs in."""
        self.discover()
        return self("complete", callback=self.callback(scopes))
