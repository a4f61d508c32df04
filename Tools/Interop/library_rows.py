# SPDX-License-Identifier: Apache-2.0
"""The library against a server on Authlib: what it does once for each client authentication."""

import functools
import json

from almanac_rows import SPECIAL
from authlib_grants import ASSERTION, generated_key
from authlib_server import Server, User
from library import Library
from table import Row, Rows, check

PUBLIC = "none"


class Authentication:
    """A client's way to authenticate."""

    def __init__(self, method, secret=None, algorithm=None, names_token_endpoint=False):
        self.method, self.secret, self.names_token_endpoint = method, secret, names_token_endpoint
        self.key = algorithm and generated_key(algorithm, "client-key")
        #: What Authlib calls it.
        self.name_at_server = ASSERTION if method.endswith("_jwt") else method

    @property
    def keys(self):
        return [self.key.as_dict(private=False)] if self.key else []

    def description(self, **members):
        return {
            "id": "interop-client", "method": self.method, "secret": self.secret,
            "key": self.key and json.dumps(self.key.as_dict(private=True)),
            "namesTokenEndpoint": self.names_token_endpoint, **members}


AUTHENTICATIONS = {
    "none": lambda: Authentication(PUBLIC),
    "client_secret_basic": lambda: Authentication("client_secret_basic", SPECIAL),
    "client_secret_post": lambda: Authentication("client_secret_post", SPECIAL),
    "client_secret_jwt": lambda: Authentication("client_secret_jwt", SPECIAL * 4),
    "private_key_jwt, RS256": lambda: Authentication("private_key_jwt", algorithm="RS256"),
    "private_key_jwt, ES256": lambda: Authentication("private_key_jwt", algorithm="ES256"),
    "private_key_jwt, audience token endpoint": lambda: Authentication(
        "private_key_jwt", algorithm="ES256", names_token_endpoint=True),
}

#: Rows of every client authentication, or with `public=False` of those that authenticate.
CAPABILITIES = Rows()
capability = CAPABILITIES.row


def rows(program):
    for name, make in AUTHENTICATIONS.items():
        make = functools.cache(make)
        for text, function, options in CAPABILITIES:
            if name != PUBLIC or options.get("public", True):
                yield Row(f"library → Authlib ({name})", text, functools.partial(_run, function, program, make))


def _run(function, program, make):
    authentication = make()
    with (
            Server(authentication.method, authentication.secret, authentication.keys) as server,
            Library(program, server, authentication.description()) as library):
        function(library, server, authentication)


@capability("code + PKCE, verified ID token, userinfo")
def code(library, server, authentication):
    token = library.sign_in()
    check(token["subject"] == User.id and token["scopes"] == ["openid", "email"], f"signed in: {token}")
    check(server.issued == [("authorization_code", authentication.name_at_server)], f"issued: {server.issued}")
    check(library("profile") == {"subject": User.id, "email": User.email}, "the profile is another's")
    form, = server.forms("/token")
    check(len(form["code_verifier"][0]) >= 43, "the verifier is too short")
    sent = {"client_secret", "client_assertion"} & set(form)
    expected = {"client_secret_post": {"client_secret"}}.get(authentication.method, set())
    if authentication.name_at_server == ASSERTION:
        expected = {"client_assertion"}
        audience = server.issuer + ("/token" if authentication.names_token_endpoint else "")
        check([claims["aud"] for claims in server.assertions] == [audience], f"assertions: {server.assertions}")
    check(sent == expected, f"sent: {sent}")


@capability("refresh rotates; a refresh token used twice ends the sign-in")
def rotation(library, server, authentication):
    first = library.sign_in()
    second = library("refresh")
    check(second["refreshToken"] != first["refreshToken"], "the refresh token is the same")
    check(server.issued[1:] == [("refresh_token", authentication.name_at_server)], f"issued: {server.issued}")
    check(server.live_tokens == 2, f"{server.live_tokens} tokens are accepted")
    library("restore", token=first["refreshToken"])
    library.fails("signInRequired", "invalid_grant", "refresh")
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are accepted after the second use")
    library("restore", token=second["refreshToken"])
    library.fails("signInRequired", "invalid_grant", "refresh")


@capability("revokes both tokens, which are refused from then on")
def revocation(library, server, authentication):
    library.sign_in()
    library("revoke")
    check(server.live_tokens == 0, f"{server.live_tokens} tokens are accepted")
    hints = [form["token_type_hint"] for form in server.forms("/revoke")]
    check(hints == [["refresh_token"], ["access_token"]], f"revoked: {hints}")
    library.fails("signInRequired", None, "profile")
    library.fails("signInRequired", "invalid_grant", "refresh")


@capability("device grant: pending, slow_down, tokens")
def device(library, server, authentication):
    server.device_answers = ["authorization_pending", "slow_down", "authorization_pending", "allow"]
    library.discover()
    shown = library("beginDevice", scopes=["openid", "email"])
    check(shown["completeURL"] == f"{shown['url']}?user_code={shown['userCode']}", f"shown: {shown}")
    library("completeDevice")
    check(library("waited") == 5 + 5 + 10 + 10, "the waits are others")
    check(library("profile")["email"] == User.email, "the profile is another's")


@capability("pushed authorization request")
def pushed(library, server, authentication):
    library.description["pushesRequests"] = True
    library.sign_in()
    reference, = server.pushed
    expected = {"client_id": ["interop-client"], "request_uri": [reference]}
    check(server.queries("/authorize")[0] == expected, f"asked: {server.queries('/authorize')[0]}")
    form, = server.forms("/push")
    check(form["code_challenge_method"] == ["S256"] and "nonce" in form, f"pushed: {form}")


@capability("introspection: active, then revoked, and unknown", public=False)
def introspection(library, server, authentication):
    token = library.sign_in()
    report = library("introspect", token=token["accessToken"], hint="access_token")
    check(report == {
        "isActive": True, "scopes": ["openid", "email"], "clientID": "interop-client", "subject": User.id,
        "issuer": server.issuer, "audience": ["reports"]}, f"introspection: {report}")
    check(library("introspect", token=token["refreshToken"])["isActive"], "the refresh token is not active")
    library("revoke")
    for text in (token["accessToken"], token["refreshToken"], "unknown"):
        check(not library("introspect", token=text)["isActive"], "the token is active")


@capability("client credentials", public=False)
def client_credentials(library, server, authentication):
    library.discover()
    token = library("clientCredentials", scopes=["email"])
    check(token["scopes"] == ["email"] and "refreshToken" not in token, f"token: {token}")
    check(server.issued == [("client_credentials", authentication.name_at_server)], f"issued: {server.issued}")


@capability("credentials that are not the client's are refused", public=False)
def refused(library, server, authentication):
    if server.client.secret:
        server.client.secret = "another-secret-of-at-least-32-bytes"
    if server.client.keys:
        algorithm = server.client.keys[0]["alg"]
        server.client.keys = [generated_key(algorithm, "client-key").as_dict(private=False)]
    library.discover()
    library.fails("requestRejected", "invalid_client", "clientCredentials", scopes=["email"])
    library.fails("requestRejected", "invalid_client", "complete", callback=library.callback())
    check(server.tokens == [], "tokens were issued")
