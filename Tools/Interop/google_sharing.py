# SPDX-License-Identifier: Apache-2.0
"""Who may do what: tokens, scopes, shared calendars, invitations."""

from googleapiclient.errors import HttpError

import approve
from google_calendar_methods import grant
from google_checks import equal, has, listed, refused, row
from google_client import CALENDAR, Account
from python_clients import GoogleAuth
from table import check


@row("an access token that the server rejects is refreshed by the client, once")
def rejected_token(google):
    account = Account(google.sandbox, google.user.email)
    good = account.credentials.token
    account.credentials.token = "rejected"
    has(account.calendars.get(calendarId="primary").execute(), id=google.user.email)
    check(account.credentials.token not in ("rejected", good), "the token was not refreshed")


@row("403 insufficientPermissions for a scope that was not granted")
def scopes(google):
    account = Account(google.sandbox, google.user.email, [f"{CALENDAR}.events.readonly"])
    calendar = google.user.calendar()
    google.user.event(calendar)
    equal(len(account.events.list(calendarId=calendar).execute()["items"]), 1, "events")
    for request in [
        account.events.quickAdd(calendarId="primary", text="Lunch"), account.calendarList.list(),
        account.calendars.get(calendarId="primary"), account.acl.list(calendarId="primary")]:
        with refused(403, "insufficientPermissions"):
            request.execute()


@row("401 authError without a good token")
def unauthorized(google):
    request = google.user.colors.get()
    # Below the part of the client that would refresh the token.
    response, content = request.http.http.request(request.uri, headers={"authorization": "Bearer nothing"})
    with refused(401, "authError"):
        raise HttpError(response, content, uri=request.uri)
    check(response["www-authenticate"].startswith("Bearer"), "no challenge")


@row("another user sees a calendar only once it is shared, and as far as its role goes")
def sharing(google):
    calendar = google.user.calendar()
    event = google.user.event(calendar, summary="Public")
    private = google.user.event(calendar, "2026-03-11T10:00:00", "2026-03-11T11:00:00", "Private", visibility="private")
    mine, theirs = google.user, google.other
    for request in [
        theirs.events.list(calendarId=calendar), theirs.calendars.get(calendarId=calendar),
        theirs.calendarList.insert(body={"id": calendar}), theirs.events.get(calendarId=calendar, eventId=event["id"])]:
        with refused(404, "notFound"):
            request.execute()
    rule = grant(mine, calendar, theirs.email, "freeBusyReader")["id"]
    series = mine.event(calendar, "2026-03-12", "2026-03-13", recurrence=["RRULE:FREQ=DAILY;COUNT=3"])["id"]
    items = theirs.events.list(calendarId=calendar, timeMax="2026-04-01T00:00:00Z").execute()["items"]
    equal(len(items), 5, "events, of the series its instances")
    check(not any("summary" in item for item in items), "more than free/busy information is shown")
    mine.events.delete(calendarId=calendar, eventId=series).execute()
    busy = theirs.freebusy.query(body={
        "timeMin": "2026-03-10T00:00:00Z", "timeMax": "2026-03-11T00:00:00Z", "items": [{"id": calendar}]}).execute()
    equal(len(busy["calendars"][calendar]["busy"]), 1, "busy periods")
    mine.acl.patch(calendarId=calendar, ruleId=rule, body={"role": "reader"}).execute()
    has(theirs.calendarList.insert(body={"id": calendar}).execute(), accessRole="reader", primary=None)
    shown = {item["id"]: item.get("summary") for item in theirs.events.list(calendarId=calendar).execute()["items"]}
    equal(shown, {event["id"]: "Public", private["id"]: None}, "summaries for a reader")
    one = {"calendarId": calendar, "eventId": event["id"], "body": {"summary": "Theirs"}}
    with refused(403, "requiredAccessLevel"):
        theirs.events.patch(**one).execute()
    mine.acl.patch(calendarId=calendar, ruleId=rule, body={"role": "writer"}).execute()
    has(theirs.events.patch(**one).execute(), summary="Theirs")
    has(theirs.events.get(calendarId=calendar, eventId=private["id"]).execute(), summary="Private")
    with refused(403, "requiredAccessLevel"):
        theirs.acl.list(calendarId=calendar).execute()
    mine.acl.delete(calendarId=calendar, ruleId=rule).execute()
    with refused(404, "notFound"):
        theirs.events.list(calendarId=calendar).execute()
    check(calendar not in listed(theirs), "it is still on the list")


@row("an invited user responds; what the organizer decides is refused")
def invitation(google):
    guest = google.other
    event = google.user.event(
        "primary", summary="Invitation", attendees=[{"email": guest.email}, {"email": google.user.email}],
        parameters={"sendUpdates": "none"})
    one = {"calendarId": "primary", "eventId": event["id"]}
    copy = guest.events.get(**one).execute()
    has(copy, summary="Invitation", iCalUID=event["iCalUID"])
    has(copy["organizer"], email=google.user.email, self=None)
    with refused(403, "forbiddenForNonOrganizer"):
        guest.events.patch(**one, body={"summary": "Theirs"}).execute()
    attendees = copy["attendees"]
    for attendee in attendees:
        if attendee.get("self"):
            attendee["responseStatus"] = "accepted"
    guest.events.patch(**one, body={"attendees": attendees, "colorId": "3"}).execute()
    seen = google.user.events.get(**one).execute()
    equal({attendee["email"]: attendee["responseStatus"] for attendee in seen["attendees"]},
          {guest.email: "accepted", google.user.email: "needsAction"}, "responses")
    check("colorId" not in seen, "the guest's colour is the organizer's")
    google.user.events.delete(**one).execute()
    has(guest.events.get(**one).execute(), status="cancelled")


@row("login_hint chooses the account on the consent page")
def login_hint(google):
    client = GoogleAuth(google.sandbox, ["openid", f"{CALENDAR}.readonly"])
    client.flow.redirect_uri = "http://localhost:9999/"
    for hint, expected in [(google.other.email, google.other.email), ("nobody@example.com", google.user.email)]:
        url, _ = client.flow.authorization_url(login_hint=hint)
        client.redeem(approve.approve(url, follow=False))
        response = client.get(google.sandbox.url + "/calendar/v3/calendars/primary")
        equal(response.json()["id"], expected, f"account for {hint}")
