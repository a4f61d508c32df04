# SPDX-License-Identifier: Apache-2.0
"""Two OAuth clients of Python, each as its documentation shows it, behind one interface. google-auth-oauthlib is built on
requests-oauthlib and oauthlib.

A client more is a class more, named in CLIENTS.
"""

import os

# oauthlib and Authlib refuse plain http without these, on loopback too.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import authlib.integrations.base_client.errors
import authlib.integrations.requests_client
import google.auth.exceptions
import google.auth.transport.requests
import google_auth_oauthlib.flow
import requests

import approve

TIMEOUT = 10


class GoogleAuth:
    """`InstalledAppFlow`, as in Google's quickstart for Python. It opens the browser with `webbrowser`."""

    name = "google-auth-oauthlib"
    reads_errors = True
    hosts = ["localhost", "127.0.0.1"]
    # The flow authenticates with Basic, a refresh with form parameters.
    secret_methods = [None]

    def __init__(self, sandbox, scopes, pkce=True, host="localhost", secret_method=None):
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
    def access_token(self):
        return self.credentials.token

    @property
    def refresh_token(self):
        return self.credentials.refresh_token

    @property
    def id_token(self):
        return self.credentials.id_token

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
            self.sandbox.url + "/revoke", params={"token": self.refresh_token},
            headers={"content-type": "application/x-www-form-urlencoded"}, timeout=TIMEOUT).raise_for_status()

    @staticmethod
    def error_code(error):
        if isinstance(error, google.auth.exceptions.RefreshError):
            return error.args[1]["error"]
        return getattr(error, "error", None)


class Authlib:
    """`OAuth2Session` of Authlib for requests."""

    name = "Authlib"
    # An error in the callback is left to the caller.
    reads_errors = False
    hosts = ["localhost", "127.0.0.1", "[::1]"]
    secret_methods = ["client_secret_basic", "client_secret_post"]

    def __init__(self, sandbox, scopes, pkce=True, host="localhost", secret_method="client_secret_basic"):
        self.sandbox = sandbox
        self.redirect_uri = f"http://{host}:5000/auth/callback"
        self.verifier = "a-code-verifier-of-more-than-43-characters-0123456789" if pkce else None
        self.session = authlib.integrations.requests_client.OAuth2Session(
            sandbox.client_id, sandbox.client_secret, scope=" ".join(scopes),
            token_endpoint_auth_method=secret_method, code_challenge_method="S256", default_timeout=TIMEOUT)

    def sign_in(self):
        self.redeem(self.authorize(self.redirect_uri))

    @property
    def access_token(self):
        return self.session.token["access_token"]

    @property
    def refresh_token(self):
        return self.session.token["refresh_token"]

    @property
    def id_token(self):
        return self.session.token["id_token"]

    @staticmethod
    def error_code(error):
        return getattr(error, "error", None)

    def authorize(self, redirect_uri, decision="allow"):
        self.session.redirect_uri = redirect_uri
        parameters = {"code_verifier": self.verifier} if self.verifier else {}
        url, self.state = self.session.create_authorization_url(self.sandbox.authorization_url, **parameters)
        return approve.approve(url, decision, follow=False)

    def redeem(self, callback):
        parameters = {"code_verifier": self.verifier} if self.verifier else {}
        self.session.fetch_token(
            self.sandbox.token_url, authorization_response=callback, state=self.state, **parameters)

    @property
    def granted(self):
        return set(self.session.token["scope"].split())

    def get(self, url):
        return self.session.get(url)

    def refresh(self):
        self.session.refresh_token(self.sandbox.token_url, self.refresh_token)

    def revoke(self):
        self.session.revoke_token(
            self.sandbox.url + "/revoke", token=self.refresh_token, token_type_hint="refresh_token").raise_for_status()


CLIENTS = [GoogleAuth, Authlib]
