# SPDX-License-Identifier: Apache-2.0
"""A server of the Model Context Protocol by its official SDK for Python, protected by OAuth, on loopback.

The SDK does what the specification says: metadata, registration, PKCE, redirect URIs, the token endpoint's checks, and the
challenges of the protected resource. What is written here is what it leaves to an application: which codes and tokens there are, and
the page on which the user decides.
"""

import html
import logging
import secrets
import socket
import threading
import time

import uvicorn
from mcp.server.auth.provider import (
    AccessToken, AuthorizationCode, AuthorizeError, RefreshToken, TokenError, construct_redirect_uri)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthToken
from starlette.responses import HTMLResponse, RedirectResponse

#: What the resource requires, and what a client may register for.
SCOPES = ["tools.read", "tools.call"]
LIFETIME = 3600


class Provider:
    """Codes and tokens in memory."""

    def __init__(self, issuer, resource):
        self.issuer = issuer
        self.resource = resource
        self.clients = {}
        self.requests = {}
        self.codes = {}
        self.refresh_tokens = {}
        self.access_tokens = {}
        #: The scopes that the user allows; None for all that are requested.
        self.allowed = None
        #: The scopes of each authorization request.
        self.requested = []
        #: The grants that were used.
        self.grants = []

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        if params.resource != self.resource:
            raise AuthorizeError("invalid_target", "The request names another resource, or none.")
        self.requested.append(params.scopes or [])
        identifier = secrets.token_urlsafe()
        self.requests[identifier] = (client, params)
        return f"{self.issuer}/consent?request={identifier}"

    def decide(self, identifier, is_allowed):
        """Returns where the browser goes."""
        client, params = self.requests.pop(identifier)
        answer = {"state": params.state}
        if is_allowed:
            requested = params.scopes or []
            code = AuthorizationCode(
                code=secrets.token_urlsafe(), client_id=client.client_id, expires_at=time.time() + 60,
                scopes=[scope for scope in requested if self.allowed is None or scope in self.allowed],
                code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
                redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource)
            self.codes[code.code] = code
            answer["code"] = code.code
        else:
            answer["error"] = "access_denied"
        return construct_redirect_uri(str(params.redirect_uri), **answer)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        self.grants.append("authorization_code")
        return self._issue(client, authorization_code.scopes)

    async def load_refresh_token(self, client, refresh_token):
        return self.refresh_tokens.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        if self.refresh_tokens.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant", "The token was used.")
        self.grants.append("refresh_token")
        return self._issue(client, scopes)

    async def load_access_token(self, token):
        return self.access_tokens.get(token)

    async def revoke_token(self, token):
        self.access_tokens.clear()
        self.refresh_tokens.clear()

    def expire_access_tokens(self):
        self.access_tokens.clear()

    def _issue(self, client, scopes):
        expires = int(time.time()) + LIFETIME
        access = AccessToken(
            token=secrets.token_urlsafe(), client_id=client.client_id, scopes=scopes, expires_at=expires,
            resource=self.resource)
        refresh = RefreshToken(
            token=secrets.token_urlsafe(), client_id=client.client_id, scopes=scopes, resource=self.resource)
        self.access_tokens[access.token] = access
        self.refresh_tokens[refresh.token] = refresh
        return OAuthToken(
            access_token=access.token, token_type="Bearer", expires_in=LIFETIME, scope=" ".join(scopes),
            refresh_token=refresh.token)


class Server:
    """The server, for as long as the block runs."""

    def __enter__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        issuer = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.url = f"{issuer}/mcp"
        self.provider = Provider(issuer, self.url)
        config = uvicorn.Config(self._app(issuer), log_level="critical", lifespan="on")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        while not self.server.started and self.thread.is_alive():
            time.sleep(0.01)
        return self

    def __exit__(self, *error):
        self.server.should_exit = True
        self.thread.join(timeout=10)
        self.socket.close()

    def _app(self, issuer):
        mcp = MCPServer(
            "Interop", auth_server_provider=self.provider, log_level="CRITICAL",
            auth=AuthSettings(
                issuer_url=issuer, resource_server_url=self.url, required_scopes=SCOPES, validate_token_resource=True,
                client_registration_options=ClientRegistrationOptions(
                    enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES),
                revocation_options=RevocationOptions(enabled=True)))
        logging.getLogger("mcp").setLevel(logging.CRITICAL)

        @mcp.tool()
        def add(left: int, right: int) -> int:
            """Adds two numbers."""
            return left + right

        @mcp.custom_route("/consent", methods=["GET", "POST"])
        async def consent(request):
            if request.method == "POST":
                form = await request.form()
                target = self.provider.decide(form["request"], form["decision"] == "allow")
                return RedirectResponse(target, status_code=303)
            identifier = html.escape(request.query_params["request"])
            return HTMLResponse(
                '<form method="post" action="/consent">'
                f'<input type="hidden" name="request" value="{identifier}">'
                '<button name="decision" value="allow">Allow</button>'
                '<button name="decision" value="deny">Deny</button></form>')

        return mcp.streamable_http_app(stateless_http=True, json_response=True)
