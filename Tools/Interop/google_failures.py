# SPDX-License-Identifier: Apache-2.0
"""Failures on request, by the paths for programs that control the sandbox."""

import pathlib
import re
import tempfile

import requests

import sandbox_rows

from google_batch import TIMEOUT, run_batch
from google_checks import equal, has, refused, row, status_of
from google_client import when
from table import check


def control(google, name, **members):
    response = requests.post(f"{google.sandbox.url}/sandbox/{name}", json=members, timeout=TIMEOUT)
    response.raise_for_status()
    return response.json() if response.content else None


def fail(google, status, reason, **members):
    """Makes the next call of a method fail."""
    control(google, "fault", status=status, reason=reason, **members)


@row("every reason of an error in the facts, on request")
def reasons(google):
    calendar = google.user.calendar()
    for status, reason in [
        (403, "userRateLimitExceeded"), (403, "rateLimitExceeded"), (429, "rateLimitExceeded"), (403, "quotaExceeded"),
        (403, "forbiddenForNonOrganizer"), (403, "requiredAccessLevel"), (403, "insufficientPermissions"),
        (404, "notFound"), (409, "duplicate"), (409, "conflict"), (410, "fullSyncRequired"), (410, "deleted"),
        (410, "updatedMinTooLongAgo"), (412, "conditionNotMet"), (500, "backendError"), (503, "backendError")]:
        fail(google, status, reason, method="events.list")
        with refused(status, reason):
            google.user.events.list(calendarId=calendar).execute()
        equal(google.user.events.list(calendarId=calendar).execute()["items"], [], "events after the failure")


@row("num_retries: the client carries a call through 429, 403 rateLimitExceeded and 503")
def retries(google):
    calendar = google.user.calendar()
    for status, reason in [(429, "rateLimitExceeded"), (403, "rateLimitExceeded"), (503, "backendError")]:
        fail(google, status, reason, method="events.insert")
        body = {"start": when("2026-03-10"), "end": when("2026-03-11")}
        request = google.user.events.insert(calendarId=calendar, body=body)
        # The client waits for a random part of two seconds.
        request._rand = lambda: 0.01
        check(request.execute(num_retries=1)["id"], "no event")
    equal(len(google.user.events.list(calendarId=calendar).execute()["items"]), 3, "events")


@row("a lost response: the event is there, and 409 duplicate tells so")
def lost_response(google):
    calendar = google.user.calendar()
    fail(google, 503, "backendError", method="events.insert", carried_out=True)
    name = google.unique("lost0")
    with refused(503, "backendError"):
        google.user.event(calendar, id=name)
    with refused(409, "duplicate"):
        google.user.event(calendar, id=name)
    has(google.user.events.get(calendarId=calendar, eventId=name).execute(), status="confirmed")


@row("one call of a batch fails, the others do not")
def in_a_batch(google):
    calendar = google.user.calendar()
    fail(google, 403, "userRateLimitExceeded", method="events.quickAdd", every=3)
    outcomes = run_batch(google.user, [
        google.user.events.quickAdd(calendarId=calendar, text=f"Lunch {number}") for number in range(5)])
    reasons = [None if isinstance(outcome, dict) else outcome.error_details[0]["reason"] for outcome in outcomes]
    equal(reasons, [None, None, "userRateLimitExceeded", None, None], "reasons")


@row("a forced 410: fullSyncRequired, and a full synchronization has everything")
def forced_full_sync(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)["id"]
    token = google.user.events.list(calendarId=calendar).execute()["nextSyncToken"]
    control(google, "expire-sync-tokens")
    with refused(410, "fullSyncRequired") as details:
        google.user.events.list(calendarId=calendar, syncToken=token).execute()
    equal((details["locationType"], details["location"]), ("parameter", "syncToken"), "location")
    page = google.user.events.list(calendarId=calendar).execute()
    equal([item["id"] for item in page["items"]], [event], "events")
    changes = google.user.events.list(calendarId=calendar, syncToken=page["nextSyncToken"]).execute()
    equal(changes["items"], [], "changes")


@row("access tokens that are made invalid at once: the client refreshes")
def invalidated(google):
    before = google.user.credentials.token
    control(google, "invalidate-access-tokens")
    status, _ = status_of(google.user.colors.get())
    equal(status, 200, "status")
    check(google.user.credentials.token != before, "the token was not refreshed")


@row("a token by /sandbox/token, for a user and a scope")
def minted(google):
    scope = "https://www.googleapis.com/auth/calendar.readonly"
    token = control(google, "token", user=google.other.email, scope=scope)
    headers = {"Authorization": f"Bearer {token['access_token']}"}
    url = f"{google.sandbox.url}/calendar/v3/calendars/primary"
    response = requests.get(url, headers=headers, timeout=TIMEOUT)
    equal((response.status_code, response.json()["id"]), (200, google.other.email), "calendar")
    response = requests.patch(url, json={"summary": "New"}, headers=headers, timeout=TIMEOUT)
    equal(response.status_code, 403, "status of a write")
    response = requests.post(f"{google.sandbox.url}/sandbox/token", data={"user": google.other.email}, timeout=TIMEOUT)
    equal(response.status_code, 400, "status for a form, which a page of another origin could send")


DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "Documentation" / "Testing.md"


def run_documented(number, replacements):
    """Runs a program of the document, with other URLs and paths."""
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
