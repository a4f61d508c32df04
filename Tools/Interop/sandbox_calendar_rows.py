# SPDX-License-Identifier: Apache-2.0
"""Clients that know the URL of the sandbox's Calendar API alone, or its discovery document, and a program without a browser."""

import asyncio
import functools
import time
import urllib.parse

import googleapiclient.discovery
import google.oauth2.credentials
import requests

from almanac_rows import Command
from approve import approve
from mcp_sdk_client import MCPClient
from table import Row, check

SCOPE = "https://www.googleapis.com/auth/calendar.readonly"
USER = "person@example.com"
TIMEOUT = 10
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


def rows(almanac, browsers, sandbox, consenting):
    yield Row(
        "almanac → sandbox", "signs in by the calendar API's URL alone; lists the calendars",
        functools.partial(by_url, almanac, browsers, sandbox))
    yield Row(
        "MCP Python SDK → sandbox", "signs in by the calendar API's URL alone; lists the calendars",
        functools.partial(by_url_with_sdk, sandbox))
    yield Row(
        "google-api-python-client → sandbox", "builds itself from the sandbox's discovery document",
        functools.partial(by_discovery_document, sandbox))
    yield Row("requests → sandbox", "signs in without a browser: --approve", functools.partial(approved, consenting))
    yield Row("requests → sandbox", "signs in without a browser: /sandbox/approve", functools.partial(decided, sandbox))
    yield Row("requests → sandbox", "signs in by a back-channel request (CIBA)", functools.partial(backchannel, sandbox))


def _check_calendars(entries):
    check(any(entry.get("primary") and entry["id"] == USER for entry in entries), "no primary calendar")
    roles = {entry["accessRole"] for entry in entries}
    check("writerWithoutPrivateAccess" not in roles, "a role that older clients do not know")


def by_url(almanac, browsers, sandbox):
    url = f"{sandbox.url}/calendar/v3"
    with Command(almanac, browsers) as command:
        report = command.run("sign-in", "--resource", url)
        check(report["refused"] == [], f"refused: {report['refused']}")
        _check_calendars(command.run("call", "GET", f"{url}/users/me/calendarList")["items"])


def by_url_with_sdk(sandbox):
    async def user(url):
        return approve(url, follow=False)

    client = MCPClient(f"{sandbox.url}/calendar/v3", user)
    _check_calendars(asyncio.run(client.get("/users/me/calendarList"))["items"])


def by_discovery_document(sandbox):
    token = _control(sandbox, "token", user=USER, scope=SCOPE).json()["access_token"]
    service = googleapiclient.discovery.build(
        "calendar", "v3", credentials=google.oauth2.credentials.Credentials(token), static_discovery=False,
        discoveryServiceUrl=f"{sandbox.url}/discovery/v1/apis/{{api}}/{{apiVersion}}/rest")
    _check_calendars(service.calendarList().list(maxResults=250).execute()["items"])
    events = service.events().list(calendarId="primary", singleEvents=True, orderBy="startTime", maxResults=5).execute()
    check(len(events["items"]) == 5, f"{len(events['items'])} events")


def approved(sandbox):
    response = requests.get(_authorization_url(sandbox), allow_redirects=False, timeout=TIMEOUT)
    check(response.status_code == 303, f"status {response.status_code}")
    _redeem(sandbox, response.headers["Location"])


def decided(sandbox):
    answer = _control(sandbox, "approve", url=_authorization_url(sandbox), user=USER)
    _redeem(sandbox, answer.json()["callback"])


def backchannel(sandbox):
    credentials = (sandbox.client_id, sandbox.client_secret)
    metadata = requests.get(f"{sandbox.url}/.well-known/openid-configuration", timeout=TIMEOUT).json()
    begun = requests.post(
        metadata["backchannel_authentication_endpoint"], auth=credentials, timeout=TIMEOUT,
        data={"scope": f"openid {SCOPE}", "login_hint": USER, "binding_message": "W4SCT"})
    check(begun.status_code == 200, f"status {begun.status_code}: {begun.text}")
    form = {"grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": begun.json()["auth_req_id"]}
    pending = requests.post(metadata["token_endpoint"], auth=credentials, data=form, timeout=TIMEOUT)
    check(pending.json()["error"] == "authorization_pending", pending.text)
    _control(sandbox, "approve", auth_req_id=form["auth_req_id"])
    time.sleep(begun.json()["interval"])
    tokens = requests.post(metadata["token_endpoint"], auth=credentials, data=form, timeout=TIMEOUT)
    check("id_token" in tokens.json(), tokens.text)
    _list(sandbox, tokens.json()["access_token"])


def _control(sandbox, name, **members):
    response = requests.post(f"{sandbox.url}/sandbox/{name}", json=members, timeout=TIMEOUT)
    response.raise_for_status()
    return response


def _authorization_url(sandbox):
    return f"{sandbox.url}/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": "almanac", "redirect_uri": "http://127.0.0.1/callback", "scope": SCOPE,
        "state": "s", "code_challenge": CHALLENGE, "code_challenge_method": "S256"})


def _redeem(sandbox, callback):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(callback).query)
    response = requests.post(sandbox.token_url, timeout=TIMEOUT, data={
        "grant_type": "authorization_code", "client_id": "almanac", "redirect_uri": "http://127.0.0.1/callback",
        "code": query["code"][0], "code_verifier": VERIFIER})
    check(response.status_code == 200, response.text)
    _list(sandbox, response.json()["access_token"])


def _list(sandbox, token):
    response = requests.get(
        f"{sandbox.url}/calendar/v3/users/me/calendarList", headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT)
    check(response.status_code == 200, f"status {response.status_code}")
    _check_calendars(response.json()["items"])
