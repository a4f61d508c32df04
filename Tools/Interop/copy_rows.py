# SPDX-License-Identifier: Apache-2.0
"""Copies of a calendar: gcal_sync and `CalendarSync` follow the same sandbox through the same random histories."""

import asyncio
import functools
import json
import os
import random
import subprocess
import tempfile

import aiohttp
from gcal_sync.api import GoogleCalendarService
from gcal_sync.auth import AbstractAuth
from gcal_sync.store import InMemoryCalendarStore
from gcal_sync.sync import CalendarEventSyncManager
import requests

from table import Row, check

USER = "person@example.com"
SCOPE = "https://www.googleapis.com/auth/calendar"
#: The number of histories, each with a seed of its own.
SEEDS = 4
TIMEOUT = 20


def rows(program, sandbox):
    for seed in range(1, SEEDS + 1):
        yield Row(
            "gcal_sync, CalendarSync → sandbox", f"the same events after the same history, seed {seed}",
            functools.partial(run, program, sandbox, seed))


class Auth(AbstractAuth):
    def __init__(self, session, api, token):
        super().__init__(session, api)
        self._token = token

    async def async_get_access_token(self):
        return self._token


class History:
    """A random history of one calendar."""

    def __init__(self, sandbox, seed):
        self.random = random.Random(seed)
        self.sandbox = sandbox
        self.api = f"{sandbox.url}/calendar/v3"
        self.token = self._control("token", user=USER, scope=SCOPE)["access_token"]
        self.calendar = self.call("POST", "/calendars", {"summary": f"Copy {seed}", "timeZone": "Europe/Madrid"})["id"]
        self.path = f"/calendars/{self.calendar}/events"
        self.events = []
        self.series = []
        self.made = 0

    def _control(self, name, **members):
        response = requests.post(f"{self.sandbox.url}/sandbox/{name}", json=members, timeout=TIMEOUT)
        response.raise_for_status()
        return response.json() if response.content else {}

    def call(self, method, path, body=None, **parameters):
        response = requests.request(
            method, self.api + path, json=body, params=parameters, timeout=TIMEOUT,
            headers={"Authorization": f"Bearer {self.token}"})
        check(response.status_code < 300, f"{method} {path}: {response.status_code} {response.text}")
        return response.json() if response.content else {}

    def expire(self):
        self._control("expire-sync-tokens")

    def change(self):
        self.made += 1
        action = self.random.randrange(7)
        if action <= 1 or not self.events:
            self.events.append(self.call("POST", self.path, self._event())["id"])
        elif action == 2:
            rule = self.random.choice(["FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;UNTIL=20260320T235959Z"])
            self.series.append(self.call("POST", self.path, self._event() | {"recurrence": [f"RRULE:{rule}"]})["id"])
        elif action == 3:
            target = self.random.choice(self.events + self.series)
            self.call("PATCH", f"{self.path}/{target}", {"summary": f"changed {self.made}"})
        elif action == 4:
            kind = self.random.choice([self.events, self.series] if self.series else [self.events])
            self.call("DELETE", f"{self.path}/{kind.pop(self.random.randrange(len(kind)))}")
        elif self.series:
            series = self.random.choice(self.series)
            items = self.call("GET", f"{self.path}/{series}/instances", maxResults=6)["items"]
            if not items:
                return
            instance = self.random.choice(items)["id"]
            if action == 5:
                self.call("PATCH", f"{self.path}/{instance}", {"summary": f"moved {self.made}"})
            else:
                self.call("DELETE", f"{self.path}/{instance}")

    def _event(self):
        day, hour = self.random.randrange(1, 28), self.random.randrange(7, 20)
        summary = f"event {self.made}"
        if self.random.random() < 0.3:
            return {"summary": summary, "start": {"date": f"2026-03-{day:02}"}, "end": {"date": f"2026-03-{day + 1:02}"}}
        zone = self.random.choice(["Europe/Madrid", "America/New_York", "Asia/Tokyo"])
        return {
            "summary": summary, "start": {"dateTime": f"2026-03-{day:02}T{hour:02}:00:00", "timeZone": zone},
            "end": {"dateTime": f"2026-03-{day:02}T{hour + 1:02}:30:00", "timeZone": zone}}


def run(program, sandbox, seed):
    asyncio.run(_run(program, History(sandbox, seed)))


async def _run(program, history):
    store = InMemoryCalendarStore()
    with tempfile.TemporaryDirectory() as folder:
        async with aiohttp.ClientSession() as session:
            service = GoogleCalendarService(Auth(session, history.api, history.token))
            theirs = CalendarEventSyncManager(service, calendar_id=history.calendar, store=store)
            for _ in range(4):
                for _ in range(history.random.randrange(1, 8)):
                    history.change()
                if history.random.random() < 0.3:
                    history.expire()
                await theirs.run()
                crashes = history.random.randrange(0, 3)
                for _ in range(crashes):
                    _synchronize(program, history, folder, history.random.randrange(1, 9))
                ours = _ours(_synchronize(program, history, folder), history.calendar)
                expected = _theirs((await store.async_load())["event_sync"][history.calendar]["items"])
                listed = history.call("GET", history.path, maxResults=2500)["items"]
                check(ours == expected, f"the copies differ: {set(ours.items()) ^ set(expected.items())}")
                check(len(ours) > 0 or not listed, "the copies are empty")


def _synchronize(program, history, folder, crash=0):
    """Runs the program, which prints the events, or is killed after a number of transactions."""
    result = subprocess.run(
        [program, history.sandbox.url, os.path.join(folder, "copy.sqlite"), str(crash)], input=f"{history.token}\n", text=True,
        capture_output=True, timeout=TIMEOUT, check=False)
    check(result.returncode in ((0, -9) if crash else (0,)), f"status {result.returncode}: {result.stderr}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def _ours(lines, calendar):
    return _live({line["event"]["id"]: line["event"] for line in lines if line["calendar"] == calendar})


def _theirs(items):
    return _live(items)


def _live(events):
    """What both libraries agree to keep: events, and cancelled instances, of series that were not deleted."""
    alive = {
        id for id, event in events.items()
        if event.get("status") != "cancelled" and not event.get("recurring_event_id", event.get("recurringEventId"))}
    kept = {}
    for id, event in events.items():
        series = event.get("recurring_event_id", event.get("recurringEventId"))
        if (id if not series else series) not in alive:
            continue
        cancelled = event.get("status") == "cancelled"
        kept[id] = (
            event.get("status"), series, "" if cancelled else event.get("summary"), tuple(event.get("recurrence") or ()),
            "" if cancelled else _time(event["start"]), "" if cancelled else _time(event["end"]))
    return kept


def _time(time):
    return str(time.get("date") or (time.get("dateTime") or time.get("date_time")))[:16]
