# SPDX-License-Identifier: Apache-2.0
"""Google's own client of the Calendar API, unmodified, with the sandbox as its server.

The discovery document is the one that comes with the client; only its root URL is replaced.
"""

import contextlib
import functools
import importlib.resources
import itertools
import json
import pathlib

import googleapiclient.discovery
from googleapiclient.errors import HttpError

import google_schemas
import sandbox_rows
from table import Failure, check

CALENDAR = "https://www.googleapis.com/auth/calendar"
#: The users of the seed.
USER, OTHER = "person@example.com", "colleague@example.com"
#: A zone that changes to summer time on 29 March 2026, two hours after midnight.
ZONE = "Europe/Madrid"


def running(almanac):
    """Starts a sandbox with both users, and stops it at the end."""
    return sandbox_rows.running(almanac, "--seed", pathlib.Path(__file__).with_name("seed.json"))


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

    def __init__(self, sandbox, email):
        client = sandbox_rows.GoogleAuth(sandbox, [CALENDAR])
        client.redeem(client.authorize("http://localhost:9999/", user=email))
        self.credentials = client.credentials
        document = discovery_document(sandbox.url)
        self.service = googleapiclient.discovery.build_from_document(
            document, credentials=self.credentials, requestBuilder=google_schemas.checked_requests(document))

    def __getattr__(self, resource):
        """`account.events` is the resource `events`."""
        return getattr(self.service, resource)()

    def calendar(self):
        """Creates a calendar for a row of its own, and returns its identifier."""
        return self.calendars.insert(body={"summary": "Rows", "timeZone": ZONE}).execute()["id"]

    def event(self, calendar, **fields):
        """Inserts an event of an hour, or with other times."""
        body = {"summary": "An event", "start": when("2026-03-10T10:00:00"), "end": when("2026-03-10T11:00:00"), **fields}
        return self.events.insert(calendarId=calendar, body=body).execute()


class Google:
    """The sandbox with its accounts, each signed in when a row first needs it."""

    def __init__(self, sandbox, almanac):
        self.sandbox = sandbox
        self.almanac = almanac
        self._numbers = itertools.count()

    @functools.cached_property
    def user(self):
        return Account(self.sandbox, USER)

    @functools.cached_property
    def other(self):
        return Account(self.sandbox, OTHER)

    def unique(self, beginning):
        return f"{beginning}{next(self._numbers)}"


def when(time):
    """`EventDateTime`."""
    return {"dateTime": time, "timeZone": ZONE} if "T" in time else {"date": time}


# Checks


def ids(page):
    return [item["id"] for item in page["items"]]


def equal(found, expected, what):
    check(found == expected, f"{what}: {found!r} instead of {expected!r}")


def has(resource, **fields):
    """Checks some fields of a resource."""
    for name, expected in fields.items():
        equal(resource.get(name), expected, name)


def conditional(request, **fields):
    """Adds fields to the header of a request: `if_match`, `if_none_match`."""
    for name, value in fields.items():
        request.headers[name.replace("_", "-")] = value
    return request


@contextlib.contextmanager
def refused(status, reason):
    """Checks that the client raises an error of a status, with a reason and a message in its details."""
    try:
        yield
    except HttpError as error:
        details = error.error_details
        check(isinstance(details, list) and details, f"no details: {error}")
        equal((error.resp.status, [item.get("reason") for item in details]), (status, [reason]), "error")
        check(error.reason and details[0]["message"] == error.reason, f"no message: {error}")
    else:
        raise Failure(f"{status} {reason} was expected, and it succeeded")
