# SPDX-License-Identifier: Apache-2.0
"""The `almanac` command against a server on Authlib. `library_rows` has every client authentication."""

import functools
import json
import os
import subprocess
import tempfile

from authlib_server import Server, User
from table import Row, check

TIMEOUT = 20
#: Exit statuses of the command.
SIGN_IN_REQUIRED, DENIED, REFUSED = 3, 4, 7
#: What form encoding has to encode.
SPECIAL = "s +/=&%:é"


class Command:
    """The command with folders of its own, and a browser that decides for the user."""

    def __init__(self, almanac, browsers):
        self.almanac = almanac
        self.browsers = browsers

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="almanac-interop.")
        return self

    def __exit__(self, *error):
        self.folder.cleanup()

    def run(self, *arguments, secret=None, decision="allow", status=0):
        """Runs the command, and returns its JSON output; fails if its exit status is not `status`."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ALMANAC_")}
        environment |= {
            "XDG_DATA_HOME": self.folder.name + "/data", "XDG_CONFIG_HOME": self.folder.name + "/config",
            "BROWSER": str(self.browsers[decision])}
        if secret is not None:
            environment["ALMANAC_CLIENT_SECRET"] = secret
        result = subprocess.run(
            [self.almanac, *arguments, "--json"], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=TIMEOUT)
        message = result.stderr.decode().strip()
        check(result.returncode == status, f"almanac {arguments[0]} exited with {result.returncode}: {message}")
        return json.loads(result.stdout) if result.stdout else None


class Account:
    """A user of the command at a server."""

    def __init__(self, command, server):
        self.command = command
        self.server = server

    def __call__(self, *arguments, **options):
        return self.command.run(*arguments, secret=self.server.client.secret, **options)

    def sign_in(self, **options):
        return self(
            "sign-in", "--issuer", self.server.issuer, "--client-id", self.server.client.client_id, **options)


def rows(almanac, browsers):
    yield Row(
        "almanac → Authlib (client_secret_basic)", "signs in, refreshes with rotation, revokes",
        functools.partial(_with_server, lifecycle, almanac, browsers, "client_secret_basic"))
    both = ["client_secret_basic", "client_secret_post"]
    yield Row(
        "almanac → Authlib (client_secret_post)", "--client-auth: signs in, refreshes and revokes where Basic is listed too",
        functools.partial(_with_server, other_method, almanac, browsers, "client_secret_post", listed=both))


def _with_server(function, almanac, browsers, method, **options):
    with Server(method, SPECIAL, **options) as server, Command(almanac, browsers) as command:
        function(Account(command, server), server)


def lifecycle(account, server):
    report = account.sign_in()
    check(report["refused"] == [], f"refused: {report['refused']}")
    profile = account("profile")
    check(profile["email"] == User.email, f"profile: {profile}")
    server.expire_access_tokens()
    account("profile")
    method = server.client.method
    check(server.issued == [("authorization_code", method), ("refresh_token", method)], f"issued: {server.issued}")
    check(server.live_tokens == 2, f"{server.live_tokens} tokens are accepted before")
    account("revoke")
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are accepted after")
    account("profile", status=SIGN_IN_REQUIRED)


def other_method(account, server):
    account.sign_in(status=REFUSED)
    report = account(
        "sign-in", "--issuer", server.issuer, "--client-id", server.client.client_id, "--client-auth", "client_secret_post")
    check(report["canRefresh"], f"report: {report}")
    server.expire_access_tokens()
    account("profile")
    check([method for _, method in server.issued] == ["client_secret_post"] * 2, f"issued: {server.issued}")
    account("revoke")
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are accepted")
