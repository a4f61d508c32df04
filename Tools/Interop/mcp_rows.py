# SPDX-License-Identifier: Apache-2.0
"""The `almanac` command against a server of the Model Context Protocol by the official SDK for Python, of which it knows the URL alone."""

import functools
import json
import pathlib

from almanac_rows import DENIED, REFUSED, Command
from mcp_server import SCOPES, Server
from table import Row, Rows, check

PAIR = "almanac → MCP Python SDK"


class User:
    """A user of the command at the server."""

    def __init__(self, command, server):
        self.command = command
        self.server = server

    def sign_in(self, **options):
        return self.command.run("sign-in", "--resource", self.server.url, **options)

    def add(self, left, right, **options):
        """Calls the server's tool, and returns its result."""
        message = {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "add", "arguments": {"left": left, "right": right}},
        }
        path = pathlib.Path(self.command.folder.name, "message.json")
        path.write_text(json.dumps(message))
        answer = self.command.run("call", "POST", self.server.url, "--data", str(path), **options)
        return answer["result"]["structuredContent"]["result"]


CAPABILITIES = Rows()
capability = CAPABILITIES.row


def rows(almanac, browsers):
    for text, function, _ in CAPABILITIES:
        yield Row(PAIR, text, functools.partial(_with_server, function, almanac, browsers))


def _with_server(function, almanac, browsers):
    with Server() as server, Command(almanac, browsers) as command:
        function(User(command, server), server.provider)


@capability("signs in by the URL alone: metadata, registration, resource; calls a tool")
def sign_in(user, provider):
    report = user.sign_in()
    check(report["refused"] == [], f"refused: {report['refused']}")
    check(len(provider.clients) == 1, f"{len(provider.clients)} clients are registered")
    check(provider.requested == [SCOPES], f"requested: {provider.requested}")
    check(user.add(19, 23) == 42, "the tool was not called")


@capability("registers once, and refreshes for the same resource")
def refresh(user, provider):
    user.sign_in()
    user.sign_in()
    check(len(provider.clients) == 1, f"{len(provider.clients)} clients are registered")
    provider.expire_access_tokens()
    check(user.add(1, 2) == 3, "the tool was not called")
    check(provider.grants == ["authorization_code"] * 2 + ["refresh_token"], f"grants: {provider.grants}")


@capability("signs in for more scopes when the tool demands them")
def step_up(user, provider):
    provider.allowed = SCOPES[:1]
    report = user.sign_in()
    check(report["refused"] == SCOPES[1:], f"refused: {report['refused']}")
    provider.allowed = None
    check(user.add(2, 2) == 4, "the tool was not called")
    check(provider.requested == [SCOPES, SCOPES], f"requested: {provider.requested}")


@capability("registers anew, once, when the server has forgotten the client")
def forgotten(user, provider):
    user.sign_in()
    first = set(provider.clients)
    provider.clients.clear()
    user.command.run("revoke", status=REFUSED)
    user.sign_in(decision="deny", status=DENIED)
    check(len(provider.clients) == 1, f"{len(provider.clients)} clients are registered")
    check(user.add(1, 1) == 2, "the old tokens are gone")
    provider.clients.clear()
    user.sign_in()
    check(len(provider.clients) == 1 and not first & set(provider.clients), "the client is not a new one")
    provider.expire_access_tokens()
    check(user.add(19, 23) == 42, "the tool was not called")
    user.sign_in()
    check(len(provider.clients) == 1, f"{len(provider.clients)} clients are registered")
    user.command.run("revoke", "--forget-client")
    check(provider.refresh_tokens == {}, "the tokens were not revoked")


@capability("is told that the user denied")
def denied(user, provider):
    user.sign_in(decision="deny", status=DENIED)
    check(provider.access_tokens == {}, "tokens were issued")
