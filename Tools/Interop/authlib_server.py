# SPDX-License-Identifier: Apache-2.0
"""An OAuth 2.0 and OpenID Connect server on Authlib, for one user, in memory, on a loopback port of its own.

The protocol is Authlib's; here are its storage, the metadata and the code grant. What else it can do is in authlib_grants.py and
authlib_endpoints.py. A grant or an endpoint more is a class that is registered in `Server.__init__` and named in `Server.metadata`.
"""

import dataclasses
import functools
import os
import secrets
import time
import urllib.parse
import warnings

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain http, on loopback

import flask
import joserfc.errors
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter
from authlib.oidc.core.grants import OpenIDCode, OpenIDToken

import authlib_endpoints
import authlib_grants
from authlib_grants import METHODS, Record
from local_server import LocalServer

# EdDSA and unsigned tokens are signed here on purpose.
warnings.simplefilter("ignore", joserfc.errors.SecurityWarning)

SCOPES = ["openid", "profile", "email"]
#: Seconds that access tokens and ID tokens are valid.
LIFETIME = 3600
PAGE = """<!doctype html><title>Consent</title><h1>Allow {client}?</h1><form method="post">
<button name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></form>"""


class User:
    """The one user there is."""

    id = "user-1"
    name = "Sample User"
    email = "user@example.test"

    def claims(self, scope):
        """The claims about the user that a scope gives (OpenID Connect Core § 5.4)."""
        claims = {"sub": self.id}
        if "profile" in scope.split():
            claims["name"] = self.name
        if "email" in scope.split():
            claims.update(email=self.email, email_verified=True)
        return claims


@dataclasses.dataclass
class Client(Record):
    client_id: str
    secret: str | None
    method: str
    #: The client's public keys, as JSON Web Keys.
    keys: list = dataclasses.field(default_factory=list)
    redirect_uri: str = "http://127.0.0.1/callback"
    #: What a client has registered by itself, and the token that manages it.
    client_metadata: dict = dataclasses.field(default_factory=dict)
    registration_token: str | None = None

    @property
    def client_info(self):
        secret = {} if self.secret is None else {"client_secret": self.secret, "client_secret_expires_at": 0}
        return {"client_id": self.client_id, **secret}

    def get_default_redirect_uri(self):
        return self.redirect_uri

    def get_allowed_scope(self, scope):
        return " ".join(name for name in scope.split() if name in SCOPES)

    def check_redirect_uri(self, redirect_uri):
        # RFC 8252 § 7.3: any port on loopback.
        found, registered = urllib.parse.urlsplit(redirect_uri), urllib.parse.urlsplit(self.redirect_uri)
        return found._replace(netloc=found.hostname) == registered

    def check_client_secret(self, client_secret):
        return self.secret is not None and secrets.compare_digest(self.secret.encode(), client_secret.encode())

    def check_endpoint_auth_method(self, method, endpoint):
        if method == authlib_grants.ASSERTION:
            return self.method in ("client_secret_jwt", "private_key_jwt")
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


@dataclasses.dataclass
class Token(Record):
    client: Client
    user: User | None
    #: Equal for all tokens of one consent.
    family: str
    access_token: str
    refresh_token: str | None
    scope: str
    is_access_revoked: bool = False
    is_refresh_revoked: bool = False
    expires_in: int = LIFETIME

    def check_client(self, client):
        return client is self.client

    def is_expired(self):
        return False

    def is_revoked(self):
        return self.is_access_revoked


@dataclasses.dataclass
class Code(Record):
    code: str
    client: Client
    user: User
    redirect_uri: str
    scope: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    auth_time: int


