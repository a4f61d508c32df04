# SPDX-License-Identifier: Apache-2.0
"""What Google's client has to see of every method but those of events."""

import datetime

from google_checks import equal, has, ids, listed, method, refused, status_of
from google_client import ZONE
from table import check


def grant(account, calendar, email, role="reader"):
    """Gives a user a role."""
    return account.acl.insert(
        calendarId=calendar, body={"role": role, "scope": {"type": "user", "value": email}}).execute()


def watch(google, request, resource):
    """Opens a channel by a resource's method `watch`, checks the response, and closes the channel."""
    body = {
        "id": google.unique("channel"), "type": "web_hook", "address": "https://receiver.example/", "token": "a token",
        "params": {"ttl": "600"}}
    channel = request(body=body).execute()
    has(channel, kind="api#channel", id=body["id"], token="a token")
    check(resource in channel["resourceUri"], channel["resourceUri"])
    # A 64-bit integer is a string in JSON: milliseconds since 1970.
    expiration = datetime.datetime.fromtimestamp(int(channel["expiration"]) / 1000)
    left = expiration - datetime.datetime.now()
    check(isinstance(channel["expiration"], str) and 500 < left.total_seconds() <= 600, f"expires in {left}")
    with refused(400, "channelIdNotUnique"):
        request(body=body).execute()
    closing = {"id": channel["id"], "resourceId": channel["resourceId"]}
    equal(status_of(google.user.channels.stop(body=closing)), (204, ""), "response to stop")
    return closing


@method("acl.list", "rules with etags, and a sync token")
def acl_list(google):
    calendar = google.user.calendar()
    grant(google.user, calendar, "guest@example.com")
    page = google.user.acl.list(calendarId=calendar).execute()
    has(page, kind="calendar#acl")
    roles = {item["id"]: item["role"] for item in page["items"]}
    equal(roles, {"user:person@example.com": "owner", "user:guest@example.com": "reader"}, "rules")
    check(all(item["etag"] and item["kind"] == "calendar#aclRule" for item in page["items"]), "kind or etag")
    check(page["etag"] and page["nextSyncToken"] and "nextPageToken" not in page, "tokens")


@method("acl.get", "the rule that was inserted; 404 for another")
def acl_get(google):
    calendar = google.user.calendar()
    rule = grant(google.user, calendar, "guest@example.com")
    equal(google.user.acl.get(calendarId=calendar, ruleId=rule["id"]).execute(), rule, "rule")
    with refused(404, "notFound"):
        google.user.acl.get(calendarId=calendar, ruleId="user:nobody@example.com").execute()


@method("acl.insert", "user, domain and everyone; 400 without a role")
def acl_insert(google):
    calendar = google.user.calendar()
    insert = google.user.acl.insert
    for scope, rule in [
        ({"type": "user", "value": "guest@example.com"}, "user:guest@example.com"),
        ({"type": "domain", "value": "example.org"}, "domain:example.org"), ({"type": "default"}, "default")]:
        body = {"role": "freeBusyReader", "scope": scope}
        has(insert(calendarId=calendar, body=body, sendNotifications=False).execute(), id=rule, **body)
    with refused(400, "required"):
        insert(calendarId=calendar, body={"scope": {"type": "default"}}).execute()


@method("acl.patch", "another role, another etag")
def acl_patch(google):
    calendar = google.user.calendar()
    rule = grant(google.user, calendar, "guest@example.com")
    changed = google.user.acl.patch(calendarId=calendar, ruleId=rule["id"], body={"role": "writer"}).execute()
    has(changed, id=rule["id"], role="writer", scope=rule["scope"])
    check(changed["etag"] != rule["etag"], "the etag stayed")


@method("acl.update", "another role, which a new role of Google's may be")
def acl_update(google):
    calendar = google.user.calendar()
    rule = grant(google.user, calendar, "guest@example.com")
    body = {"role": "writerWithoutPrivateAccess", "scope": rule["scope"]}
    has(google.user.acl.update(calendarId=calendar, ruleId=rule["id"], body=body).execute(), id=rule["id"], **body)


