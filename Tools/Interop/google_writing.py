# SPDX-License-Identifier: Apache-2.0
"""Writes: preconditions, clients at the same time, series and their exceptions."""

from concurrent.futures import ThreadPoolExecutor

import google_auth_httplib2
import httplib2
from googleapiclient.errors import HttpError

from google_calendar_methods import grant
from google_checks import conditional, equal, has, ids, refused, row, status_of
from google_client import when
from table import Failure, check


@row("304 for a resource that is as known, and 200 after a change")
def not_modified(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)
    reads = [
        (google.user.events.get, {"calendarId": calendar, "eventId": event["id"]}),
        (google.user.events.list, {"calendarId": calendar}), (google.user.calendars.get, {"calendarId": calendar}),
        (google.user.calendarList.get, {"calendarId": calendar}), (google.user.calendarList.list, {}),
        (google.user.acl.list, {"calendarId": calendar}), (google.user.settings.list, {})]
    for method, parameters in reads:
        etag = method(**parameters).execute()["etag"]
        try:
            conditional(method(**parameters), if_none_match=etag).execute()
        except HttpError as error:
            equal((error.resp.status, error.content), (304, b""), "response")
            equal(error.resp["etag"], etag, "etag of the response")
        else:
            raise Failure(f"{etag} is not known as it is")
    google.user.events.patch(calendarId=calendar, eventId=event["id"], body={"summary": "New"}).execute()
    for method, parameters in reads[:2]:
        status, _ = status_of(conditional(method(**parameters), if_none_match=event["etag"]))
        equal(status, 200, "status after a change")


@row("412 for every write over a change that was not seen, and nothing is written")
def lost_update(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)
    one = {"calendarId": calendar, "eventId": event["id"]}
    seen = google.user.events.patch(**one, body={"summary": "Theirs"}).execute()
    check(seen["etag"] != event["etag"], "the etag stayed")
    for write in [
        google.user.events.patch(**one, body={"summary": "Mine"}), google.user.events.update(**one, body=event),
        google.user.events.delete(**one)]:
        with refused(412, "conditionNotMet") as details:
            conditional(write, if_match=event["etag"]).execute()
        equal((details["locationType"], details["location"]), ("header", "If-Match"), "location")
    equal(google.user.events.get(**one).execute(), seen, "event")
    write = conditional(google.user.events.patch(**one, body={"summary": "Mine"}), if_match=seen["etag"])
    has(write.execute(), summary="Mine")
    for resource, parameters, body in [
        (google.user.calendars, {}, {"summary": "New"}), (google.user.calendarList, {}, {"selected": False}),
        (google.user.acl, {"ruleId": grant(google.user, calendar, "guest@example.com")["id"]}, {"role": "owner"})]:
        with refused(412, "conditionNotMet"):
            conditional(resource.patch(calendarId=calendar, **parameters, body=body), if_match='"1"').execute()


@row("an instance of a series is moved and another cancelled; the rest stays")
def exceptions(google):
    calendar, events = google.user.calendar(), google.user.events
    series = google.user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=4"])["id"]
    instances = events.instances(calendarId=calendar, eventId=series).execute()["items"]
    moved = events.patch(calendarId=calendar, eventId=instances[1]["id"], body={
        "summary": "Moved", "start": when("2026-03-20T08:00:00"), "end": when("2026-03-20T09:00:00")}).execute()
    has(moved, id=instances[1]["id"], recurringEventId=series, originalStartTime=instances[1]["originalStartTime"])
    cancelled = events.patch(calendarId=calendar, eventId=instances[2]["id"], body={"status": "cancelled"}).execute()
    has(cancelled, status="cancelled")
    span = {"timeMin": "2026-03-01T00:00:00Z", "timeMax": "2026-04-01T00:00:00Z"}
    found = events.list(calendarId=calendar, singleEvents=True, orderBy="startTime", **span).execute()["items"]
    equal([(item["id"], item["summary"]) for item in found], [
        (instances[0]["id"], "An event"), (instances[3]["id"], "An event"), (instances[1]["id"], "Moved")], "instances")
    items = events.instances(calendarId=calendar, eventId=series, showDeleted=True).execute()["items"]
    equal({item["id"]: item["status"] for item in items}, {
        item["id"]: "cancelled" if item == instances[2] else "confirmed" for item in instances}, "with cancelled ones")
    listed = events.list(calendarId=calendar, **span).execute()["items"]
    equal({item["id"] for item in listed}, {series, instances[1]["id"], instances[2]["id"]}, "without expansion")


