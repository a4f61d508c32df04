# SPDX-License-Identifier: Apache-2.0
"""What the authorization servers on Authlib and oauthlib share: HTTP on loopback, the one user, and the records of requests and tokens."""

import threading

import flask
import werkzeug.serving

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


class FlaskServer:
    """A Flask application on a free loopback port, which responds for as long as the `with` block runs.

    A subclass adds its routes to `app`. Its tokens have the members `family` (equal for all tokens of one consent), `access_token`,
    `refresh_token`, `is_access_revoked` and `is_refresh_revoked`.
    """

    def __init__(self):
        self.app = flask.Flask("interop")
        self.app.before_request(self._record)
        self.user = User()
        #: Every token response.
        self.tokens = []
        #: The grant type and the client's authentication of every token request that succeeded.
        self.issued = []
        #: The path, query and form of every request; each field has the list of its values.
        self.requests = []
        self._http = werkzeug.serving.make_server("127.0.0.1", 0, self.app, threaded=True)
        self.issuer = f"http://127.0.0.1:{self._http.port}"
        # The argument is the seconds between two checks for a shutdown.
        self._thread = threading.Thread(target=self._http.serve_forever, args=[0.02])

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

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

    # Tokens

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
