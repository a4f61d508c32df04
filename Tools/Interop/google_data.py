# SPDX-License-Identifier: Apache-2.0
"""What the sandbox begins with, and what it keeps when its process is killed."""

import contextlib
import copy
import functools
import tempfile
import threading

import google_seed
from google_calendar_methods import grant
from google_checks import equal, has, ids, listed, row, status_of
from google_client import CALENDAR, Account, when
from python_clients import GoogleAuth
from table import check


@row("begins with the users, calendars, rules and events of a seed")
def seeded(google):
    calendar, = (name for name, entry in listed(google.other).items() if entry["summary"] == "Equipo")
    has(google.other.calendars.get(calendarId=calendar).execute(), dataOwner=google.other.email)
    found = google.user.events.list(
        calendarId=calendar, singleEvents=True, orderBy="startTime", timeMin="2026-03-01T00:00:00Z").execute()
    has(found, summary="Equipo", accessRole="reader", timeZone="America/New_York")
    equal([(item["summary"], item["start"].get("dateTime", item["start"].get("date"))) for item in found["items"]], [
        ("Stand-up", "2026-03-02T09:30:00-05:00"), ("Stand-up", "2026-03-04T09:30:00-05:00"),
        # New York's clocks change on 8 March.
        ("Stand-up", "2026-03-09T09:30:00-04:00"), ("Messe", "2026-03-10"),
        ("Stand-up", "2026-03-11T09:30:00-04:00")], "events")
    check(calendar not in listed(google.user), "a calendar of others is on the list")


@row("a client of the seed signs in with its own redirect URI")
def seeded_client(google):
    sandbox = copy.copy(google.sandbox)
    installed = sandbox.client_config["installed"]
    own = {"client_id": google_seed.CLIENT["id"], "client_secret": google_seed.CLIENT["secret"]}
    sandbox.client_config = {"web": installed | own}
    client = GoogleAuth(sandbox, [CALENDAR])
    redirect_uri, = google_seed.CLIENT["redirectURIs"]
    callback = client.authorize(redirect_uri, user=google.other.email)
    check(callback.startswith(redirect_uri + "?"), "another redirect URI")
    client.redeem(callback)
    client.refresh()
    response = client.get(google.sandbox.url + "/calendar/v3/calendars/primary")
    equal((response.status_code, response.json()["id"]), (200, google.other.email), "calendar")


@contextlib.contextmanager
def killed(google, folder, interrupt=lambda account: None):
    """Runs a sandbox of its own until the end of the block, and then kills it."""
    with google_seed.running(google.almanac, folder) as sandbox:
        yield Account(sandbox, google_seed.USERS[0])
        sandbox.process.kill()
        sandbox.process.wait()


@row("killed and started on the same folder: calendars, rules, events and sync tokens are as they were")
def restart(google):
    with tempfile.TemporaryDirectory(prefix="almanac-data.") as folder:
        with killed(google, folder) as user:
            calendar = user.calendar(description="Kept")
            user.calendarList.patch(calendarId=calendar, body={"summaryOverride": "Mine", "colorId": "5"}).execute()
            grant(user, calendar, google_seed.USERS[1], "writer")
            series = user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=4"])["id"]
            user.events.delete(calendarId=calendar, eventId=f"{series}_20260311T090000Z").execute()
            deleted = user.event(calendar)["id"]
            token = user.events.list(calendarId=calendar).execute()["nextSyncToken"]
            user.events.delete(calendarId=calendar, eventId=deleted).execute()
            expected = _state(user, calendar)
        with killed(google, folder) as user:
            found = _state(user, calendar)
            for name in expected:
                equal(found[name], expected[name], name)
            changes = user.events.list(calendarId=calendar, syncToken=token).execute()
            equal([(item["id"], item["status"]) for item in changes["items"]], [(deleted, "cancelled")], "changes")
            event = user.event(calendar)
            user.events.patch(calendarId=calendar, eventId=event["id"], body={"summary": "Changed"}).execute()
        with killed(google, folder) as user:
            has(user.events.get(calendarId=calendar, eventId=event["id"]).execute(), summary="Changed")
            following = user.events.list(calendarId=calendar, syncToken=changes["nextSyncToken"]).execute()
            equal(ids(following), [event["id"]], "changes since the first restart")


def _state(user, calendar):
    """All that the API tells of a calendar."""
    events = functools.partial(user.events.list, calendarId=calendar, showDeleted=True)
    return {
        "calendar": user.calendars.get(calendarId=calendar).execute(),
        "entry": user.calendarList.get(calendarId=calendar).execute(),
        "rules": user.acl.list(calendarId=calendar).execute()["items"],
        "events": events().execute()["items"],
        "instances": events(singleEvents=True, timeMax="2026-04-01T00:00:00Z").execute()["items"],
    }


@row("killed amid inserts: every event whose response has arrived is there, once")
def killed_amid_inserts(google):
    with tempfile.TemporaryDirectory(prefix="almanac-data.") as folder:
        with google_seed.running(google.almanac, folder) as sandbox:
            user = Account(sandbox, google_seed.USERS[0])
            calendar = user.calendar()
            inserted = []
            timer = threading.Timer(0.5, sandbox.process.kill)
            timer.start()
            body = {"start": when("2026-03-10"), "end": when("2026-03-11")}
            with contextlib.suppress(OSError, ValueError):
                while True:
                    status, event = status_of(user.events.insert(calendarId=calendar, body=body))
                    equal(status, 200, "status")
                    inserted.append(event["id"])
            timer.join()
            check(len(inserted) > 10, f"only {len(inserted)} events were inserted before")
        with killed(google, folder) as user:
            found = ids(user.events.list(calendarId=calendar, maxResults=2500).execute())
            check(len(set(found)) == len(found), "an event is there twice")
            missing = set(inserted) - set(found)
            check(not missing and len(found) <= len(inserted) + 1, f"{len(missing)} of {len(inserted)} are missing")
