# SPDX-License-Identifier: Apache-2.0
"""Writes: preconditions, exceptions of series, conferences, types and limits."""

import functools

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


@row("conferences are created on request, and pending at first")
def conference(google):
    calendar = google.user.calendar()
    data = {"createRequest": {"requestId": "1", "conferenceSolutionKey": {"type": "hangoutsMeet"}}}
    without = google.user.event(calendar, conferenceData=data)
    check("conferenceData" not in without, "a conference without conferenceDataVersion=1")
    event = google.user.event(calendar, conferenceData=data, parameters={"conferenceDataVersion": 1})
    equal(event["conferenceData"]["createRequest"]["status"], {"statusCode": "pending"}, "status")
    event = google.user.events.get(calendarId=calendar, eventId=event["id"]).execute()
    equal(event["conferenceData"]["createRequest"]["status"], {"statusCode": "success"}, "status")
    point = event["conferenceData"]["entryPoints"][0]
    has(point, entryPointType="video", uri=event["hangoutLink"])


@row("types of events: working location, out of office and focus time, each by its rules")
def event_types(google):
    day = functools.partial(google.other.event, "primary", "2026-03-10", "2026-03-11")
    office = day(
        eventType="workingLocation", visibility="public", transparency="transparent",
        workingLocationProperties={"type": "homeOffice", "homeOffice": {}})
    has(office, eventType="workingLocation", workingLocationProperties={"type": "homeOffice", "homeOffice": {}})
    focus = google.other.event(
        "primary", eventType="focusTime",
        focusTimeProperties={"autoDeclineMode": "declineNone", "chatStatus": "available"})
    has(focus, eventType="focusTime", transparency="opaque")
    listed = google.other.events.list(calendarId="primary", eventTypes=["workingLocation", "outOfOffice"]).execute()
    equal(ids(listed), [office["id"]], "events of these types")
    for attempt in [
        lambda: day(eventType="outOfOffice"), lambda: day(eventType="fromGmail"),
        lambda: google.other.event(google.other.calendar(), eventType="focusTime")]:
        with refused(400, "eventTypeRestriction"):
            attempt()


@row("limits: reminders, attachments, and properties that are cut silently")
def limits(google):
    calendar = google.user.calendar()
    long = {"k" * 45: "dropped", "k" * 44: "v" * 1025}
    event = google.user.event(calendar, extendedProperties={"private": long})
    equal(event["extendedProperties"], {"private": {"k" * 44: "v" * 1024}}, "properties")
    reminder = {"method": "popup", "minutes": 10}
    attachment = {"fileUrl": "https://files.example/1", "title": "1"}
    for fields in [
        {"reminders": {"useDefault": False, "overrides": [reminder] * 6}},
        {"reminders": {"useDefault": False, "overrides": [reminder | {"minutes": 40321}]}},
        {"reminders": {"useDefault": True, "overrides": [reminder]}},
        {"attachments": [attachment] * 26, "parameters": {"supportsAttachments": True}}]:
        with refused(400, "invalid"):
            google.user.event(calendar, **fields)
    event = google.user.event(calendar, attachments=[attachment])
    check("attachments" not in event, "attachments without the parameter")
    event = google.user.event(calendar, attachments=[attachment], parameters={"supportsAttachments": True})
    has(event["attachments"][0], **attachment)
