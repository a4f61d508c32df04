# SPDX-License-Identifier: Apache-2.0
"""Google's own client of the Calendar API against `almanac sandbox`: every method, and what the client makes of responses beyond one."""

import contextlib
import functools
import pathlib
import queue
import re
import tempfile

import requests
from googleapiclient.errors import HttpError
from werkzeug.wrappers import Request, Response

import google_client
import google_methods
import sandbox_rows
from google_client import Google, conditional, equal, has, ids, refused, when
from local_server import LocalServer
from table import Row, Rows, check

PAIR = "google-api-python-client → sandbox"
TIMEOUT = 10
DAY = {"start": when("2026-03-10"), "end": when("2026-03-11")}
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "Documentation" / "Testing.md"
#: The rows beyond single methods.
ROWS = Rows()
row = ROWS.row


def rows(almanac, sandbox):
    google = Google(sandbox, almanac)
    for name in google_client.method_names():
        yield Row(PAIR, name, functools.partial(google_methods.call, google, name))
    for text, function, _ in ROWS:
        yield Row(PAIR, text, functools.partial(function, google))


def control(google, name, **members):
    requests.post(f"{google.sandbox.url}/sandbox/{name}", json=members, timeout=TIMEOUT).raise_for_status()


# Errors and retries


@row("errors: the client reads status, reason and message")
def errors(google):
    user, calendar = google.user, google.user.calendar()
    name = google.unique("item0")
    deleted = user.event(calendar)["id"]
    user.events.delete(calendarId=calendar, eventId=deleted).execute()
    user.event(calendar, id=name)
    for status, reason, request in [
        (400, "required", user.calendars.insert(body={"description": "no name"})),
        (400, "timeRangeEmpty", user.events.insert(calendarId=calendar, body={**DAY, "end": DAY["start"]})),
        (403, "cannotDeletePrimaryCalendar", user.calendars.delete(calendarId="primary")),
        (404, "notFound", user.events.get(calendarId=calendar, eventId="nothing")),
        (404, "notFound", google.other.events.list(calendarId=calendar)),
        (409, "duplicate", user.events.insert(calendarId=calendar, body={**DAY, "id": name})),
        (410, "deleted", user.events.delete(calendarId=calendar, eventId=deleted))]:
        with refused(status, reason):
            request.execute()


@row("num_retries: the client carries a call through 429, 403 rateLimitExceeded and 503")
def retries(google):
    calendar = google.user.calendar()
    for status, reason in [(429, "rateLimitExceeded"), (403, "rateLimitExceeded"), (503, "backendError")]:
        control(google, "fault", status=status, reason=reason, method="events.insert")
        request = google.user.events.insert(calendarId=calendar, body=DAY)
        # The client waits for a random part of two seconds.
        request._rand = lambda: 0.01
        check(request.execute(num_retries=1)["id"], "no event")
    equal(len(google.user.events.list(calendarId=calendar).execute()["items"]), 3, "events")


@row("an access token that the sandbox rejects is refreshed by the client")
def invalidated(google):
    before = google.user.credentials.token
    control(google, "invalidate-access-tokens")
    google.user.colors.get().execute()
    check(google.user.credentials.token != before, "the token was not refreshed")


@row("304 for a resource that is as known, 412 for a write over a change that was not seen")
def conditions(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)
    one = {"calendarId": calendar, "eventId": event["id"]}
    for request in [google.user.events.get(**one), google.user.calendarList.list(), google.user.acl.list(calendarId=calendar)]:
        etag = request.execute()["etag"]
        try:
            conditional(request, if_none_match=etag).execute()
        except HttpError as error:
            equal((error.resp.status, error.content, error.resp["etag"]), (304, b"", etag), "response")
    seen = google.user.events.patch(**one, body={"summary": "Theirs"}).execute()
    for write in [google.user.events.patch(**one, body={"summary": "Mine"}), google.user.events.delete(**one)]:
        with refused(412, "conditionNotMet"):
            conditional(write, if_match=event["etag"]).execute()
    equal(google.user.events.get(**one).execute(), seen, "event")


# Lists and batches


@row("pages: the client's list_next reads each element once, and the last page has the sync token")
def pages(google):
    user, calendar = google.user, google.user.calendar()
    series = user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=5"])["id"]
    for number in range(4):
        user.event(calendar, summary=f"Event {number}")
    for resource, name, parameters in [
        (user.events, "list", {"calendarId": calendar}), (user.events, "instances", {"calendarId": calendar, "eventId": series}),
        (user.settings, "list", {}), (user.calendarList, "list", {}), (user.acl, "list", {"calendarId": calendar})]:
        method, following = getattr(resource, name), getattr(resource, f"{name}_next")
        whole = ids(method(**parameters, maxResults=250).execute())
        request, found = method(**parameters, maxResults=2), []
        while request is not None:
            page = request.execute()
            check(("nextPageToken" in page) != ("nextSyncToken" in page), "a page has not exactly one token")
            found += ids(page)
            request = following(request, page)
        equal(found, whole, f"{name} by pages")