@method("acl.delete", "204; then 404, and role none among deleted ones")
def acl_delete(google):
    calendar = google.user.calendar()
    rule = grant(google.user, calendar, "guest@example.com")["id"]
    equal(status_of(google.user.acl.delete(calendarId=calendar, ruleId=rule)), (204, ""), "response")
    with refused(404, "notFound"):
        google.user.acl.get(calendarId=calendar, ruleId=rule).execute()
    check(rule not in ids(google.user.acl.list(calendarId=calendar).execute()), "it is still listed")
    items = google.user.acl.list(calendarId=calendar, showDeleted=True).execute()["items"]
    equal([item["role"] for item in items if item["id"] == rule], ["none"], "role of the deleted rule")


@method("acl.watch", "a channel")
def acl_watch(google):
    calendar = google.user.calendar()
    watch(google, lambda body: google.user.acl.watch(calendarId=calendar, body=body), "/acl")


@method("calendarList.list", "all, those of a role, those hidden or removed")
def calendar_list_list(google):
    own, hidden, removed = (google.user.calendar() for _ in range(3))
    theirs = google.other.calendar("Theirs")
    grant(google.other, theirs, google.user.email)
    google.user.calendarList.insert(body={"id": theirs}).execute()
    google.user.calendarList.patch(calendarId=hidden, body={"hidden": True}).execute()
    google.user.calendarList.delete(calendarId=removed).execute()
    everything = listed(google.user)
    equal({hidden, removed} & set(everything), set(), "hidden and removed calendars")
    equal([name for name, entry in everything.items() if entry.get("primary")], [google.user.email], "primary ones")
    has(everything[theirs], accessRole="reader", summary="Theirs", primary=None)
    check(all(entry["backgroundColor"].startswith("#") for entry in everything.values()), "colours")
    owned = listed(google.user, minAccessRole="owner")
    check(own in owned and theirs not in owned, "calendars of a role")
    has(listed(google.user, showHidden=True)[hidden], hidden=True, deleted=None)
    has(listed(google.user, showDeleted=True)[removed], deleted=True, summary=None)


@method("calendarList.get", "primary is the user's own; 404 for another")
def calendar_list_get(google):
    entry = google.user.calendarList.get(calendarId="primary").execute()
    has(entry, kind="calendar#calendarListEntry", id="person@example.com", primary=True, accessRole="owner")
    equal(entry, google.user.calendarList.get(calendarId="person@example.com").execute(), "by its identifier")
    with refused(404, "notFound"):
        google.user.calendarList.get(calendarId="nobody@example.com").execute()


@method("calendarList.insert", "back on the list, in colours of its own")
def calendar_list_insert(google):
    calendar = google.user.calendar()
    google.user.calendarList.delete(calendarId=calendar).execute()
    body = {"id": calendar, "backgroundColor": "#20f59e", "foregroundColor": "#000000"}
    entry = google.user.calendarList.insert(body=body, colorRgbFormat=True).execute()
    # The server sets the nearest of the 24 colours beside.
    has(entry, **body, colorId="7", accessRole="owner", summary="Rows")
    with refused(404, "notFound"):
        google.user.calendarList.insert(body={"id": "nobody@example.com"}).execute()


@method("calendarList.patch", "the user's name and colour; the calendar keeps its own")
def calendar_list_patch(google):
    calendar = google.user.calendar()
    before = google.user.calendarList.get(calendarId=calendar).execute()
    body = {"summaryOverride": "Mine", "colorId": "11", "selected": False}
    after = google.user.calendarList.patch(calendarId=calendar, body=body).execute()
    has(after, summaryOverride="Mine", colorId="11", summary="Rows", selected=None)
    check(after["etag"] != before["etag"], "the etag stayed")
    color = google.user.colors.get().execute()["calendar"]["11"]
    equal(after["backgroundColor"], color["background"], "colour")
    cleared = google.user.calendarList.patch(calendarId=calendar, body={"summaryOverride": None}).execute()
    check("summaryOverride" not in cleared, "null does not clear")


