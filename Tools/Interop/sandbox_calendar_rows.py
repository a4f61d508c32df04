# SPDX-License-Identifier: Apache-2.0
"""Clients that know the URL of the sandbox's Calendar API alone, or its discovery document."""

import asyncio
import functools

import googleapiclient.discovery
import google.oauth2.credentials
import requests

from approve import approve
from mcp_sdk_client import MCPClient
from table import Row, check

SCOPE = "https://www.googleapis.com/auth/calendar.readonly"
USER = "person@example.com"
TIMEOUT = 10


def rows(sandbox):
    yield Row(
        "MCP Python SDK → sandbox", "signs in by the calendar API's URL alone; lists the calendars",
        functools.partial(by_url_with_sdk, sandbox))
    yield Row(
        "google-api-python-client → sandbox", "builds itself from the sandbox's discovery document",
        functools.partial(by_discovery_document, sandbox))


def _check_calendars(entries):
    check(any(entry.get("primary") and entry["id"] == USER for entry in entries), "no primary calendar")
    roles = {entry["accessRole"] for entry in entries}
    check("writerWithoutPrivateAccess" not in roles, "a role that older clients do not know")


def by_url_with_sdk(sandbox):
    async def user(url):
        return approve(url, follow=False)

    client = MCPClient(f"{sandbox.url}/calendar/v3", user)
    _check_calendars(asyncio.run(client.get("/users/me/calendarList"))["items"])


def by_discovery_document(sandbox):
    response = requests.post(f"{sandbox.url}/sandbox/token", json={"user": USER, "scope": SCOPE}, timeout=TIMEOUT)
    token = response.json()["access_token"]
    service = googleapiclient.discovery.build(
        "calendar", "v3", credentials=google.oauth2.credentials.Credentials(token), static_discovery=False,
        discoveryServiceUrl=f"{sandbox.url}/discovery/v1/apis/{{api}}/{{apiVersion}}/rest")
    _check_calendars(service.calendarList().list(maxResults=250).execute()["items"])
    events = service.events().list(calendarId="primary", singleEvents=True, orderBy="startTime", maxResults=5).execute()
    check(len(events["items"]) == 5, f"{len(events['items'])} events")
