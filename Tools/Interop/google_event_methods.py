# SPDX-License-Identifier: Apache-2.0
"""What Google's client has to see of every method of events."""

import base64
import datetime
import zoneinfo

from google_calendar_methods import watch
from google_checks import equal, has, ids, method, refused, status_of
from google_client import ZONE, when
from table import check


def starts(items):
    return [item["start"].get("dateTime", item["start"].get("date")) for item in items]


def etag_of(updated):
    """Google's entity tag of an event: twice the time of the last change in microseconds."""
    time = datetime.datetime.fromisoformat(updated)
    return f'"{int(time.timestamp()) * 2_000_000 + time.microsecond * 2}"'


@method("events.insert", "with defaults; an identifier of the client's is taken once")
def events_insert(google):
    calendar = google.user.calendar()
    name = google.unique("item0")
    event = google.user.event(
        calendar, summary="Fête 🎉", id=name, colorId="11", attendees=[{"email": "Guest@Example.com"}])
    has(event, kind="calendar#event", id=name, summary="Fête 🎉", status="confirmed", sequence=0, eventType="default",
        colorId="11", reminders={"useDefault": True}, created=event["updated"], etag=etag_of(event["updated"]))
    has(event["start"], dateTime="2026-03-10T10:00:00+01:00", timeZone=ZONE)
    has(event["creator"], email="person@example.com")
    has(event["organizer"], email=calendar, self=True)
    equal(event["attendees"], [{"email": "guest@example.com", "responseStatus": "needsAction"}], "attendees")
    check(event["iCalUID"].startswith(name + "@") and event["htmlLink"].startswith("https://"), "iCalUID or htmlLink")
    with refused(409, "duplicate"):
        google.user.event(calendar, id=name)
    with refused(400, "invalid"):
        google.user.event(calendar, id="Not Base32hex")
    with refused(400, "timeRangeEmpty"):
        google.user.event(calendar, "2026-03-10T10:00:00", "2026-03-10T09:00:00")
    with refused(400, "required"):
        google.user.events.insert(calendarId=calendar, body={"summary": "at no time"}).execute()


