# SPDX-License-Identifier: Apache-2.0
"""The `almanac` command against a server on Authlib, once for each client authentication, and against the sandbox."""

import functools
import json
import os
import pathlib
import subprocess
import tempfile
import time

from authlib_server import Server
from flask_server import User
from table import Failure, Row, check

TIMEOUT = 20
#: Exit statuses of the command.
SIGN_IN_REQUIRED, DENIED, REFUSED = 3, 4, 7
#: What form encoding has to encode.
SPECIAL = "s +/=&%:é"

#: The client authentications: registered method, secret.
AUTHENTICATIONS = {
    "none": ("none", None),
    "client_secret_post": ("client_secret_post", "secret-1"),
    "client_secret_basic": ("client_secret_basic", "secret-2"),
    "client_secret_basic, special characters": ("client_secret_basic", SPECIAL),
}


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
            "BROWSER": str(self.browsers[decision]), "ADDRESS_BAR": self.folder.name + "/address-bar",
        }
        if secret is not None:
            environment["ALMANAC_CLIENT_SECRET"] = secret
        result = subprocess.run(
            [self.almanac, *arguments, "--json"], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=TIMEOUT)
        message = result.stderr.decode().strip()
        check(result.returncode == status, f"almanac {arguments[0]} exited with {result.returncode}: {message}")
        return json.loads(result.stdout) if result.stdout else None

    def address_bars(self, count):
        """The URLs at which the browser ended, once there are `count`: it may be a little slower than the command."""
        path = pathlib.Path(self.folder.name, "address-bar")
        for _ in range(100):
            urls = path.read_text().split() if path.exists() else []
            if len(urls) == count:
                return urls
            time.sleep(0.05)
        raise Failure(f"the browser ended {len(urls)} times")


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


CAPABILITIES = []


def capability(text, **options):
    """Registers a function of an account and its server as a row of every client authentication.

    The options are the server's.
    """

    def register(function):
        CAPABILITIES.append((text, function, options))
        return function

    return register


def rows(almanac, browsers, sandbox):
    for name, (method, secret) in AUTHENTICATIONS.items():
        for text, function, options in CAPABILITIES:
            yield Row(
                f"almanac → Authlib ({name})", text,
                functools.partial(_with_server, function, almanac, browsers, method, secret, options))
    both = ["client_secret_basic", "client_secret_post"]
    yield Row(
        "almanac → Authlib (client_secret_post)", "--client-auth: signs in, refreshes and revokes where Basic is listed too",
        functools.partial(
            _with_server, other_method, almanac, browsers, "client_secret_post", SPECIAL, {"listed": both}))
    yield Row("almanac → sandbox", "signs in as the desktop client", functools.partial(
        desktop, almanac, browsers, sandbox))


def _with_server(function, almanac, browsers, method, secret, options):
    with Server(method, secret, **options) as server, Command(almanac, browsers) as command:
        function(Account(command, server), server)


@capability("signs in: discovery, PKCE, verified ID token, userinfo")
def sign_in(account, server):
    report = account.sign_in()
    check(report["refused"] == [], f"refused: {report['refused']}")
    check(server.issued == [("authorization_code", server.client.method)], f"issued: {server.issued}")
    profile = account("profile")
    check(profile["email"] == User.email, f"profile: {profile}")


@capability("refuses an ID token of another key, and revokes", faults={"key"})
def forged(account, server):
    account.sign_in(status=1)
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are still accepted")


@capability("refreshes with rotation, twice")
def refresh(account, server):
    account.sign_in()
    for count in (1, 2):
        server.expire_access_tokens()
        account("profile")
        check(server.issued[1:] == [("refresh_token", server.client.method)] * count, f"issued: {server.issued}")
    check(server.live_tokens == 2, f"{server.live_tokens} tokens are accepted")


@capability("a refresh token that ended asks for a new sign-in")
def ended(account, server):
    account.sign_in()
    server.revoke_family(server.tokens[0].family)
    account("profile", status=SIGN_IN_REQUIRED)


@capability("revokes both tokens")
def revoke(account, server):
    account.sign_in()
    check(server.live_tokens == 2, f"{server.live_tokens} tokens are accepted before")
    account("revoke")
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are accepted after")
    account("profile", status=SIGN_IN_REQUIRED)


@capability("is told that the user denied")
def denied(account, server):
    account.sign_in(decision="deny", status=DENIED)
    check(server.tokens == [], "tokens were issued")


@capability("leaves no code or error in the browser's address bar")
def address_bar(account, server):
    account.sign_in()
    account.sign_in(decision="deny", status=DENIED)
    check(all("?" not in url for url in account.command.address_bars(2)), "a URL has a query")


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


def desktop(almanac, browsers, sandbox):
    with Command(almanac, browsers) as command:
        run = functools.partial(command.run, secret=sandbox.client_secret)
        report = run(
            "sign-in", "--issuer", sandbox.url, "--api-url", sandbox.url, "--client-id", sandbox.client_id)
        check(report["refused"] == [], f"refused: {report['refused']}")
        run("profile")
        run("revoke")
