# SPDX-License-Identifier: Apache-2.0
"""Google's OAuth client for Python, unmodified, against `almanac sandbox`, each row with a sign-in of its own."""

import contextlib
import functools
import json
import os
import select
import subprocess

# oauthlib refuses plain http without this, on loopback too.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import google.auth.exceptions
import google.auth.transport.requests
import google_auth_oauthlib.flow
import joserfc.jwk
import joserfc.jwt
import requests

import approve
from table import Failure, Row, Rows, check

LONG = "https://www.googleapis.com/auth/"
SCOPES = ["openid", LONG + "userinfo.email", LONG + "userinfo.profile", LONG + "calendar.readonly"]
EMAIL = "person@example.com"
TIMEOUT = 10


class Sandbox:
    """A running `almanac sandbox`, as its JSON describes it."""

    def __init__(self, guide):
        self.url = guide["url"]
        self.client_config = guide["desktopClient"]
        self.client_id = self.client_config["installed"]["client_id"]


@contextlib.contextmanager
def running(almanac, *options):
    """Starts the sandbox on a free port, and stops it at the end."""
    with subprocess.Popen(
        [almanac, "sandbox", "--json", *options], bufsize=0, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL) as process:
        try:
            yield Sandbox(_guide(process))
        finally:
            process.terminate()
            try:
                process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()


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


class GoogleAuth:
    """`InstalledAppFlow`, as in Google's quickstart for Python, on requests-oauthlib and oauthlib.

    It opens the browser with `webbrowser`. The flow authenticates with Basic, a refresh with form parameters.
    """

    def __init__(self, sandbox, scopes, pkce=True, host="localhost"):
        self.sandbox = sandbox
        self.host = host
        self.flow = google_auth_oauthlib.flow.InstalledAppFlow.from_client_config(
            sandbox.client_config, scopes, autogenerate_code_verifier=pkce)

    def sign_in(self):
        self.credentials = self.flow.run_local_server(
            host=self.host, port=0, authorization_prompt_message="", timeout_seconds=TIMEOUT)

    def authorize(self, redirect_uri, decision="allow", user=None):
        self.flow.redirect_uri = redirect_uri
        return approve.approve(self.flow.authorization_url()[0], decision, follow=False, user=user)

    def redeem(self, callback):
        self.flow.fetch_token(authorization_response=callback)
        self.credentials = self.flow.credentials

    @property
    def granted(self):
        return set(self.flow.oauth2session.token["scope"])

    def get(self, url):
        return google.auth.transport.requests.AuthorizedSession(self.credentials).get(url, timeout=TIMEOUT)

    def refresh(self):
        self.credentials.refresh(google.auth.transport.requests.Request())

    def revoke(self):
        # As Google's page "Using OAuth 2.0 for Web Server Applications" has it.
        requests.post(
            self.sandbox.url + "/revoke", params={"token": self.credentials.refresh_token},
            headers={"content-type": "application/x-www-form-urlencoded"}, timeout=TIMEOUT).raise_for_status()


CAPABILITIES = Rows()
capability = CAPABILITIES.row


def rows(sandbox):
    for text, function, options in CAPABILITIES:
        yield Row("google-auth-oauthlib → sandbox", text, functools.partial(function, sandbox, **options))


def signed_in(sandbox, scopes=SCOPES, **options):
    client = GoogleAuth(sandbox, scopes, **options)
    client.sign_in()
    return client


def expect_error(code, call):
    """Checks that a call fails with an error of OAuth."""
    try:
        call()
    except Exception as error:
        found = error.args[1]["error"] if isinstance(error, google.auth.exceptions.RefreshError) else getattr(error, "error", None)
        check(found == code, f"{code} was expected, not {type(error).__name__}: {error}")
    else:
        raise Failure(f"{code} was expected, and it succeeded")


def email(client, sandbox):
    response = client.get(sandbox.url + "/userinfo")
    response.raise_for_status()
    return response.json()["email"]


def sign_in(sandbox, **options):
    client = signed_in(sandbox, **options)
    check(client.granted == set(SCOPES), f"granted: {sorted(client.granted)}")
    check(email(client, sandbox) == EMAIL, "another user")


capability("signs in with PKCE, redirect URI on localhost", host="localhost")(sign_in)
capability("signs in with PKCE, redirect URI on 127.0.0.1", host="127.0.0.1")(sign_in)
capability("signs in without PKCE", pkce=False)(sign_in)


@capability("verifies the ID token")
def id_token(sandbox):
    client = signed_in(sandbox)
    keys = joserfc.jwk.KeySet.import_key_set(requests.get(sandbox.url + "/jwks.json", timeout=TIMEOUT).json())
    claims = joserfc.jwt.decode(client.credentials.id_token, keys, algorithms=["RS256"]).claims
    joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": sandbox.url}, aud={"essential": True, "value": sandbox.client_id},
        sub={"essential": True}, exp={"essential": True}).validate(claims)
    check(claims["email"] == EMAIL, "another user")


@capability("refreshes, twice")
def refresh(sandbox):
    client = signed_in(sandbox)
    seen = {client.credentials.token}
    for _ in range(2):
        client.refresh()
        check(client.credentials.token not in seen, "the access token is the same")
        seen.add(client.credentials.token)
        check(email(client, sandbox) == EMAIL, "the new access token is not accepted")


@capability("revokes; then a refresh gets invalid_grant")
def revoke(sandbox):
    client = signed_in(sandbox)
    token = client.credentials.token
    client.revoke()
    response = requests.get(
        sandbox.url + "/calendar/v3/colors", headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT)
    check(response.status_code == 401, f"the access token still has status {response.status_code}")
    expect_error("invalid_grant", client.refresh)


@capability("reuse of a code gets invalid_grant")
def code_reuse(sandbox):
    client = GoogleAuth(sandbox, SCOPES)
    callback = client.authorize("http://127.0.0.1:9999/callback")
    client.redeem(callback)
    expect_error("invalid_grant", lambda: client.redeem(callback))


@capability("is told that the user denied")
def denied(sandbox):
    client = GoogleAuth(sandbox, SCOPES)
    callback = client.authorize("http://localhost:9999/", decision="deny")
    expect_error("access_denied", lambda: client.redeem(callback))


@capability("a redirect URI with another host is refused")
def other_host(sandbox):
    for redirect_uri in ["http://attacker.example:8080/", "http://localhost.attacker.example/", "https://localhost:8080/"]:
        try:
            callback = GoogleAuth(sandbox, SCOPES).authorize(redirect_uri)
        except approve.Refused as error:
            check(str(error) == "status 400", str(error))
        else:
            raise Failure(f"a code went to {callback.split('?')[0]}")


@capability("email and profile come back by their long names")
def long_names(sandbox):
    # oauthlib takes other scopes than those requested for an error, at Google too, unless it is told not to.
    os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
    try:
        client = signed_in(sandbox, ["email", "profile"])
    finally:
        del os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"]
    check(client.granted == set(SCOPES[:3]), f"granted: {sorted(client.granted)}")
    check(email(client, sandbox) == EMAIL, "another user")
