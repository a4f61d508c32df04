# SPDX-License-Identifier: Apache-2.0
"""One row of the comparison with google-auth: obtains a token with it as the job on standard input says, by way of the recording server
that the argument names, and prints the token. Credentials/main.swift is its counterpart in Swift.

The variables of the job are those of this process, since google-auth reads some of them when it is imported."""

import json
import sys
import urllib.parse

import requests.adapters

job = json.load(sys.stdin)
server = sys.argv[1]
send = requests.adapters.HTTPAdapter.send


def recorded(self, request, **options):
    """Sends a request to the recording server, and tells it where the request would have gone."""
    url = urllib.parse.urlsplit(request.url)
    request.headers["X-Original-Origin"] = f"{url.scheme}://{url.netloc}"
    request.url = server + urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
    return send(self, request, **options)


requests.adapters.HTTPAdapter.send = recorded

import google.auth  # noqa: E402
from google.auth import impersonated_credentials  # noqa: E402
from google.auth.transport.requests import Request  # noqa: E402
from google.oauth2 import id_token  # noqa: E402


def credentials(job):
    """The credentials of google-auth for a job."""
    impersonation, audience = job["impersonation"], job["audience"]
    if audience and not impersonation:
        return id_token.fetch_id_token_credentials(audience, Request())
    found, _ = google.auth.default(scopes=job["scopes"] or None)
    if job["subject"]:
        found = found.with_subject(job["subject"])
    if job["isSelfSigned"]:
        found = found.with_always_use_jwt_access(True)
    if impersonation:
        found = impersonated_credentials.Credentials(
            found, impersonation["principal"], job["scopes"], subject=impersonation["subject"],
            delegates=["projects/-/serviceAccounts/" + name for name in impersonation["delegates"]],
            lifetime=impersonation["lifetime"])
        if audience:
            return impersonated_credentials.IDTokenCredentials(found, audience, include_email=True)
    return found


found = credentials(job)
found.refresh(Request())
print(found.token if isinstance(found.token, str) else found.token.decode())
