# SPDX-License-Identifier: Apache-2.0
"""A call of every method by Google's client. The client and `google_schemas` judge each response; the table adds what it has to contain.

The transcripts of AlmanacSandboxTests have the details of each method.
"""

import functools

from google_client import OTHER, USER, ZONE, equal, has, when
from table import Failure, check


class Scene:
    """A calendar with an event of a row's own, and what else the row needs."""

    def __init__(self, google):
        self.google = google
        self.user = google.user
        self.calendar = google.user.calendar()
        self.here = {"calendarId": self.calendar}

    @functools.cached_property
    def event(self):
        return self.user.event(self.calendar)

    @property
    def one(self):
        return {**self.here, "eventId": self.event["id"]}

    @functools.cached_property
    def series(self):
        return self.user.event(self.calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=3"])

    @functools.cached_property
    def rule(self):
        rule = self.user.acl.insert(**self.here, body={"role": "reader", "scope": {"type": "user", "value": OTHER}}).execute()
        return {**self.here, "ruleId": rule["id"]}

    @functools.cached_property
    def channel(self):
        """The body that opens a channel."""
        return {
            "id": self.google.unique("channel"), "type": "web_hook", "address": "https://receiver.example/",
            "token": "a token", "params": {"ttl": "600"}}

    @functools.cached_property
    def opened(self):
        channel = self.user.events.watch(**self.here, body=self.channel).execute()
        return {"id": channel["id"], "resourceId": channel["resourceId"]}

    @property
    def times(self):
        return {"start": when("2026-03-10"), "end": when("2026-03-11")}


WRITER = {"role": "writerWithoutPrivateAccess", "scope": {"type": "user", "value": OTHER}}
CHANNEL = {"kind": "api#channel", "token": "a token"}
DAY = {"timeMin": "2026-03-10T00:00:00+01:00", "timeMax": "2026-03-11T00:00:00+01:00"}
OWN = {"id": USER}
UID = "meeting@elsewhere.example"

#: The request of each method, and fields of the response; None for 204 without a body.
METHODS = {
    "acl.delete": (lambda s: s.user.acl.delete(**s.rule), None),
    "acl.get": (lambda s: s.user.acl.get(**s.rule), {"id": f"user:{OTHER}", "role": "reader"}),
    "acl.insert": (lambda s: s.user.acl.insert(**s.here, body=WRITER, sendNotifications=False), WRITER),
    "acl.list": (lambda s: s.user.acl.list(**s.here, showDeleted=True), {"kind": "calendar#acl"}),
    "acl.patch": (lambda s: s.user.acl.patch(**s.rule, body={"role": "writer"}), {"role": "writer"}),
    "acl.update": (lambda s: s.user.acl.update(**s.rule, body=WRITER), WRITER),
    "acl.watch": (lambda s: s.user.acl.watch(**s.here, body=s.channel), CHANNEL),
    "calendarList.delete": (lambda s: s.user.calendarList.delete(**s.here), None),
    "calendarList.get": (lambda s: s.user.calendarList.get(calendarId="primary"), {**OWN, "primary": True, "accessRole": "owner"}),
    "calendarList.insert": (
        lambda s: s.user.calendarList.insert(
            body={"id": s.calendar, "backgroundColor": "#20f59e", "foregroundColor": "#000000"}, colorRgbFormat=True),
        # The server sets the nearest of the 24 colours beside.
        {"backgroundColor": "#20f59e", "colorId": "7", "summary": "Rows"}),
    "calendarList.list": (lambda s: s.user.calendarList.list(minAccessRole="owner"), {"kind": "calendar#calendarList"}),
    "calendarList.patch": (
        lambda s: s.user.calendarList.patch(**s.here, body={"summaryOverride": "Mine", "colorId": "11"}),
        {"summaryOverride": "Mine", "colorId": "11", "summary": "Rows"}),
    "calendarList.update": (
        lambda s: s.user.calendarList.update(**s.here, body={"id": s.calendar, "hidden": True}), {"hidden": True}),
    "calendarList.watch": (lambda s: s.user.calendarList.watch(body=s.channel), CHANNEL),
    "calendars.clear": (lambda s: s.google.other.calendars.clear(calendarId="primary"), None),
    "calendars.delete": (lambda s: s.user.calendars.delete(**s.here), None),
    "calendars.get": (lambda s: s.user.calendars.get(calendarId="primary"), OWN),
    "calendars.insert": (
        lambda s: s.user.calendars.insert(body={"summary": "Reisen & Ausflüge", "description": "¿Adónde? 🗺️"}),
        {"summary": "Reisen & Ausflüge", "description": "¿Adónde? 🗺️", "dataOwner": USER}),
    "calendars.patch": (
        lambda s: s.user.calendars.patch(**s.here, body={"location": "Köln", "description": None}),
        {"location": "Köln", "summary": "Rows", "timeZone": ZONE, "description": None}),
    "calendars.transferOwnership": (
        lambda s: s.user.calendars.transferOwnership(**s.here, newDataOwner=OTHER, useAdminAccess=True), None),
    "calendars.update": (
        lambda s: s.user.calendars.update(**s.here, body={"summary": "Other", "timeZone": "Asia/Tokyo"}),
        {"summary": "Other", "timeZone": "Asia/Tokyo"}),
    "channels.stop": (lambda s: s.user.channels.stop(body=s.opened), None),
    "colors.get": (lambda s: s.user.colors.get(), {"kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z"}),
    "events.delete": (lambda s: s.user.events.delete(**s.one), None),
    "events.get": (lambda s: s.user.events.get(**s.one, timeZone="Asia/Tokyo"), {
        "start": {"dateTime": "2026-03-10T18:00:00+09:00", "timeZone": ZONE}}),
    "events.import": (lambda s: s.user.events.import_(**s.here, body={"iCalUID": UID, "summary": "Imported", **s.times}), {
        "iCalUID": UID, "summary": "Imported", "start": {"date": "2026-03-10"}}),
    "events.insert": (
        lambda s: s.user.events.insert(
            **s.here, body={"summary": "Fête 🎉", "attendees": [{"email": "Guest@Example.com"}], **s.times}, sendUpdates="none"),
        {"summary": "Fête 🎉", "attendees": [{"email": "guest@example.com", "responseStatus": "needsAction"}], "sequence": 0,
         "eventType": "default", "reminders": {"useDefault": True}}),
    "events.instances": (
        lambda s: s.user.events.instances(**s.here, eventId=s.series["id"], originalStart="2026-03-11T09:00:00Z"),
        {"kind": "calendar#events", "accessRole": "owner"}),
    "events.list": (
        lambda s: s.user.events.list(
            **s.here, **DAY, singleEvents=True, orderBy="startTime", eventTypes=["default", "focusTime"], q="event",
            privateExtendedProperty=["row=1", "row=2"]),
        {"kind": "calendar#events", "summary": "Rows", "timeZone": ZONE, "items": []}),
    "events.move": (lambda s: s.user.events.move(**s.one, destination=USER), {"summary": "An event"}),
    "events.patch": (
        lambda s: s.user.events.patch(**s.one, body={"location": "Madrid", "description": None}),
        {"location": "Madrid", "summary": "An event", "description": None}),
    "events.quickAdd": (
        lambda s: s.user.events.quickAdd(**s.here, text="Lunch & talk with Ana tomorrow 12:30-14:00 at Café Ñ+1"),
        {"summary": "Lunch & talk with Ana", "location": "Café Ñ+1"}),
    "events.update": (
        lambda s: s.user.events.update(**s.one, body={"summary": "All day", **s.times}),
        {"summary": "All day", "start": {"date": "2026-03-10"}, "sequence": 1}),
    "events.watch": (lambda s: s.user.events.watch(**s.here, body=s.channel), CHANNEL),
    "freebusy.query": (
        lambda s: s.user.freebusy.query(body={**DAY, "items": [s.event and {"id": s.calendar}, {"id": "nobody@example.com"}]}),
        {"kind": "calendar#freeBusy", "timeMin": "2026-03-09T23:00:00.000Z"}),
    "settings.get": (lambda s: s.user.settings.get(setting="timezone"), {"id": "timezone", "value": ZONE}),
    "settings.list": (lambda s: s.user.settings.list(maxResults=250), {"kind": "calendar#settings"}),
    "settings.watch": (lambda s: s.user.settings.watch(body=s.channel), CHANNEL),
}


def call(google, name):
    """Calls a method, and checks the response."""
    if name not in METHODS:
        raise Failure("no call of this method")
    make, expected = METHODS[name]
    statuses = []
    request = make(Scene(google))
    request.add_response_callback(lambda response: statuses.append(response.status))
    response = request.execute()
    equal(statuses[-1], 204 if expected is None else 200, "status")
    if expected is None:
        check(response == "", f"a body: {response}")
    else:
        has(response, **expected)
