# SPDX-License-Identifier: Apache-2.0
"""An OAuth 2.0 and OpenID Connect server on Authlib, for one client and one user, in memory, on a loopback port of its own.

The protocol is Authlib's; here are its storage, a consent page and the metadata. A grant or an endpoint more is a class that
is registered in `Server.__init__` and named in `Server.metadata`.
"""

import dataclasses
import functools
import os
import secrets
import threading
import time
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain http, on loopback

import flask
import joserfc.jwk
import werkzeug.serving
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode, OpenIDToken

SCOPES = ["openid", "profile", "email"]
LIFETIME = 3600
PAGE = """<!doctype html><title>Consent</title><h1>Allow {client}?</h1><form method="post">
<button name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></form>"""


class User:
    """The one user there is."""

    id = "user-1"
    name = "Sample User"
    email = "user@example.test"

    def claims(self, scope):
        claims = UserInfo(sub=self.id)
        if "profile" in scope.split():
            claims["name"] = self.name
        if "email" in scope.split():
            claims.update(email=self.email, email_verified=True)
        return claims


@dataclasses.dataclass
class Client(ClientMixin):
    client_id: str
    secret: str | None
    method: str
    redirect_uri: str = "http://127.0.0.1/callback"

    def get_client_id(self):
        return self.client_id

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
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


@dataclasses.dataclass
class Token(TokenMixin):
    client: Client
    user: User
    #: Whatever was issued for one consent.
    family: str
    access_token: str
    refresh_token: str
    scope: str
    is_access_revoked: bool = False
    is_refresh_revoked: bool = False

    def check_client(self, client):
        return client is self.client

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return LIFETIME

    def is_expired(self):
        return False

    def is_revoked(self):
        return self.is_access_revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


@dataclasses.dataclass
class Code(AuthorizationCodeMixin):
    code: str
    client: Client
    user: User
    redirect_uri: str
    scope: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    auth_time: int

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return self.auth_time

    def get_acr(self):
        return None

    def get_amr(self):
        return None


class Server:
    """A server whose client authenticates in one way.

    - method: the client's registered method of RFC 8414.
    - forges: sign ID tokens with a key that is not the published one.
    """

    def __init__(self, method, secret=None, forges=False):
        self.client = Client("interop-client", secret, method)
        self.user = User()
        self.codes = {}
        self.tokens = []
        #: The grant type and the client's authentication of every token request that succeeded.
        self.issued = []
        self.published_key, other_key = _keys()
        self.signing_key = other_key if forges else self.published_key

        app = flask.Flask("interop")
        app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_SCOPES_SUPPORTED=SCOPES)
        self.protocol = AuthorizationServer(
            app, query_client=lambda name: self.client if name == self.client.client_id else None, save_token=self.save)
        self.protocol.register_grant(
            _bound(CodeGrant, self), [CodeChallenge(required=True), _bound(IDTokenOfCode, self)()])
        self.protocol.register_grant(_bound(RefreshGrant, self), [_bound(IDTokenOfRefresh, self)()])
        self.protocol.register_endpoint(_bound(Revocation, self))
        self.protocol.register_extension(_bound(Issuer, self)())
        self.add_routes(app)
        self.http = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
        self.issuer = f"http://127.0.0.1:{self.http.port}"
        self.thread = threading.Thread(target=self.http.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()

    # Storage

    def save(self, token, request):
        old = request.refresh_token
        code = request.authorization_code
        family = old.family if old else code.code
        self.tokens.append(
            Token(self.client, self.user, family, token["access_token"], token["refresh_token"], token["scope"]))
        self.issued.append((request.payload.grant_type, request.auth_method))

    def revoke_family(self, family):
        for token in self.tokens:
            if token.family == family:
                token.is_access_revoked = token.is_refresh_revoked = True

    def expire_access_tokens(self):
        for token in self.tokens:
            token.is_access_revoked = True

    @property
    def live_tokens(self):
        """How many access and refresh tokens are accepted."""
        return sum((not token.is_access_revoked) + (not token.is_refresh_revoked) for token in self.tokens)

    # Routes

    def metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": self.issuer + "/authorize",
            "token_endpoint": self.issuer + "/token",
            "revocation_endpoint": self.issuer + "/revoke",
            "userinfo_endpoint": self.issuer + "/userinfo",
            "jwks_uri": self.issuer + "/keys",
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": [self.client.method],
            "revocation_endpoint_auth_methods_supported": [self.client.method],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "authorization_response_iss_parameter_supported": True,
        }

    def add_routes(self, app):
        protected = ResourceProtector()
        protected.register_token_validator(_bound(Bearer, self)())
        app.add_url_rule("/.well-known/openid-configuration", view_func=self.metadata)
        app.add_url_rule("/keys", "keys", lambda: {"keys": [self.published_key.as_dict(private=False)]})
        app.add_url_rule("/authorize", view_func=self.authorize, methods=["GET", "POST"])
        app.add_url_rule("/token", "token", self.protocol.create_token_response, methods=["POST"])
        app.add_url_rule(
            "/revoke", "revoke", lambda: self.protocol.create_endpoint_response("revocation"), methods=["POST"])
        app.add_url_rule(
            "/userinfo", "userinfo", protected("openid")(lambda: dict(self.user.claims(current_token.scope))))

    def authorize(self):
        try:
            grant = self.protocol.get_consent_grant(end_user=self.user)
        except OAuth2Error as error:
            return self.protocol.handle_error_response(None, error)
        if flask.request.method == "GET":
            return PAGE.format(client=grant.client.client_id)
        allowed = flask.request.form.get("decision") == "allow"
        return self.protocol.create_authorization_response(grant=grant, grant_user=self.user if allowed else None)


@functools.cache
def _keys():
    """Two keys that cannot be told apart by their names."""
    return [joserfc.jwk.RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"}) for _ in range(2)]


def _bound(kind, server):
    """A subclass that knows the server: Authlib makes the instances."""
    return type(kind.__name__, (kind,), {"storage": server})


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

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
    TOKEN_ENDPOINT_AUTH_METHODS = CodeGrant.TOKEN_ENDPOINT_AUTH_METHODS
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
        return "RS256"

    def get_encode_header(self, client):
        return {"alg": "RS256", "kid": self.storage.signing_key.kid}

    def get_compatible_claims(self, request):
        now = int(time.time())
        return {"iss": self.storage.issuer, "aud": [request.client.client_id], "iat": now, "exp": now + LIFETIME}

    def resolve_client_private_key(self, client):
        return self.storage.signing_key

    def generate_user_info(self, user, scope):
        return user.claims(scope)


class IDTokenOfCode(_IDToken, OpenIDCode):
    def exists_nonce(self, nonce, request):
        return any(code.nonce == nonce for code in self.storage.codes.values())


class IDTokenOfRefresh(_IDToken, OpenIDToken):
    pass


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = CodeGrant.TOKEN_ENDPOINT_AUTH_METHODS

    def query_token(self, text, hint):
        return next((token for token in self.storage.tokens if text in (token.access_token, token.refresh_token)), None)

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