@method("events.get", "what was inserted, an instance, another time zone; cancelled if deleted")
def events_get(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=3"])
    equal(google.user.events.get(calendarId=calendar, eventId=event["id"]).execute(), event, "event")
    shown = google.user.events.get(calendarId=calendar, eventId=event["id"], timeZone="Asia/Tokyo").execute()
    equal(shown["start"], {"dateTime": "2026-03-10T18:00:00+09:00", "timeZone": ZONE}, "start in Tokyo")
    instance = event["id"] + "_20260311T090000Z"
    found = google.user.events.get(calendarId=calendar, eventId=instance).execute()
    has(found, id=instance, recurringEventId=event["id"], recurrence=None, iCalUID=event["iCalUID"])
    has(found["originalStartTime"], dateTime="2026-03-11T10:00:00+01:00")
    for missing in [event["id"] + "_20260314T090000Z", "nothing"]:
        with refused(404, "notFound"):
            google.user.events.get(calendarId=calendar, eventId=missing).execute()
    google.user.events.delete(calendarId=calendar, eventId=event["id"]).execute()
    has(google.user.events.get(calendarId=calendar, eventId=event["id"]).execute(), status="cancelled")


@method("events.list", "by time, text, property, type and identifier; in order")
def events_list(google):
    calendar = google.user.calendar()

    def listed(**parameters):
        return google.user.events.list(calendarId=calendar, **parameters).execute()

    late = google.user.event(calendar, "2026-03-12", "2026-03-13", summary="Late and alone")
    early = google.user.event(
        calendar, summary="Early", extendedProperties={"private": {"row": "1"}, "shared": {"row": "2"}})
    daily = ["RRULE:FREQ=DAILY"]
    series = google.user.event(calendar, "2026-03-11T10:00:00", "2026-03-11T11:00:00", recurrence=daily)
    page = listed()
    has(page, kind="calendar#events", summary="Rows", timeZone=ZONE, accessRole="owner")
    check(page["etag"] and page["updated"] and page["nextSyncToken"], "fields of the page")
    equal(page["defaultReminders"], [{"method": "popup", "minutes": 10}], "reminders")
    equal(set(ids(page)), {late["id"], early["id"], series["id"]}, "events")
    # Neither bound is within: an event that ends at timeMin or starts at timeMax is not listed.
    bounds = {"timeMin": "2026-03-10T11:00:00+01:00", "timeMax": "2026-03-12T10:00:00+01:00"}
    equal(set(ids(listed(**bounds))), {late["id"], series["id"]}, "events within bounds")
    instances = listed(**bounds, singleEvents=True, orderBy="startTime")
    equal(ids(instances), [series["id"] + "_20260311T090000Z", late["id"]], "instances in order")
    equal(ids(listed(q="EARLY")), [early["id"]], "by text")
    properties = {"privateExtendedProperty": "row=1", "sharedExtendedProperty": ["row=2"]}
    equal(ids(listed(**properties)), [early["id"]], "by properties")
    equal(ids(listed(privateExtendedProperty=["row=1", "row=2"])), [], "by properties of which one is other")
    equal(ids(listed(iCalUID=late["iCalUID"])), [late["id"]], "by iCalUID")
    equal(ids(listed(eventTypes=["focusTime", "outOfOffice"])), [], "by types")
    google.user.events.patch(calendarId=calendar, eventId=late["id"], body={"summary": "Last"}).execute()
    equal(ids(listed(orderBy="updated"))[-1], late["id"], "the last by change")
    with refused(400, "badRequest") as details:
        listed(orderBy="startTime")
    equal(details["location"], "orderBy", "location of the error")


@method("events.instances", "by local time across a change of clocks; bounds, and one by its start")
def events_instances(google):
    calendar = google.user.calendar()
    event = google.user.event(
        calendar, "2026-03-28T10:00:00", "2026-03-28T11:00:00",
        recurrence=["RRULE:FREQ=DAILY;COUNT=4", f"EXDATE;TZID={ZONE}:20260330T100000"])

    def instances(**parameters):
        return google.user.events.instances(calendarId=calendar, eventId=event["id"], **parameters).execute()["items"]

    expected = ["2026-03-28T10:00:00+01:00", "2026-03-29T10:00:00+02:00", "2026-03-31T10:00:00+02:00"]
    equal(starts(instances()), expected, "starts")
    # Here the lower bound is within, other than for events.list.
    equal(starts(instances(timeMin="2026-03-29T11:00:00+02:00")), expected[1:], "starts from a time")
    equal(starts(instances(timeMax="2026-03-29T10:00:00+02:00")), expected[:1], "starts before a time")
    equal(starts(instances(originalStart="2026-03-29T08:00:00Z")), expected[1:2], "the one of a start")
    single = google.user.event(calendar)
    with refused(400, "invalid"):
        google.user.events.instances(calendarId=calendar, eventId=single["id"]).execute()


@method("events.import", "an identifier from iCalUID; imported again, it is updated")
def events_import(google):
    calendar = google.user.calendar()
    uid = google.unique("import") + "@elsewhere.example"
    body = {
        "iCalUID": uid, "summary": "Imported", "start": when("2026-03-10"), "end": when("2026-03-11"),
        "organizer": {"email": "organizer@elsewhere.example"}}
    event = google.user.events.import_(calendarId=calendar, body=body).execute()
    encoded = base64.b32hexencode(uid.encode()).decode().lower().rstrip("=")
    has(event, id=f"_{encoded}", iCalUID=uid, summary="Imported", start={"date": "2026-03-10"})
    has(event["organizer"], email="organizer@elsewhere.example")
    again = google.user.events.import_(calendarId=calendar, body=body | {"summary": "Again"}).execute()
    has(again, id=event["id"], summary="Again")
    equal(ids(google.user.events.list(calendarId=calendar, iCalUID=uid).execute()), [event["id"]], "events")
    with refused(400, "required"):
        google.user.events.import_(calendarId=calendar, body={name: body[name] for name in ("start", "end")}).execute()


@method("events.patch", "objects merge, arrays are replaced, null clears; from all-day to timed")
def events_patch(google):
    calendar = google.user.calendar()
    event = google.user.event(
        calendar, "2026-03-10", "2026-03-11", location="Madrid", description="To be cleared",
        attendees=[{"email": "a@example.com"}, {"email": "b@example.com"}],
        extendedProperties={"private": {"kept": "1", "cleared": "2"}})

    def patched(body):
        return google.user.events.patch(calendarId=calendar, eventId=event["id"], body=body).execute()

    after = patched({
        "description": None, "attendees": [{"email": "b@example.com"}],
        "extendedProperties": {"private": {"cleared": None, "added": "3"}}})
    has(after, summary="An event", location="Madrid", description=None, sequence=0, etag=etag_of(after["updated"]),
        extendedProperties={"private": {"kept": "1", "added": "3"}})
    equal([attendee["email"] for attendee in after["attendees"]], ["b@example.com"], "attendees")
    check(after["updated"] > event["updated"] and after["created"] == event["created"], "times of the change")
    timed = {"start": when("2026-03-10T10:00:00"), "end": when("2026-03-10T11:00:00")}
    with refused(400, "invalid"):
        patched(timed)
    moved = patched({name: time | {"date": None} for name, time in timed.items()})
    equal(moved["start"], {"dateTime": "2026-03-10T10:00:00+01:00", "timeZone": ZONE}, "start")
    equal(moved["sequence"], 1, "sequence of the event that was moved")
    reminders = patched({"reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 5}]}})
    equal(reminders["updated"], moved["updated"], "time of the change, which reminders do not move")
    check(reminders["etag"] != moved["etag"], "the etag stayed")


@method("events.update", "what is left out is cleared; an older sequence is refused")
def events_update(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar, description="To be cleared", location="Madrid")
    event["start"], event["end"] = when("2026-03-11T10:00:00"), when("2026-03-11T12:00:00")
    del event["description"]
    after = google.user.events.update(calendarId=calendar, eventId=event["id"], body=event).execute()
    has(after, summary="An event", location="Madrid", description=None, sequence=1, iCalUID=event["iCalUID"])
    check(after["etag"] != event["etag"], "the etag stayed")
    with refused(400, "invalid") as details:
        google.user.events.update(calendarId=calendar, eventId=event["id"], body=after | {"sequence": 0}).execute()
    check(details["message"].startswith("Invalid sequence value."), details["message"])


@method("events.delete", "204; then 410, and cancelled among deleted ones")
def events_delete(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar)["id"]
    equal(status_of(google.user.events.delete(calendarId=calendar, eventId=event)), (204, ""), "response")
    with refused(410, "deleted"):
        google.user.events.delete(calendarId=calendar, eventId=event).execute()
    equal(google.user.events.list(calendarId=calendar).execute()["items"], [], "events")
    items = google.user.events.list(calendarId=calendar, showDeleted=True).execute()["items"]
    equal([(item["id"], item["status"]) for item in items], [(event, "cancelled")], "deleted events")
    with refused(404, "notFound"):
        google.user.events.delete(calendarId=calendar, eventId="nothing").execute()


@method("events.move", "the same identifier in the other calendar, whose it is then")
def events_move(google):
    calendar, destination = google.user.calendar(), google.user.calendar()
    event = google.user.event(calendar)
    move = {"calendarId": calendar, "eventId": event["id"]}
    moved = google.user.events.move(destination=destination, **move).execute()
    has(moved, id=event["id"], iCalUID=event["iCalUID"], summary="An event")
    has(moved["organizer"], email=destination, self=True)
    equal(google.user.events.get(calendarId=destination, eventId=event["id"]).execute(), moved, "event there")
    has(google.user.events.get(**move).execute(), status="cancelled")
    with refused(404, "notFound"):
        google.user.events.move(calendarId=destination, eventId=event["id"], destination="nobody@example.com").execute()


@method("events.quickAdd", "a text with day, time and place")
def events_quick_add(google):
    calendar = google.user.calendar()
    text = "Lunch & talk with Ana tomorrow 12:30-14:00 at Café Ñ+1"
    event = google.user.events.quickAdd(calendarId=calendar, text=text).execute()
    has(event, summary="Lunch & talk with Ana", location="Café Ñ+1", eventType="default")
    zone = zoneinfo.ZoneInfo(ZONE)
    start, end = (datetime.datetime.fromisoformat(event[name]["dateTime"]) for name in ("start", "end"))
    equal((start.time(), end.time()), (datetime.time(12, 30), datetime.time(14)), "times")
    created = datetime.datetime.fromisoformat(event["created"]).astimezone(zone)
    equal(start.date() - created.date(), datetime.timedelta(days=1), "days from now")


@method("events.watch", "a channel")
def events_watch(google):
    calendar = google.user.calendar()
    watch(google, lambda body: google.user.events.watch(calendarId=calendar, body=body), "/events")