@row("all-day series: instances by their dates, and one of them cancelled")
def all_day_series(google):
    calendar, events = google.user.calendar(), google.user.events
    series = google.user.event(calendar, "2026-03-27", "2026-03-29", recurrence=["RRULE:FREQ=WEEKLY;COUNT=3"])["id"]
    instances = events.instances(calendarId=calendar, eventId=series).execute()["items"]
    equal([(item["id"], item["end"]) for item in instances], [
        (f"{series}_20260327", {"date": "2026-03-29"}), (f"{series}_20260403", {"date": "2026-04-05"}),
        (f"{series}_20260410", {"date": "2026-04-12"})], "instances")
    events.delete(calendarId=calendar, eventId=f"{series}_20260403").execute()
    left = events.instances(calendarId=calendar, eventId=series).execute()["items"]
    equal(ids({"items": left}), [f"{series}_20260327", f"{series}_20260410"], "instances that are left")


@row("this and following: the series is cut as Google's calendar does it, and goes on as another")
def split_series(google):
    calendar, events = google.user.calendar(), google.user.events
    series = google.user.event(
        calendar, "2026-03-26T10:00:00", "2026-03-26T11:00:00", recurrence=["RRULE:FREQ=DAILY;COUNT=6"])["id"]
    token = events.list(calendarId=calendar, singleEvents=True).execute()["nextSyncToken"]
    # Until the end of the day before, in UTC.
    events.patch(calendarId=calendar, eventId=series, body={
        "recurrence": ["RRULE:FREQ=DAILY;UNTIL=20260328T225959Z"]}).execute()
    rest = google.user.event(
        calendar, "2026-03-29T12:00:00", "2026-03-29T13:00:00", recurrence=["RRULE:FREQ=DAILY;COUNT=3"])["id"]
    found = events.list(calendarId=calendar, singleEvents=True, orderBy="startTime", timeMax="2026-05-01T00:00:00Z")
    expected = [f"{series}_202603{day}T090000Z" for day in (26, 27, 28)]
    expected += [f"{rest}_202603{day}T100000Z" for day in (29, 30, 31)]
    equal(ids(found.execute()), expected, "instances")
    changes = events.list(calendarId=calendar, singleEvents=True, syncToken=token).execute()["items"]
    equal({item["id"] for item in changes if item["status"] == "cancelled"}, {
        f"{series}_202603{day}T080000Z" for day in (29, 30, 31)}, "instances that are gone")


def at_the_same_time(account, function, count):
    """Calls a function in threads, each with a connection of its own: the client's are not for several threads."""

    def call(number):
        return function(number, google_auth_httplib2.AuthorizedHttp(account.credentials, http=httplib2.Http()))

    with ThreadPoolExecutor(8) as executor:
        return list(executor.map(call, range(count)))


@row("8 clients at the same time: every insert is there, and of those with one identifier one succeeds")
def concurrent_inserts(google):
    calendar, events = google.user.calendar(), google.user.events
    name = google.unique("race0")
    body = {"start": when("2026-03-10"), "end": when("2026-03-11")}

    def insert(number, http):
        try:
            own = {"id": name} if number % 2 else {}
            return events.insert(calendarId=calendar, body=body | own).execute(http=http)["id"]
        except HttpError as error:
            equal((error.resp.status, error.error_details[0]["reason"]), (409, "duplicate"), "error")

    inserted = at_the_same_time(google.user, insert, 48)
    equal(inserted.count(name), 1, "inserts with the same identifier that succeeded")
    inserted = [name for name in inserted if name]
    equal(len(inserted), 25, "inserts that succeeded")
    equal(sorted(ids(events.list(calendarId=calendar).execute())), sorted(inserted), "events")


@row("8 clients count up one event under If-Match: no update is lost")
def concurrent_updates(google):
    calendar, events = google.user.calendar(), google.user.events
    one = {"calendarId": calendar, "eventId": google.user.event(calendar, summary="0")["id"]}

    def count_up(_, http):
        while True:
            event = events.get(**one).execute(http=http)
            patch = events.patch(**one, body={"summary": str(int(event["summary"]) + 1)})
            try:
                conditional(patch, if_match=event["etag"]).execute(http=http)
                return
            except HttpError as error:
                equal((error.resp.status, error.error_details[0]["reason"]), (412, "conditionNotMet"), "error")

    at_the_same_time(google.user, count_up, 24)
    has(events.get(**one).execute(), summary="24")