@method("calendarList.update", "hides; what is left out is cleared")
def calendar_list_update(google):
    calendar = google.user.calendar()
    entry = google.user.calendarList.patch(calendarId=calendar, body={"summaryOverride": "Mine"}).execute()
    del entry["summaryOverride"]
    updated = google.user.calendarList.update(calendarId=calendar, body=entry | {"hidden": True}).execute()
    has(updated, hidden=True, summaryOverride=None)
    check(calendar not in listed(google.user), "it is still listed")


@method("calendarList.delete", "204; the calendar itself stays")
def calendar_list_delete(google):
    calendar = google.user.calendar()
    equal(status_of(google.user.calendarList.delete(calendarId=calendar)), (204, ""), "response")
    with refused(404, "notFound"):
        google.user.calendarList.get(calendarId=calendar).execute()
    has(google.user.calendars.get(calendarId=calendar).execute(), summary="Rows")


@method("calendarList.watch", "a channel")
def calendar_list_watch(google):
    watch(google, lambda body: google.user.calendarList.watch(body=body), "users/me/calendarList")


@method("calendars.insert", "owned by the user, and on the list; 400 without a summary")
def calendars_insert(google):
    body = {"summary": "Reisen & Ausflüge", "timeZone": ZONE, "description": "¿Adónde? 🗺️"}
    calendar = google.user.calendars.insert(body=body).execute()
    has(calendar, kind="calendar#calendar", dataOwner="person@example.com", **body)
    entry = google.user.calendarList.get(calendarId=calendar["id"]).execute()
    has(entry, accessRole="owner", primary=None, **body)
    with refused(400, "required"):
        google.user.calendars.insert(body={"description": "no name"}).execute()


@method("calendars.get", "what was inserted; 404 for another")
def calendars_get(google):
    inserted = google.user.calendars.insert(body={"summary": "Rows"}).execute()
    equal(google.user.calendars.get(calendarId=inserted["id"]).execute(), inserted, "calendar")
    has(google.user.calendars.get(calendarId="primary").execute(), id="person@example.com")
    with refused(404, "notFound"):
        google.user.calendars.get(calendarId="nobody@example.com").execute()


@method("calendars.patch", "one field; null clears")
def calendars_patch(google):
    calendar = google.user.calendar(description="for a row", location="Madrid")
    before = google.user.calendars.get(calendarId=calendar).execute()
    body = {"location": "Köln", "description": None}
    after = google.user.calendars.patch(calendarId=calendar, body=body).execute()
    has(after, summary="Rows", timeZone=ZONE, location="Köln", description=None)
    check(after["etag"] != before["etag"], "the etag stayed")


@method("calendars.update", "what is left out is cleared")
def calendars_update(google):
    calendar = google.user.calendar(description="for a row")
    body = {"summary": "Other", "timeZone": "Asia/Tokyo"}
    has(google.user.calendars.update(calendarId=calendar, body=body).execute(), description=None, **body)
    equal(google.user.calendars.get(calendarId=calendar).execute().get("description"), None, "description")


@method("calendars.delete", "204; then 404, and deleted on the list; the primary one stays")
def calendars_delete(google):
    calendar = google.user.calendar()
    equal(status_of(google.user.calendars.delete(calendarId=calendar)), (204, ""), "response")
    with refused(404, "notFound"):
        google.user.calendars.get(calendarId=calendar).execute()
    has(listed(google.user, showDeleted=True)[calendar], deleted=True)
    with refused(403, "cannotDeletePrimaryCalendar"):
        google.user.calendars.delete(calendarId="primary").execute()


@method("calendars.clear", "204, and no events; the primary calendar only")
def calendars_clear(google):
    for _ in range(2):
        google.other.event("primary")
    equal(status_of(google.other.calendars.clear(calendarId="primary")), (204, ""), "response")
    equal(google.other.events.list(calendarId="primary").execute()["items"], [], "events")
    calendar = google.other.calendar()
    with refused(400, "invalid"):
        google.other.calendars.clear(calendarId=calendar).execute()


