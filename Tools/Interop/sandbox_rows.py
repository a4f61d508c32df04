# SPDX-License-Identifier: Apache-2.0
"""Unmodified clients against `almanac sandbox`: every capability with every client, each with a sign-in of its own."""

import contextlib
import ctypes
import functools
import json
import os
import select
import signal
import subprocess
import sys

import joserfc.jwk
import joserfc.jwt
import requests

import approve
from python_clients import CLIENTS
from table import Failure, Row, Rows, check

LONG = "https://www.googleapis.com/auth/"
SCOPES = ["openid", LONG + "userinfo.email", LONG + "userinfo.profile", LONG + "calendar.readonly"]
EMAIL = "person@example.com"
TIMEOUT = 10


class Sandbox:
    """A running `almanac sandbox`, as its JSON describes it."""

    def __init__(self, guide, process):
        self.process = process
        self.url = guide["url"]
        self.client_config = guide["desktopClient"]
        installed = self.client_config["installed"]
        self.client_id, self.client_secret = installed["client_id"], installed["client_secret"]
        self.authorization_url, self.token_url = installed["auth_uri"], installed["token_uri"]


@contextlib.contextmanager
def running(almanac, *options):
    """Starts the sandbox on a free port, and stops it at the end."""
    with subprocess.Popen(
        [almanac, "sandbox", "--json", *options], bufsize=0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, preexec_fn=_end_with_parent) as process:
        try:
            yield Sandbox(_guide(process), process)
        finally:
            process.terminate()
            try:
                process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()


def _end_with_parent():
    """Has the system end this process with its parent, even if that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _guide(process):
    text = ""
    while select.select([process.stdout], [], [], TIMEOUT)[0]:
        line = process.stdout.readline().decode()
        text += line
        if line == "}\n":
            return json.loads(text)
        if not line:
            break
    raise Failure("almanac sandbox did not start")


#: `variants` returns what a row is repeated with, for a client's class.
CAPABILITIES = Rows()
capability = CAPABILITIES.row


def rows(sandbox):
    for kind in CLIENTS:
        for text, function, options in CAPABILITIES:
            for variant in options.get("variants", lambda kind: [{}])(kind):
                yield Row(f"{kind.name} → sandbox", text.format(**variant), functools.partial(function, kind, sandbox, **variant))


def signed_in(kind, sandbox, scopes=SCOPES, **options):
    client = kind(sandbox, scopes, **options)
    client.sign_in()
    return client


def expect_error(client, code, call):
    """Checks that a call fails with an error of OAuth."""
    try:
        call()
    except Exception as error:
        found = client.error_code(error)
        check(found == code, f"{code} was expected, not {type(error).__name__}: {error}")
    else:
        raise Failure(f"{code} was expected, and it succeeded")


def email(client, sandbox):
    response = client.get(sandbox.url + "/userinfo")
    response.raise_for_status()
    return response.json()["email"]


@capability("signs in with PKCE, redirect URI on {host}", variants=lambda kind: [{"host": host} for host in kind.hosts])
def sign_in(kind, sandbox, host):
    client = signed_in(kind, sandbox, host=host)
    check(client.granted == set(SCOPES), f"granted: {sorted(client.granted)}")
    check(email(client, sandbox) == EMAIL, "another user")


@capability("signs in without PKCE")
def without_pkce(kind, sandbox):
    check(email(signed_in(kind, sandbox, pkce=False), sandbox) == EMAIL, "another user")


@capability("Basic and post from the same client")
def authentication(kind, sandbox):
    for method in kind.secret_methods:
        client = signed_in(kind, sandbox, secret_method=method)
        client.refresh()
        client.revoke()


@capability("verifies the ID token")
def id_token(kind, sandbox):
    client = signed_in(kind, sandbox)
    keys = joserfc.jwk.KeySet.import_key_set(requests.get(sandbox.url + "/jwks.json", timeout=TIMEOUT).json())
    claims = joserfc.jwt.decode(client.id_token, keys, algorithms=["RS256"]).claims
    joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": sandbox.url}, aud={"essential": True, "value": sandbox.client_id},
        sub={"essential": True}, exp={"essential": True}).validate(claims)
    check(claims["email"] == EMAIL, "another user")


@capability("lists the calendars")
def calendars(kind, sandbox):
    response = signed_in(kind, sandbox).get(sandbox.url + "/calendar/v3/users/me/calendarList")
    response.raise_for_status()
    entries = response.json()["items"]
    check(any(entry.get("primary") and entry["id"] == EMAIL for entry in entries), "no primary calendar")


@capability("refreshes, twice")
def refresh(kind, sandbox):
    client = signed_in(kind, sandbox)
    seen = {client.access_token}
    for _ in range(2):
        client.refresh()
        check(client.access_token not in seen, "the access token is the same")
        seen.add(client.access_token)
        check(email(client, sandbox) == EMAIL, "the new access token is not accepted")


@capability("revokes; then a refresh gets invalid_grant")
def revoke(kind, sandbox):
    client = signed_in(kind, sandbox)
    token = client.access_token
    client.revoke()
    response = requests.get(
        sandbox.url + "/calendar/v3/colors", headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT)
    check(response.status_code == 401, f"the access token still has status {response.status_code}")
    expect_error(client, "invalid_grant", client.refresh)


@capability("reuse of a code gets invalid_grant")
def code_reuse(kind, sandbox):
    client = kind(sandbox, SCOPES)
    callback = client.authorize("http://127.0.0.1:9999/callback")
    client.redeem(callback)
    expect_error(client, "invalid_grant", lambda: client.redeem(callback))


@capability("is told that the user denied", variants=lambda kind: [{}] if kind.reads_errors else [])
def denied(kind, sandbox):
    client = kind(sandbox, SCOPES)
    callback = client.authorize("http://localhost:9999/", decision="deny")
    expect_error(client, "access_denied", lambda: client.redeem(callback))


@capability("a redirect URI with another host is refused")
def other_host(kind, sandbox):
    for redirect_uri in ["http://attacker.example:8080/", "http://localhost.attacker.example/", "https://localhost:8080/"]:
        try:
            callback = kind(sandbox, SCOPES).authorize(redirect_uri)
        except approve.Refused as error:
            check(str(error) == "status 400", str(error))
        else:
            raise Failure(f"a code went to {callback.split('?')[0]}")


@capability("email and profile come back by their long names")
def long_names(kind, sandbox):
    # oauthlib takes other scopes than those requested for an error, at Google too, unless it is told not to.
    os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
    try:
        client = signed_in(kind, sandbox, ["email", "profile"])
    finally:
        del os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"]
    check(client.granted == set(SCOPES[:3]), f"granted: {sorted(client.granted)}")
    check(email(client, sandbox) == EMAIL, "another user")
