# SPDX-License-Identifier: Apache-2.0
"""Lists: pages, synchronization, partial responses, and queries that are too long for a URL."""

from google_calendar_methods import grant
from google_checks import equal, has, ids, pages, refused, row
from table import check


@row("pages of events: none is lost or repeated, and the sync token is on the last")
def event_pages(google):
    calendar, events = google.user.calendar(), google.user.events
    inserted = [google.user.event(calendar, summary=f"Event {number}")["id"] for number in range(12)]
    found = pages(events.list(calendarId=calendar, maxResults=5), events.list_next)
    equal([len(page["items"]) for page in found], [5, 5, 2], "events on the pages")
    equal(sorted(name for page in found for name in ids(page)), sorted(inserted), "events")
    check("nextSyncToken" in found[-1], "no sync token on the last page")
    with refused(400, "invalid"):
        events.list(calendarId=calendar, maxResults=6, pageToken=found[0]["nextPageToken"]).execute()
    with refused(400, "invalidParameter"):
        events.list(calendarId=calendar, maxResults=0).execute()
    everything = events.list(calendarId=calendar, maxResults=9999).execute()
    equal(len(everything["items"]), 12, "events for more than the maximum")


@row("pages of instances, settings, calendars and rules")
def other_pages(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=5"])["id"]
    for index in range(4):
        grant(google.user, calendar, f"guest{index}@example.com")
    for resource, name, parameters in [
        (google.user.events, "instances", {"calendarId": calendar, "eventId": event}),
        (google.user.settings, "list", {}), (google.user.calendarList, "list", {}),
        (google.user.acl, "list", {"calendarId": calendar})]:
        request, following = getattr(resource, name), getattr(resource, f"{name}_next")
        whole = ids(request(**parameters, maxResults=250).execute())
        paged = pages(request(**parameters, maxResults=2), following)
        equal([item for page in paged for item in ids(page)], whole, f"{name} by pages")
        equal(len(paged), (len(whole) + 1) // 2, f"pages of {name}")


@row("a page is as it was, though events come and go before it")
def stable_pages(google):
    calendar, events = google.user.calendar(), google.user.events
    inserted = [google.user.event(calendar)["id"] for _ in range(6)]
    first = events.list(calendarId=calendar, maxResults=3)
    page = first.execute()
    deleted = page["items"][0]["id"]
    events.delete(calendarId=calendar, eventId=deleted).execute()
    second = events.list_next(first, page).execute()
    equal(set(ids(page) + ids(second)), set(inserted), "events of both pages")
    changes = events.list(calendarId=calendar, syncToken=second["nextSyncToken"]).execute()
    equal([(item["id"], item["status"]) for item in changes["items"]], [(deleted, "cancelled")], "changes")


@row("synchronization: only changes, with deletions and cancelled instances")
def synchronization(google):
    calendar, events = google.user.calendar(), google.user.events
    kept, changed, deleted = (google.user.event(calendar)["id"] for _ in range(3))
    series = google.user.event(calendar, recurrence=["RRULE:FREQ=DAILY;COUNT=5"])["id"]
    token = events.list(calendarId=calendar).execute()["nextSyncToken"]

    def changes(token):
        found = pages(events.list(calendarId=calendar, syncToken=token, maxResults=2), events.list_next)
        return [item for page in found for item in page["items"]], found[-1]["nextSyncToken"]

    equal(changes(token)[0], [], "changes without one")
    events.patch(calendarId=calendar, eventId=changed, body={"summary": "Changed twice"}).execute()
    events.delete(calendarId=calendar, eventId=deleted).execute()
    instance = f"{series}_20260312T090000Z"
    events.delete(calendarId=calendar, eventId=instance).execute()
    added = google.user.event(calendar)["id"]
    items, following = changes(token)
    found = {item["id"]: item for item in items}
    check(kept not in found, "an event that did not change is listed")
    has(found[changed], summary="Changed twice", status="confirmed")
    check(added in found, "a new event is not listed")
    equal(set(found[deleted]), {"kind", "etag", "id", "status"}, "fields of a deleted event")
    has(found[deleted], kind="calendar#event", status="cancelled")
    cancelled = found[instance]
    expected = {"kind", "etag", "id", "status", "recurringEventId", "originalStartTime"}
    equal(set(cancelled), expected, "fields of a cancelled instance")
    has(cancelled, status="cancelled", recurringEventId=series)
    equal(changes(following)[0], [], "changes after that")
    items = events.list(calendarId=calendar).execute()["items"]
    equal({item["id"] for item in items}, {kept, changed, series, instance, added}, "events of a full synchronization")


@row("a sync token goes with no filter, and not with another calendar")
def sync_parameters(google):
    calendar, events = google.user.calendar(), google.user.events
    token = events.list(calendarId=calendar).execute()["nextSyncToken"]
    for name, value in [
        ("iCalUID", "1@example.com"), ("orderBy", "updated"), ("privateExtendedProperty", "a=b"), ("q", "text"),
        ("sharedExtendedProperty", "a=b"), ("timeMin", "2026-03-10T00:00:00Z"), ("timeMax", "2026-03-10T00:00:00Z"),
        ("updatedMin", "2026-03-10T00:00:00Z"), ("showDeleted", False)]:
        with refused(400, "badRequest"):
            events.list(calendarId=calendar, syncToken=token, **{name: value}).execute()
    for other in [token + "A", "nothing"]:
        with refused(400, "invalid") as details:
            events.list(calendarId=calendar, syncToken=other).execute()
        equal((details["message"], details["location"]), ("Invalid sync token value.", "syncToken"), "error")
    with refused(400, "invalid"):
        events.list(calendarId=google.user.calendar(), syncToken=token).execute()


@row("synchronization of calendars and rules, with what was removed")
def other_synchronization(google):
    calendar = google.user.calendar()
    rule = grant(google.user, calendar, "guest@example.com")["id"]
    entries = pages(google.user.calendarList.list(), google.user.calendarList.list_next)[-1]["nextSyncToken"]
    rules = google.user.acl.list(calendarId=calendar).execute()["nextSyncToken"]
    google.user.acl.delete(calendarId=calendar, ruleId=rule).execute()
    found = google.user.acl.list(calendarId=calendar, syncToken=rules).execute()["items"]
    equal([(item["id"], item["role"]) for item in found], [(rule, "none")], "rules")
    google.user.calendars.delete(calendarId=calendar).execute()
    found = google.user.calendarList.list(syncToken=entries).execute()["items"]
    equal([(item["id"], item["deleted"]) for item in found], [(calendar, True)], "calendars")
    with refused(400, "badRequest"):
        google.user.calendarList.list(syncToken=entries, minAccessRole="owner").execute()


@row("410 fullSyncRequired after access was changed; 410 updatedMinTooLongAgo")
def full_sync_required(google):
    calendar = google.user.calendar()
    grant(google.user, calendar, google.other.email, "reader")
    token = google.other.events.list(calendarId=calendar).execute()["nextSyncToken"]
    google.other.events.list(calendarId=calendar, syncToken=token).execute()
    grant(google.user, calendar, google.other.email, "writer")
    with refused(410, "fullSyncRequired"):
        google.other.events.list(calendarId=calendar, syncToken=token).execute()
    token = google.other.events.list(calendarId=calendar).execute()["nextSyncToken"]
    equal(google.other.events.list(calendarId=calendar, syncToken=token).execute()["items"], [], "changes after that")
    with refused(410, "updatedMinTooLongAgo"):
        google.user.events.list(calendarId=calendar, updatedMin="2020-01-01T00:00:00Z").execute()


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
    token = google.user.events.list(calendarId=calendar, q="x" * 3000)
    equal(ids(token.execute()), [], "events of a long text")


@row("partial responses by fields, checked against the schema")
def partial_responses(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar, attendees=[{"email": "a@example.com"}, {"email": "b@example.com"}])
    events = google.user.events
    one = {"calendarId": calendar, "eventId": event["id"]}
    start = {"dateTime": event["start"]["dateTime"]}
    attendees = [{"email": "a@example.com"}, {"email": "b@example.com"}]
    for fields, expected in [
        ("items(id,start/dateTime)", {"items": [{"id": event["id"], "start": start}]}),
        ("items/attendees/email", {"items": [{"attendees": attendees}]}),
        ("summary,kind,items/nothing", None), ("items(id", None)]:
        request = events.list(calendarId=calendar, fields=fields)
        if expected is None:
            with refused(400, "invalidParameter") as details:
                request.execute()
            equal(details["location"], "fields", "location")
        else:
            equal(request.execute(), expected, fields)
    equal(events.get(**one, fields="*").execute(), event, "all fields")
    patched = events.patch(**one, body={"summary": "New"}, fields="summary,updated").execute()
    equal(set(patched), {"summary", "updated"}, "fields of the event that was patched")
    equal(google.user.settings.list(fields="nextSyncToken").execute().keys(), {"nextSyncToken"}, "fields of a list")


@row("alt=json in every request; another is refused")
def alternatives(google):
    request = google.user.colors.get()
    check(request.uri.endswith("alt=json"), request.uri)
    request.uri = request.uri.replace("alt=json", "alt=xml")
    with refused(400, "invalidParameter") as details:
        request.execute()
    equal(details["location"], "alt", "location")