class Server(LocalServer):
    """A server whose client authenticates in one way.

    - method: the client's registered method of RFC 8414.
    - keys: the client's public keys.
    - algorithm: that of the ID tokens.
    - documents: the well-known URLs that it has.
    - listed: the client authentications that its metadata list; None for the client's alone.
    """

    def __init__(
            self, method, secret=None, keys=(), algorithm="RS256",
            documents=("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"),
            listed=None):
        self.app = flask.Flask("interop")
        super().__init__(self.app)
        self.issuer = self.url
        self.app.before_request(self._record)
        self.user = User()
        #: Every token response.
        self.tokens = []
        #: The grant type and the client's authentication of every token request that succeeded.
        self.issued = []
        #: The path, query and form of every request; each field has the list of its values.
        self.requests = []
        self.listed = listed or [method]
        self.client = Client("interop-client", secret, method, list(keys))
        self.clients = {self.client.client_id: self.client}
        self.codes = {}
        #: The claims of every assertion that was accepted, and the identifiers of all of them.
        self.assertions, self.assertion_ids = [], set()
        #: What the user has decided, at each request for the tokens of a device.
        self.devices, self.device_answers = {}, ["allow"]
        #: Pushed authorization requests, by reference.
        self.pushed = {}
        self.requires_signed_requests = False
        self.algorithm, self.documents = algorithm, documents
        self.key = _key(algorithm, "k1")

        self.app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_SCOPES_SUPPORTED=SCOPES)
        self.protocol = AuthorizationServer(self.app, query_client=self.clients.get, save_token=self.save)
        self.protocol.register_client_auth_method(
            authlib_grants.ASSERTION, _bound(authlib_grants.ClientAssertion, self)())
        self.protocol.register_grant(
            _bound(CodeGrant, self), [CodeChallenge(required=True), _bound(IDTokenOfCode, self)()])
        for grant in (RefreshGrant, authlib_grants.DeviceGrant):
            self.protocol.register_grant(_bound(grant, self), [_bound(IDTokenOfRefresh, self)()])
        for grant in (authlib_grants.ClientGrant, authlib_grants.BearerGrant):
            self.protocol.register_grant(_bound(grant, self))
        for endpoint in (Revocation, *authlib_endpoints.ENDPOINTS):
            self.protocol.register_endpoint(_bound(endpoint, self))
        self.protocol.register_extension(_bound(Issuer, self)())
        self.protocol.register_extension(_bound(authlib_endpoints.RequestObjects, self)())
        self.add_routes()

    # Requests

    def _record(self):
        request = flask.request
        self.requests.append((request.path, request.args.to_dict(flat=False), request.form.to_dict(flat=False)))

    def forms(self, path):
        """The forms that were posted to a path."""
        return [form for found, _, form in self.requests if found == path and form]

    def queries(self, path):
        """The queries of the requests to a path."""
        return [query for found, query, _ in self.requests if found == path]

    @property
    def live_tokens(self):
        """How many access and refresh tokens are accepted."""
        return sum(
            (not token.is_access_revoked) + (token.refresh_token is not None and not token.is_refresh_revoked)
            for token in self.tokens)

    def revoke_family(self, family):
        """Revokes all tokens of one consent."""
        for token in self.tokens:
            if token.family == family:
                token.is_access_revoked = token.is_refresh_revoked = True

    # Storage

    def save(self, token, request):
        old = request.refresh_token
        code = request.authorization_code
        family = old.family if old else code.code if code else secrets.token_hex(8)
        self.tokens.append(Token(
            request.client, request.user, family, token["access_token"], token.get("refresh_token"),
            token.get("scope", "")))
        self.issued.append((request.payload.grant_type, request.auth_method))

    def expire_access_tokens(self):
        for token in self.tokens:
            token.is_access_revoked = True

    def token(self, text):
        """The record of an access or refresh token."""
        return next((token for token in self.tokens if text in (token.access_token, token.refresh_token)), None)

    def rotate_key(self):
        """Signs with another key from now on, of another name, and publishes no other."""
        self.key = _key(self.algorithm, "k2")

    # Routes

    def metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": self.issuer + "/authorize",
            "token_endpoint": self.issuer + "/token",
            "revocation_endpoint": self.issuer + "/revoke",
            "userinfo_endpoint": self.issuer + "/userinfo",
            "jwks_uri": self.issuer + "/keys",
            **authlib_endpoints.metadata(self),
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token", *authlib_grants.TYPES],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": self.listed,
            "revocation_endpoint_auth_methods_supported": self.listed,
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [self.algorithm],
            "authorization_response_iss_parameter_supported": True,
        }

    def add_routes(self):
        protected = ResourceProtector()
        protected.register_token_validator(_bound(Bearer, self)())
        for path in self.documents:
            self.app.add_url_rule(path, "metadata", self.metadata)
        self.app.add_url_rule("/keys", "keys", lambda: {"keys": [self.key.as_dict(private=False)]})
        self.app.add_url_rule("/authorize", view_func=self.authorize, methods=["GET", "POST"])
        self.app.add_url_rule("/token", "token", self.protocol.create_token_response, methods=["POST"])
        for path, name, methods in [("/revoke", "revocation", ["POST"]), *authlib_endpoints.ROUTES]:
            self.app.add_url_rule(
                path, name, lambda name=name, **parts: self.protocol.create_endpoint_response(name), methods=methods)
        self.app.add_url_rule("/userinfo", "userinfo", protected("openid")(lambda: self.user.claims(current_token.scope)))

    def authorize(self):
        try:
            grant = self.protocol.get_consent_grant(end_user=self.user)
        except OAuth2Error as error:
            return self.protocol.handle_error_response(None, error)
        if flask.request.method == "GET":
            return PAGE.format(client=grant.client.client_id)
        allowed = flask.request.form.get("decision") == "allow"
        return self.protocol.create_authorization_response(grant=grant, grant_user=self.user if allowed else None)