@method("calendars.transferOwnership", "204; another data owner, who owns it")
def calendars_transfer_ownership(google):
    calendar = google.user.calendar()
    transfer = google.user.calendars.transferOwnership(
        calendarId=calendar, newDataOwner=google.other.email, useAdminAccess=True)
    equal(status_of(transfer), (204, ""), "response")
    has(google.other.calendars.get(calendarId=calendar).execute(), dataOwner=google.other.email)
    has(google.other.calendarList.get(calendarId=calendar).execute(), accessRole="owner")


@method("channels.stop", "204; 404 for a channel that is closed, and for another resource")
def channels_stop(google):
    calendar = google.user.calendar()
    closed = watch(google, lambda body: google.user.events.watch(calendarId=calendar, body=body), "/events")
    with refused(404, "notFound"):
        google.user.channels.stop(body=closed).execute()
    body = {"id": google.unique("channel"), "type": "web_hook", "address": "https://receiver.example/"}
    channel = google.user.events.watch(calendarId=calendar, body=body).execute()
    with refused(404, "notFound"):
        google.user.channels.stop(body={"id": channel["id"], "resourceId": "another"}).execute()
    google.user.channels.stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()


@method("colors.get", "24 colours of calendars and 11 of events")
def colors_get(google):
    colors = google.user.colors.get().execute()
    has(colors, kind="calendar#colors", updated="2012-02-14T00:00:00.000Z")
    equal((sorted(map(int, colors["calendar"])), sorted(map(int, colors["event"]))),
          (list(range(1, 25)), list(range(1, 12))), "identifiers")
    pairs = [*colors["calendar"].values(), *colors["event"].values()]
    equal({pair["foreground"] for pair in pairs}, {"#1d1d1d"}, "foregrounds")
    equal(colors["event"]["11"]["background"], "#dc2127", "tomato")


@method("freebusy.query", "periods that are merged, and an error of one calendar")
def freebusy_query(google):
    calendar = google.user.calendar()
    google.user.event(calendar, "2026-03-10T10:00:00", "2026-03-10T11:00:00")
    google.user.event(calendar, "2026-03-10T10:30:00", "2026-03-10T12:00:00")
    google.user.event(calendar, "2026-03-10T14:00:00", "2026-03-10T15:00:00", transparency="transparent")
    google.user.event(calendar, "2026-03-10T16:00:00", "2026-03-10T20:00:00")
    body = {
        "timeMin": "2026-03-10T00:00:00+01:00", "timeMax": "2026-03-10T18:00:00+01:00", "timeZone": ZONE,
        "items": [{"id": calendar}, {"id": "nobody@example.com"}]}
    found = google.user.freebusy.query(body=body).execute()
    has(found, kind="calendar#freeBusy", timeMin="2026-03-09T23:00:00.000Z", timeMax="2026-03-10T17:00:00.000Z")
    equal(found["calendars"][calendar]["busy"], [
        {"start": "2026-03-10T10:00:00+01:00", "end": "2026-03-10T12:00:00+01:00"},
        {"start": "2026-03-10T16:00:00+01:00", "end": "2026-03-10T18:00:00+01:00"}], "busy")
    equal([error["reason"] for error in found["calendars"]["nobody@example.com"]["errors"]], ["notFound"], "errors")
    with refused(400, "timeRangeEmpty"):
        google.user.freebusy.query(body=body | {"timeMax": body["timeMin"]}).execute()


@method("settings.get", "the time zone; 404 for another name")
def settings_get(google):
    has(google.user.settings.get(setting="timezone").execute(), kind="calendar#setting", id="timezone", value=ZONE)
    with refused(404, "notFound"):
        google.user.settings.get(setting="mood").execute()


@method("settings.list", "each as it is got by itself")
def settings_list(google):
    page = google.user.settings.list().execute()
    has(page, kind="calendar#settings")
    check({"locale", "timezone", "weekStart", "format24HourTime"} <= set(ids(page)), f"settings: {ids(page)}")
    for setting in page["items"]:
        equal(google.user.settings.get(setting=setting["id"]).execute(), setting, "setting")


@method("settings.watch", "a channel")
def settings_watch(google):
    watch(google, lambda body: google.user.settings.watch(body=body), "users/me/settings")
