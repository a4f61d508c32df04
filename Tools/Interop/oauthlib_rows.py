# SPDX-License-Identifier: Apache-2.0
"""The library against a server on oauthlib: what both servers have is seen at both, so that nothing is written to one of them."""

import functools

import library_rows
from library import Library
from oauthlib_server import Server
from table import Row, check

NAMES = ["none", "client_secret_basic", "client_secret_post"]
#: The rows of the server on Authlib that hold here, too.
SHARED = [
    library_rows.code, library_rows.code_once, library_rows.rotation, library_rows.revocation, library_rows.introspection,
    library_rows.client_credentials, library_rows.refused]


def discovery(library, server, authentication):
    found = library.discover()
    expected = {name: value for name, value in server.metadata.claims.items() if name in found}
    check(found == expected and found["device_authorization_endpoint"], f"found: {found}")


def denied(library, server, authentication):
    library.discover()
    library.fails("accessDenied", "access_denied", "complete", callback=library.callback(decision="deny"))


def device(library, server, authentication):
    pending = "authorization_pending"
    server.device_answers = [pending, "slow_down", pending, "authorized"]
    library.discover()
    shown = library("beginDevice", scopes=["email"])
    check(shown["completeURL"] is None and shown["url"] == server.issuer + "/device", f"shown: {shown}")
    token = library("completeDevice")
    check(token["scopes"] == ["email"] and len(server.tokens) == 1, f"token: {token}")
    waits = library("waits")
    check(waits == [5, 5, 10, 10], f"waited: {waits}")


def device_denied(library, server, authentication):
    library.fails_on_device("access_denied", "accessDenied", "access_denied")


def device_expired(library, server, authentication):
    library.fails_on_device("expired_token", "signInTimedOut", "expired_token")


OWN = [
    ("discovery: RFC 8414", discovery, True), ("is told that the user denied", denied, True),
    ("device grant: pending, slow_down, tokens", device, True),
    ("device grant: is told that the user denied", device_denied, True),
    ("device grant: is told that the code has expired", device_expired, True),
]


def rows(program):
    shared = [row for row in library_rows.CAPABILITIES if row[1] in SHARED]
    for name in NAMES:
        make = functools.cache(library_rows.AUTHENTICATIONS[name])
        for text, function, public in shared + OWN:
            if public or name != library_rows.PUBLIC:
                yield Row(f"library → oauthlib ({name})", text, functools.partial(_run, function, program, make))


def _run(function, program, make):
    authentication = make()
    with (
            Server(authentication.method, authentication.secret) as server,
            Library(program, server, authentication.description()) as library):
        function(library, server, authentication)
