# SPDX-License-Identifier: Apache-2.0
"""Rules of Google for what is in an event: types, conferences, labels, attendees, limits."""

import functools

from google_checks import equal, has, ids, refused, row
from google_client import when
from table import check


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
    has(focus, eventType="focusTime", transparency=None)
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
    calendars = [{"id": f"{number}@example.com"} for number in range(51)]
    body = {"timeMin": "2026-03-10T00:00:00Z", "timeMax": "2026-03-11T00:00:00Z", "items": calendars}
    found = google.user.freebusy.query(body=body).execute()["calendars"]
    reasons = [found[item["id"]]["errors"][0]["reason"] for item in calendars]
    equal(reasons, ["notFound"] * 50 + ["tooManyCalendarsRequested"], "reasons for 51 calendars")


@row("a birthday: one day, private, every year")
def birthday(google):
    day = functools.partial(
        google.other.event, "primary", "2026-02-28", "2026-03-01", "Ana", eventType="birthday",
        transparency="transparent", visibility="private")
    event = day(recurrence=["RRULE:FREQ=YEARLY"])
    has(event, eventType="birthday", birthdayProperties={"type": "birthday"}, recurrence=["RRULE:FREQ=YEARLY"])
    for recurrence in [[], ["RRULE:FREQ=DAILY"]]:
        with refused(400, "eventTypeRestriction"):
            day(recurrence=recurrence)
    move = google.other.events.move(
        calendarId="primary", eventId=event["id"], destination=google.other.calendar())
    with refused(400, "invalid"):
        move.execute()


@row("labels of a calendar take the place of an event's colour with eventLabelVersion=1")
def labels(google):
    calendar = google.user.calendar()
    names = [{"id": "focus", "name": "Focus", "backgroundColor": "#0088aa"}]
    body = {"labelProperties": {"eventLabels": names}}
    has(google.user.calendars.patch(calendarId=calendar, body=body).execute(), **body)
    fields = {"eventLabelId": "focus", "colorId": "5"}
    has(google.user.event(calendar, **fields, parameters={"eventLabelVersion": 1}), eventLabelId="focus", colorId=None)
    has(google.user.event(calendar, **fields), eventLabelId=None, colorId="5")
    body = {"labelProperties": {"eventLabels": [{"name": str(number)} for number in range(201)]}}
    with refused(400, "invalid"):
        google.user.calendars.patch(calendarId=calendar, body=body).execute()


@row("attendees: how many are shown, who sees the others, who is invited twice")
def attendees(google):
    guests = [{"email": google.other.email}, {"email": "B@example.com"}, {"email": "b@example.com"}]
    event = google.user.event("primary", attendees=guests, guestsCanSeeOtherGuests=False)
    equal([guest["email"] for guest in event["attendees"]], [google.other.email, "b@example.com"], "attendees")
    one = {"calendarId": "primary", "eventId": event["id"]}
    own = [{"email": google.other.email, "responseStatus": "needsAction", "self": True}]
    has(google.other.events.get(**one).execute(), attendees=own, attendeesOmitted=True)
    has(google.user.events.get(**one, maxAttendees=1).execute(), attendees=None, attendeesOmitted=True)
    has(google.user.events.get(**one, maxAttendees=2).execute(), attendees=event["attendees"], attendeesOmitted=None)
    with refused(400, "invalid"):
        google.user.event("primary", attendees=[{"email": "nobody"}])
    google.user.events.delete(**one, sendUpdates="none").execute()


@row("what is malformed: an enumeration, a type, a number, a zone, a channel")
def malformed(google):
    calendar, events = google.user.calendar(), google.user.events
    times = {"start": when("2026-03-10"), "end": when("2026-03-11")}
    for body, reason in [
        (times | {"transparency": "murky"}, "invalid"), (times | {"attendees": {}}, "parseError"),
        (times | {"colorId": "12"}, "invalid"), (times | {"recurrence": ["RRULE:FREQ=SOMETIMES"]}, "invalid"),
        ({"start": when("2026-03-10"), "end": when("2026-03-11T10:00:00")}, "invalid"),
        ({"start": {"dateTime": "2026-03-10T10:00:00"}, "end": {"dateTime": "2026-03-10T11:00:00"}}, "required"),
        ({name: {"dateTime": "2026-03-10T10:00:00", "timeZone": "Mars"} for name in times}, "invalid")]:
        with refused(400, reason):
            events.insert(calendarId=calendar, body=body).execute()
    equal(events.list(calendarId=calendar).execute()["items"], [], "events")
    with refused(400, "invalid"):
        events.list(calendarId=calendar, timeZone="Mars").execute()
    channel = {"id": "1", "type": "web_hook", "address": "https://receiver.example/"}
    for change, reason in [
        ({"id": "1" * 65}, "invalid"), ({"token": "1" * 257}, "invalid"), ({"type": "pigeon"}, "invalid"),
        ({"address": "http://receiver.example/"}, "push.webhookUrlNotHttps"), ({"id": ""}, "required")]:
        with refused(400, reason):
            events.watch(calendarId=calendar, body=channel | change).execute()
