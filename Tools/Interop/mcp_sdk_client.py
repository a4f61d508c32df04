# SPDX-License-Identifier: Apache-2.0
"""The OAuth client of the official SDK for Python of the Model Context Protocol, in front of any API."""

import urllib.parse

import httpx2
import mcp.client.auth
from mcp.shared.auth import OAuthClientMetadata


class Storage:
    """Tokens and the registration, in memory."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class MCPClient:
    """A client of an API of which the URL is known; `user` takes the browser's URL and returns the callback."""

    def __init__(self, url, user):
        self.url = url
        self.user = user
        self.callback = None
        metadata = OAuthClientMetadata(
            client_name="Interop", redirect_uris=["http://127.0.0.1/callback"],
            grant_types=["authorization_code", "refresh_token"], response_types=["code"])
        self.provider = mcp.client.auth.OAuthClientProvider(
            server_url=url, client_metadata=metadata, storage=Storage(), redirect_handler=self._redirect,
            callback_handler=self._answer)

    async def get(self, path):
        """Returns the JSON at a path below the API's URL."""
        async with httpx2.AsyncClient(auth=self.provider, trust_env=False) as client:
            response = await client.get(self.url + path)
            response.raise_for_status()
            return response.json()

    async def _redirect(self, url):
        self.callback = await self.user(url)

    async def _answer(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.callback).query)
        code, state, issuer = (query.get(name, [None])[0] for name in ("code", "state", "iss"))
        result = getattr(mcp.client.auth, "AuthorizationCodeResult", None)
        return result(code=code, state=state, iss=issuer) if result else (code, state)
