# SPDX-License-Identifier: Apache-2.0
"""An OAuth 2.0 and OpenID Connect server on oauthlib, for one client and one user, in memory, on a loopback port of its own.

The grants, the endpoints and the metadata are oauthlib's; here are its storage, the client's authentication, and the signature
of ID tokens. It differs from the server on Authlib where the specifications allow it: metadata at the URL of RFC 8414 alone, no
`iss` in redirects, no `interval` for devices, and every refresh token revoked with its access token.
"""

import base64
import dataclasses
import os
import secrets
import time
import urllib.parse

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain http, on loopback

import flask
from joserfc import jwt
from oauthlib.oauth2 import MetadataEndpoint
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError, OAuth2Error
from oauthlib.oauth2.rfc8628.endpoints import DeviceAuthorizationEndpoint
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant
from oauthlib.openid import RequestValidator
from oauthlib.openid import Server as Endpoints

from authlib_grants import generated_key
from flask_server import LIFETIME, PAGE, SCOPES, FlaskServer, User


@dataclasses.dataclass
class Client:
    client_id: str
    method: str
    secret: str | None
    #: No public keys: it authenticates by none.
    keys: tuple = ()


@dataclasses.dataclass
class Token:
    user: User | None
    #: Equal for all tokens of one consent.
    family: str
    access_token: str
    refresh_token: str | None
    scopes: list
    is_access_revoked: bool = False
    is_refresh_revoked: bool = False


class Server(FlaskServer):
    """A server whose client authenticates in one way: "none", "client_secret_basic" or "client_secret_post"."""

    def __init__(self, method, secret=None):
        super().__init__()
        self.client = Client("interop-client", method, secret)
        self.codes, self.devices = {}, {}
        #: What the user has decided, at each request for the tokens of a device.
        self.device_answers = [DeviceCodeGrant.DEVICE_CODE_AUTHORIZED]
        self.key = generated_key("ES256", "k1")

        validator = Validator(self)
        self.endpoints = Endpoints(validator, token_expires_in=LIFETIME)
        self.device_endpoint = DeviceAuthorizationEndpoint(validator, self.issuer + "/device")
        self.metadata = MetadataEndpoint([self.endpoints], {
            "issuer": self.issuer, "jwks_uri": self.issuer + "/keys", "userinfo_endpoint": self.issuer + "/userinfo",
            "authorization_endpoint": self.issuer + "/authorize", "token_endpoint": self.issuer + "/token",
            "revocation_endpoint": self.issuer + "/revoke", "introspection_endpoint": self.issuer + "/introspect",
            "device_authorization_endpoint": self.issuer + "/device_authorization", "scopes_supported": SCOPES,
            "token_endpoint_auth_methods_supported": [method],
        })
        self.add_routes()

    def token(self, text):
        """The record of an access or refresh token that is accepted."""
        for token in self.tokens:
            if (text == token.access_token and not token.is_access_revoked) or (
                    text == token.refresh_token and not token.is_refresh_revoked):
                return token
        return None

    # Routes

    def add_routes(self):
        create = {
            "/token": self.endpoints.create_token_response, "/revoke": self.endpoints.create_revocation_response,
            "/introspect": self.endpoints.create_introspect_response,
            "/device_authorization": self.device_endpoint.create_device_authorization_response,
            "/userinfo": self.endpoints.create_userinfo_response,
            "/.well-known/oauth-authorization-server": self.metadata.create_metadata_response,
        }
        for path, function in create.items():
            self.app.add_url_rule(path, path, lambda function=function: self.respond(function), methods=["GET", "POST"])
        self.app.add_url_rule("/keys", "keys", lambda: {"keys": [self.key.as_dict(private=False)]})
        self.app.add_url_rule("/authorize", "authorize", self.authorize, methods=["GET", "POST"])

    def respond(self, function, **options):
        """What oauthlib makes of the request."""
        request = flask.request
        try:
            fields, body, status = function(
                request.url, request.method, request.form.to_dict(), dict(request.headers), **options)
        except OAuth2Error as error:
            fields, body, status = error.headers, error.json, error.status_code
        if function == self.device_endpoint.create_device_authorization_response and status == 200:
            self.devices[body["device_code"]] = body["scope"].split()
            body = flask.json.dumps(body)
        return flask.Response(body, status, {"Content-Type": "application/json", **fields})

    def authorize(self):
        url = flask.request.url
        scopes, request = self.endpoints.validate_authorization_request(url)
        if flask.request.method == "GET":
            return PAGE.format(client=request["client_id"])
        if flask.request.form.get("decision") != "allow":
            return flask.redirect(AccessDeniedError(state=request["state"]).in_uri(request["redirect_uri"]))
        fields, body, status = self.endpoints.create_authorization_response(url, scopes=scopes)
        return flask.Response(body, status, fields)


