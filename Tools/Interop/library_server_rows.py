# SPDX-License-Identifier: Apache-2.0
"""The library against a server on Authlib: what does not depend on how the client authenticates."""

import functools
import json

from approve import Refused
from authlib_grants import generated_key
from authlib_server import Server, User
from library import Library
from table import Failure, Row, Rows, check

PAIR = "library → Authlib"
ALGORITHMS = ["RS256", "ES256", "EdDSA", "PS256", "ES384", "ES512", "Ed25519"]
SECRET = {"id": "interop-client", "secret": "secret-1"}
#: The options are the server's.
CAPABILITIES = Rows()
capability = CAPABILITIES.row


def rows(program):
    for text, function, options in CAPABILITIES:
        yield Row(PAIR, text, functools.partial(_run, function, program, options))


def _run(function, program, options):
    with Server("client_secret_basic", "secret-1", **options) as server, Library(program, server, dict(SECRET)) as library:
        function(library, server)


def private(key):
    return json.dumps(key.as_dict(private=True))


# Discovery

def discovery(path, library, server):
    server.issuer += path
    found = library.discover()
    expected = {name: value for name, value in server.metadata().items() if name in found}
    check(found == expected, f"found: {found}")
    endpoints = [name for name in server.metadata() if name.endswith(("_endpoint", "_uri"))]
    check(set(endpoints) <= set(found), f"found: {sorted(found)}")


for _text, _path, _document in [
    ("OpenID Connect", "", "/.well-known/openid-configuration"), ("RFC 8414", "", "/.well-known/oauth-authorization-server"),
    ("RFC 8414, an issuer with a path", "/tenant", "/.well-known/oauth-authorization-server/tenant"),
    ("an issuer with a path, OpenID Connect at its end", "/tenant", "/tenant/.well-known/openid-configuration")]:
    capability(f"discovery: {_text}", documents=[_document])(functools.partial(discovery, _path))


# ID tokens

def key_change(library, server):
    check(library.sign_in()["subject"] == User.id, "the subject is another")
    server.rotate_key()
    for _ in range(2):
        token = library("complete", callback=library.callback())
        check(token["subject"] == User.id, "the subject is another")
    asked = len(server.queries("/keys"))
    check(asked == 2, f"the keys were requested {asked} times")


for _algorithm in ALGORITHMS:
    capability(f"ID token in {_algorithm}; the key changes", algorithm=_algorithm)(key_change)


@capability("ID token that is not signed is refused")
def unsigned(library, server):
    library.discover()
    callback = library.callback()
    server.algorithm = "none"
    library.fails("invalidResponse", None, "complete", callback=callback)


# Assertions

def bearer(algorithm, library, server):
    key = generated_key(algorithm, "service-key")
    server.client.keys = [key.as_dict(private=False)]
    library.discover()
    for subject in (User.id, User.email):
        token = library("jwtBearer", subject=subject, key=private(key), scopes=["email"])
        check(token["scopes"] == ["email"] and server.tokens[-1].user is server.user, f"token: {token}")
    other = generated_key(algorithm, "service-key")
    library.fails("requestRejected", "invalid_grant", "jwtBearer", subject=User.id, key=private(other), scopes=["email"])
    library.fails("requestRejected", "invalid_grant", "jwtBearer", subject="nobody", key=private(key), scopes=["email"])


for _algorithm in ("RS256", "ES256"):
    capability(f"JWT bearer in {_algorithm}; another key and user are refused")(functools.partial(bearer, _algorithm))


# Signed requests

def sign_requests(library, server, algorithm):
    key = generated_key(algorithm, "request-key")
    server.client.keys = [key.as_dict(private=False)]
    library.description |= {"key": private(key), "signsRequests": True}


def signed(algorithm, pushes, library, server):
    server.requires_signed_requests = True
    sign_requests(library, server, algorithm)
    library.description["pushesRequests"] = pushes
    check(library.sign_in()["subject"] == User.id, "the subject is another")
    check(len(server.forms("/push")) == pushes, "the request was not delivered as asked")
    query = server.queries("/authorize")[0]
    expected = {"client_id", "request_uri"} if pushes else {"client_id", "request", "response_type", "scope"}
    check(set(query) == expected, f"asked: {sorted(query)}")


for _algorithm in ("RS256", "ES256"):
    for _pushes in (False, True):
        capability(f"signed request in {_algorithm}{', pushed' if _pushes else ''}")(
            functools.partial(signed, _algorithm, _pushes))


@capability("signed request of another key is refused")
def signed_by_another(library, server):
    sign_requests(library, server, "ES256")
    server.client.keys = [generated_key("ES256", "request-key").as_dict(private=False)]
    library.discover()
    try:
        library.callback()
    except Refused:
        return
    raise Failure("the request was accepted")


# Registration

def registration(method, library, server):
    library("discover", issuer=server.issuer)
    metadata = {
        "client_name": "Interop", "redirect_uris": ["http://127.0.0.1/callback"], "token_endpoint_auth_method": method,
        "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "scope": "openid email"}
    client = library("register", metadata=metadata)
    check({name: client[name] for name in metadata} == metadata, f"registered: {client}")
    check(("client_secret" in client) == (method != "none"), f"registered: {client}")
    library("useRegistration")
    token = library("complete", callback=library.callback())
    check(token["subject"] == User.id and server.tokens[-1].client.client_id == client["client_id"], "not that client")
    check(library("readRegistration") == client, "the registration reads differently")
    changed = library("updateRegistration", metadata={**metadata, "client_name": "Renamed"})
    check(changed == {**client, "client_name": "Renamed"}, f"changed: {changed}")
    library("deleteRegistration")
    check(client["client_id"] not in server.clients, "the client is still there")
    library.fails("requestRejected", "invalid_client", "readRegistration")
    library.fails("requestRejected", "invalid_client", "refresh")


for _method in ("none", "client_secret_basic", "client_secret_post", "client_secret_jwt"):
    capability(f"registration, {_method}: signs in, is read, changed and removed")(
        functools.partial(registration, _method))