_key = functools.cache(authlib_grants.generated_key)


def _bound(kind, server):
    """A subclass that knows the server: Authlib makes the instances."""
    return type(kind.__name__, (kind,), {"storage": server})


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request):
        data = request.payload.data
        self.storage.codes[code] = Code(
            code, request.client, request.user, request.payload.redirect_uri, request.payload.scope, data.get("nonce"),
            data.get("code_challenge"), data.get("code_challenge_method"), int(time.time()))

    def query_authorization_code(self, code, client):
        return self.storage.codes.get(code)

    def delete_authorization_code(self, code):
        del self.storage.codes[code.code]

    def authenticate_user(self, code):
        return code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        token = next((token for token in self.storage.tokens if token.refresh_token == refresh_token), None)
        if token and token.is_refresh_revoked:
            # RFC 9700 § 4.14.2: a second use ends the grant.
            self.storage.revoke_family(token.family)
            return None
        return token

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        token.is_access_revoked = token.is_refresh_revoked = True


class _IDToken:
    def get_client_algorithm(self, client):
        return self.storage.algorithm

    def get_encode_header(self, client):
        return {"alg": self.storage.algorithm, "kid": self.storage.key.kid}

    def get_compatible_claims(self, request):
        now = int(time.time())
        return {"iss": self.storage.issuer, "aud": [request.client.client_id], "iat": now, "exp": now + LIFETIME}

    def resolve_client_private_key(self, client):
        return self.storage.key

    def generate_user_info(self, user, scope):
        return user.claims(scope)


class IDTokenOfCode(_IDToken, OpenIDCode):
    def exists_nonce(self, nonce, request):
        return any(code.nonce == nonce for code in self.storage.codes.values())


class IDTokenOfRefresh(_IDToken, OpenIDToken):
    pass


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, text, hint):
        return self.storage.token(text)

    def revoke_token(self, token, request):
        # An access token goes alone, as RFC 7009 § 2.1 allows.
        if request.form["token"] == token.refresh_token:
            for other in self.storage.tokens:
                if other.family == token.family:
                    other.is_refresh_revoked = True
        else:
            token.is_access_revoked = True


class Bearer(BearerTokenValidator):
    def authenticate_token(self, text):
        return next((token for token in self.storage.tokens if token.access_token == text), None)


class Issuer(IssuerParameter):
    def get_issuer(self):
        return self.storage.issuer