@row("a query of more than 2,048 characters, which the client sends as POST")
def long_query(google):
    calendar = google.user.calendar()
    properties = {f"name{number}": "value " * 20 for number in range(30)}
    event = google.user.event(calendar, extendedProperties={"private": properties})
    google.user.event(calendar, extendedProperties={"private": properties | {"name7": "another"}})
    request = google.user.events.list(
        calendarId=calendar, privateExtendedProperty=[f"{name}={value}" for name, value in properties.items()])
    check(len(request.uri) > 2048, "the URL is short")
    equal(ids(request.execute()), [event["id"]], "events")
    equal((request.method, request.headers["x-http-method-override"]), ("POST", "GET"), "method")


@row("partial responses by fields, checked against the schema")
def partial_responses(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)
    found = google.user.events.list(calendarId=calendar, fields="items(id,start/dateTime)").execute()
    equal(found, {"items": [{"id": event["id"], "start": {"dateTime": event["start"]["dateTime"]}}]}, "fields")
    one = {"calendarId": calendar, "eventId": event["id"]}
    equal(google.user.events.get(**one, fields="*").execute(), event, "all fields")
    equal(set(google.user.events.patch(**one, body={"summary": "New"}, fields="summary,updated").execute()), {"summary", "updated"}, "fields")


@row("a batch of many kinds: responses in order, with 200, 204, 304, 404, 409, 410 and 412 beside each other")
def batch(google):
    calendar, events = google.user.calendar(), google.user.events
    event = google.user.event(calendar, id=google.unique("batch"))
    gone = google.user.event(calendar)["id"]
    events.delete(calendarId=calendar, eventId=gone).execute()
    one = {"calendarId": calendar, "eventId": event["id"]}
    parts = [
        (200, events.get(**one)), (304, conditional(events.get(**one), if_none_match=event["etag"])),
        (404, events.get(calendarId=calendar, eventId="nothing")), (409, events.insert(calendarId=calendar, body=event)),
        (410, events.delete(calendarId=calendar, eventId=gone)),
        (412, conditional(events.patch(**one, body={"summary": "lost"}), if_match='"1"')), (200, events.delete(**one))]
    parts += [(200, events.insert(calendarId=calendar, body={**DAY, "summary": f"Nº {number}"})) for number in range(50)]
    outcomes = []
    whole = google.user.service.new_batch_http_request(callback=lambda *outcome: outcomes.append(outcome))
    for number, (_, request) in enumerate(parts):
        whole.add(request, request_id=str(number))
    whole.execute()
    equal([name for name, _, _ in outcomes], [str(number) for number in range(len(parts))], "order of responses")
    equal([error.resp.status if error else 200 for _, _, error in outcomes], [status for status, _ in parts], "statuses")
    equal((outcomes[0][1], outcomes[6][1]), (event, ""), "responses")
    equal([response["summary"] for _, response, _ in outcomes[7:]], [f"Nº {number}" for number in range(50)], "summaries")


# Processes


@contextlib.contextmanager
def receiving():
    """An HTTP server that keeps the fields of every message."""
    messages = queue.Queue()

    @Request.application
    def keep(request):
        messages.put({name.removeprefix("X-Goog-"): value for name, value in request.headers.items()})
        return Response()

    with LocalServer(keep) as server:
        yield server.url + "/", lambda: messages.get(timeout=TIMEOUT)


@row("push: a real receiver gets sync, and a message for a change")
def push(google):
    with receiving() as (url, message):
        calendar = google.user.calendar()
        body = {"id": google.unique("push"), "type": "web_hook", "address": url, "token": "secret=1"}
        channel = google.user.events.watch(calendarId=calendar, body=body).execute()
        common = {
            "Channel-Id": body["id"], "Channel-Token": "secret=1", "Resource-Id": channel["resourceId"],
            "Resource-Uri": channel["resourceUri"]}
        has(message(), **common, **{"Resource-State": "sync", "Message-Number": "1"})
        google.user.event(calendar)
        has(message(), **common, **{"Resource-State": "exists"})
        google.user.channels.stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()


def run_documented(number, replacements):
    """Runs a program of Documentation/Testing.md, with other URLs and paths."""
    program = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)[number]
    for text, replacement in replacements.items():
        check(text in program, f"it does not name {text}")
        program = program.replace(text, replacement)
    exec(compile(program, DOCUMENT, "exec"), {})


@row("the program in Documentation/Testing.md runs as it stands")
def documented(google):
    run_documented(0, {"http://127.0.0.1:8474": google.sandbox.url})


@row("the program for service accounts in Documentation/Testing.md runs as it stands")
def documented_service_accounts(google):
    seed, = re.findall(r"^cat > [^\n]*seed\.json[^\n]*\n(.*?)^END$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path, keys = pathlib.Path(folder, "seed.json"), f"{folder}/keys"
        path.write_text(seed)
        with sandbox_rows.running(google.almanac, "--seed", path, "--service-account-keys", keys) as sandbox:
            run_documented(1, {"http://127.0.0.1:8474": sandbox.url, '"keys"': f'"{keys}"'})