class Validator(RequestValidator):
    """The storage of a server, and its client's authentication."""

    def __init__(self, server):
        self.server = server

    # Clients

    def validate_client_id(self, client_id, request, *arguments, **options):
        if client_id != self.server.client.client_id:
            return False
        request.client = self.server.client
        return True

    def client_authentication_required(self, request, *arguments, **options):
        return self.server.client.method != "none"

    def authenticate_client(self, request, *arguments, **options):
        found = (request.client_id, request.client_secret)
        scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
        if self.server.client.method == "client_secret_basic":
            if scheme != "Basic" or request.client_secret:
                return False
            # RFC 6749 § 2.3.1.
            parts = base64.b64decode(credentials).decode().split(":", 1)
            found = tuple(urllib.parse.unquote_plus(part) for part in parts)
        elif scheme:
            return False
        if found != (self.server.client.client_id, self.server.client.secret):
            return False
        request.client_id = found[0]
        return self.validate_client_id(found[0], request)

    def authenticate_client_id(self, client_id, request, *arguments, **options):
        return self.validate_client_id(client_id, request)

    def validate_redirect_uri(self, client_id, redirect_uri, request, *arguments, **options):
        parts = urllib.parse.urlsplit(redirect_uri)
        return (parts.scheme, parts.hostname, parts.path) == ("http", "127.0.0.1", "/callback")

    def validate_response_type(self, client_id, response_type, *arguments, **options):
        return response_type == "code"

    def validate_grant_type(self, *arguments, **options):
        return True

    def validate_scopes(self, client_id, scopes, *arguments, **options):
        return set(scopes) <= set(SCOPES)

    def get_default_scopes(self, *arguments, **options):
        return []

    def is_pkce_required(self, *arguments):
        return True

    # Codes

    def save_authorization_code(self, client_id, code, request, *arguments, **options):
        self.server.codes[code["code"]] = request

    def validate_code(self, client_id, code, client, request, *arguments, **options):
        asked = self.server.codes.get(code)
        if asked is None:
            return False
        request.user, request.scopes, request.family = self.server.user, asked.scopes, code
        return True

    def confirm_redirect_uri(self, client_id, code, redirect_uri, *arguments, **options):
        return self.server.codes[code].redirect_uri == redirect_uri

    def invalidate_authorization_code(self, client_id, code, *arguments, **options):
        del self.server.codes[code]

    def get_code_challenge(self, code, request):
        return self.server.codes[code].code_challenge

    def get_code_challenge_method(self, code, request):
        return self.server.codes[code].code_challenge_method

    def get_authorization_code_scopes(self, client_id, code, *arguments):
        return self.server.codes[code].scopes if code in self.server.codes else []

    def get_authorization_code_nonce(self, client_id, code, *arguments):
        return self.server.codes[code].nonce

    def validate_user_match(self, *arguments):
        return True

    # Devices

    def validate_device_code(self, client_id, code, request, *arguments, **options):
        if code not in self.server.devices:
            return None
        answers = self.server.device_answers
        request.user, request.scopes, request.family = self.server.user, self.server.devices[code], code
        return answers.pop(0) if len(answers) > 1 else answers[0]

    # Tokens

    def save_bearer_token(self, token, request, *arguments, **options):
        if request.grant_type == "refresh_token":
            old = self.server.token(request.refresh_token)
            old.is_access_revoked = old.is_refresh_revoked = True
        family = getattr(request, "family", None) or secrets.token_hex(8)
        self.server.tokens.append(Token(
            request.user, family, token["access_token"], token.get("refresh_token"), list(request.scopes)))
        self.server.issued.append((request.grant_type, self.server.client.method))

    def validate_refresh_token(self, refresh_token, client, request, *arguments, **options):
        token = next((token for token in self.server.tokens if token.refresh_token == refresh_token), None)
        if token is None:
            return False
        if token.is_refresh_revoked:
            # RFC 9700 § 4.14.2: a second use ends the grant.
            self.server.revoke_family(token.family)
            return False
        request.user, request.family = token.user, token.family
        return True

    def get_original_scopes(self, refresh_token, *arguments, **options):
        return self.server.token(refresh_token).scopes

    def refresh_id_token(self, request):
        return True

    def validate_bearer_token(self, text, scopes, request):
        token = self.server.token(text)
        if token is None or text != token.access_token or not set(scopes) <= set(token.scopes):
            return False
        request.user, request.scopes = token.user, token.scopes
        return True

    def revoke_token(self, text, hint, request, *arguments, **options):
        if token := self.server.token(text):
            self.server.revoke_family(token.family)

    def introspect_token(self, text, hint, request, *arguments, **options):
        if token := self.server.token(text):
            return {
                "client_id": self.server.client.client_id, "scope": " ".join(token.scopes), "sub": token.user.id,
                "iss": self.server.issuer, "aud": ["reports"]}
        return None

    # OpenID Connect

    def get_id_token(self, *arguments):
        return None  # oauthlib makes its claims

    def finalize_id_token(self, claims, token, token_handler, request):
        claims |= {"iss": self.server.issuer, "sub": request.user.id, "exp": int(time.time()) + LIFETIME}
        return jwt.encode({"alg": "ES256", "kid": self.server.key.kid}, claims, self.server.key)

    def get_userinfo_claims(self, request):
        return request.user.claims(" ".join(request.scopes))
