# SPDX-License-Identifier: Apache-2.0
"""What the rows of Google's client check with, and where they are registered."""

import contextlib

from googleapiclient.errors import HttpError

from table import Failure, check

#: The check of each method by its name: a text and a function of `Google`.
METHODS = {}
#: The rows beyond single methods.
ROWS = []


def method(name, text):
    """Registers the check of a method."""

    def register(function):
        METHODS[name] = (text, function)
        return function

    return register


def row(text):
    """Registers the function of a row."""

    def register(function):
        ROWS.append((text, function))
        return function

    return register


def ids(page):
    return [item["id"] for item in page["items"]]


def listed(account, **parameters):
    """The calendars on the list of a user, by their identifiers."""
    found = pages(account.calendarList.list(**parameters), account.calendarList.list_next)
    return {entry["id"]: entry for page in found for entry in page["items"]}


def equal(found, expected, what):
    check(found == expected, f"{what}: {found!r} instead of {expected!r}")


def has(resource, **fields):
    """Checks some fields of a resource."""
    for name, expected in fields.items():
        equal(resource.get(name), expected, name)


def pages(request, following):
    """Executes a request and those for the pages that follow; each page has exactly one of the two tokens."""
    found = []
    while request is not None:
        page = request.execute()
        check(("nextPageToken" in page) != ("nextSyncToken" in page), "a page has not exactly one token")
        found.append(page)
        request = following(request, page)
    return found


def conditional(request, **fields):
    """Adds fields to the header of a request: `if_match`, `if_none_match`."""
    for name, value in fields.items():
        request.headers[name.replace("_", "-")] = value
    return request


def status_of(request):
    """Executes a request; returns the status and the body."""
    seen = []
    request.add_response_callback(lambda response: seen.append(response.status))
    body = request.execute()
    return seen[-1], body


@contextlib.contextmanager
def refused(status, reason):
    """Checks that the client raises an error of a status and with a reason in its details; yields those details."""
    details = {}
    try:
        yield details
    except HttpError as error:
        check(error.resp.status == status, f"status {status} was expected: {error}")
        found = error.error_details
        check(isinstance(found, list) and found, f"no details: {error}")
        equal([item.get("reason") for item in found], [reason], "reason")
        check(error.reason and found[0]["message"] == error.reason, f"no message: {error}")
        details.update(found[0])
    else:
        raise Failure(f"{status} {reason} was expected, and it succeeded")
