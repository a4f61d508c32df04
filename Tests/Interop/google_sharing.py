# SPDX-License-Identifier: Apache-2.0
"""Who may do what: tokens and scopes."""

from googleapiclient.errors import HttpError

from google_checks import has, refused, row
from google_client import CALENDAR, Account
from table import check


@row("an access token that the server rejects is refreshed by the client, once")
def rejected_token(google):
    account = Account(google.sandbox)
    good = account.credentials.token
    account.credentials.token = "rejected"
    has(account.calendars.get(calendarId="primary").execute(), id="person@example.com")
    check(account.credentials.token not in ("rejected", good), "the token was not refreshed")


@row("403 insufficientPermissions for a scope that was not granted")
def scopes(google):
    account = Account(google.sandbox, [f"{CALENDAR}.events.readonly"])
    check(account.events.list(calendarId="primary", maxResults=1).execute()["items"], "no events")
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
