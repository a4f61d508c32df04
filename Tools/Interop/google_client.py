# SPDX-License-Identifier: Apache-2.0
"""Google's own client of the Calendar API, unmodified, with the sandbox as its server.

The discovery document is the one that comes with the client; only its root URL is replaced.
"""

import functools
import importlib.resources
import itertools
import json

import googleapiclient.discovery

import google_schemas
import google_seed
from python_clients import GoogleAuth

NAME = "google-api-python-client"
CALENDAR = "https://www.googleapis.com/auth/calendar"
#: A zone that changes to summer time on 29 March 2026, two hours after midnight.
ZONE = "Europe/Madrid"


def discovery_document(root_url="https://www.googleapis.com"):
    documents = importlib.resources.files("googleapiclient.discovery_cache") / "documents"
    document = json.loads((documents / "calendar.v3.json").read_text())
    document["rootUrl"] = f"{root_url}/"
    return document


def method_names():
    """The names of all methods, such as `events.list`, in the order of the document."""
    resources = discovery_document()["resources"].values()
    return [method["id"].removeprefix("calendar.") for resource in resources for method in resource["methods"].values()]


class Account:
    """A user who has signed in, with the resources of the API as the client has them."""

    def __init__(self, sandbox, email, scopes=(CALENDAR,)):
        self.email = email
        client = GoogleAuth(sandbox, list(scopes))
        client.redeem(client.authorize("http://localhost:9999/", user=email))
        self.credentials = client.credentials
        document = discovery_document(sandbox.url)
        self.service = googleapiclient.discovery.build_from_document(
            document, credentials=self.credentials, requestBuilder=google_schemas.checked_requests(document))

    def __getattr__(self, resource):
        """`account.events` is the resource `events`."""
        return getattr(self.service, resource)()

    def calendar(self, summary="Rows", **fields):
        """Creates a calendar for a row of its own, and returns its identifier."""
        body = {"summary": summary, "timeZone": ZONE, **fields}
        return self.calendars.insert(body=body).execute()["id"]

    def event(self, calendar, start="2026-03-10T10:00:00", end="2026-03-10T11:00:00", summary="An event", **fields):
        """Inserts an event: timed, or all-day if the start has no time."""
        parameters = fields.pop("parameters", {})
        body = {"summary": summary, "start": when(start), "end": when(end), **fields}
        return self.events.insert(calendarId=calendar, body=body, **parameters).execute()


class Google:
    """The sandbox with its accounts, each signed in when a row first needs it."""

    def __init__(self, sandbox, almanac):
        self.sandbox = sandbox
        self.almanac = almanac
        self._numbers = itertools.count()

    @functools.cached_property
    def user(self):
        return Account(self.sandbox, google_seed.USERS[0])

    @functools.cached_property
    def other(self):
        """A second user."""
        return Account(self.sandbox, google_seed.USERS[1])

    def unique(self, beginning):
        return f"{beginning}{next(self._numbers)}"


def when(time):
    """`EventDateTime`."""
    return {"dateTime": time, "timeZone": ZONE} if "T" in time else {"date": time}
