# SPDX-License-Identifier: Apache-2.0
"""Batches of requests."""

import functools

import requests
from googleapiclient.errors import HttpError

from google_checks import conditional, equal, has, row
from google_client import when
from table import check

TIMEOUT = 10


def run_batch(account, requests):
    """Executes requests in one batch; returns what came of each, in the order of the callbacks."""
    outcomes = []
    batch = account.service.new_batch_http_request(
        callback=lambda name, response, error: outcomes.append((name, response, error)))
    for number, request in enumerate(requests):
        batch.add(request, request_id=str(number))
    batch.execute()
    equal([name for name, _, _ in outcomes], [str(number) for number in range(len(requests))], "order of responses")
    return [response if error is None else error for _, response, error in outcomes]


@row("a batch of 100: responses in order, each with its own status")
def batch_of_100(google):
    calendar, events = google.user.calendar(), google.user.events
    body = {"start": when("2026-03-10"), "end": when("2026-03-11")}
    inserted = run_batch(google.user, [
        events.insert(calendarId=calendar, body=body | {"summary": f"Nº {number}"}) for number in range(100)])
    equal([event["summary"] for event in inserted], [f"Nº {number}" for number in range(100)], "summaries")
    equal(len({event["id"] for event in inserted}), 100, "identifiers")
    equal(len(events.list(calendarId=calendar).execute()["items"]), 100, "events")


@row("a batch of many kinds: 200, 204, 304, 404, 409, 410 and 412 beside each other")
def batch_of_kinds(google):
    calendar, events = google.user.calendar(), google.user.events
    event = google.user.event(calendar, id=google.unique("batch"))
    gone = google.user.event(calendar)["id"]
    events.delete(calendarId=calendar, eventId=gone).execute()
    one = functools.partial(dict, calendarId=calendar, eventId=event["id"])
    outcomes = run_batch(google.user, [
        events.get(**one()), google.user.calendarList.get(calendarId="primary"),
        conditional(events.get(**one()), if_none_match=event["etag"]),
        events.get(calendarId=calendar, eventId="nothing"),
        events.insert(calendarId=calendar, body=event), events.delete(calendarId=calendar, eventId=gone),
        conditional(events.patch(**one(body={"summary": "lost"})), if_match='"1"'),
        google.user.freebusy.query(body={
            "timeMin": "2026-03-10T00:00:00Z", "timeMax": "2026-03-11T00:00:00Z", "items": [{"id": calendar}]}),
        events.delete(**one())])
    statuses = [outcome.resp.status if isinstance(outcome, HttpError) else None for outcome in outcomes]
    equal(statuses, [None, None, 304, 404, 409, 410, 412, None, None], "statuses")
    equal(outcomes[0], event, "the event")
    has(outcomes[1], id=google.user.email)
    reasons = [outcome.error_details[0]["reason"] for outcome in outcomes[3:7]]
    equal(reasons, ["notFound", "duplicate", "deleted", "conditionNotMet"], "reasons")
    check(outcomes[7]["calendars"][calendar]["busy"], "the free/busy part has no busy period")
    equal(outcomes[8], "", "response to delete")


@row("a batch of 1,000 is served, and one more is refused")
def batch_limit(google):
    part = "Content-Type: application/http\n\nGET /calendar/v3/colors?fields=kind HTTP/1.1\n\n\n"
    for count, status in [(1000, 200), (1001, 400)]:
        body = "".join(f"--b\n{part}" for _ in range(count)) + "--b--"
        headers = {
            "Authorization": f"Bearer {google.user.credentials.token}", "Content-Type": "multipart/mixed; boundary=b"}
        response = requests.post(
            f"{google.sandbox.url}/batch/calendar/v3", data=body, timeout=TIMEOUT, headers=headers)
        equal(response.status_code, status, f"status for {count}")
        equal(response.text.count("HTTP/1.1 200 OK"), count if status == 200 else 0, "parts")
