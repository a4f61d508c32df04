# SPDX-License-Identifier: Apache-2.0
"""Notifications that the sandbox sends to a real receiver on loopback."""

import contextlib
import email.utils
import http.server
import queue
import threading
import time
import urllib.parse

from google_calendar_methods import grant
from google_checks import equal, row
from table import Failure, check

SECONDS = 5


class Receiver:
    """An HTTP server that keeps the fields of every message; the path is the status that it responds with."""

    def __init__(self):
        self.messages = queue.Queue()
        messages = self.messages

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers.get("Content-Length", 0))
                messages.put((self.headers, self.rfile.read(length)))
                self.send_response(int(self.path[1:]))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def next(self):
        try:
            headers, body = self.messages.get(timeout=SECONDS)
        except queue.Empty:
            raise Failure("no message came") from None
        equal(body, b"", "body of the message")
        return headers

    def expect_nothing(self):
        time.sleep(0.2)
        check(self.messages.empty(), "a message came")


@contextlib.contextmanager
def receiving():
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        thread.join()
        receiver.server.server_close()


def has_fields(headers, **fields):
    for name, expected in fields.items():
        equal(headers.get(f"X-Goog-{name.replace('_', '-')}"), expected, name)


@row("push: sync at first, then a message for every change, until the channel is stopped")
def push_events(google):
    with receiving() as receiver:
        calendar = google.user.calendar()
        body = {"id": google.unique("push"), "type": "web_hook", "address": f"{receiver.url}/200", "token": "secret=1"}
        channel = google.user.events.watch(calendarId=calendar, body=body).execute()
        first = receiver.next()
        common = {
            "Channel_ID": body["id"], "Channel_Token": "secret=1", "Resource_ID": channel["resourceId"],
            "Resource_URI": channel["resourceUri"]}
        has_fields(first, Resource_State="sync", Message_Number="1", **common)
        expiration = email.utils.parsedate_to_datetime(first["X-Goog-Channel-Expiration"])
        equal(int(expiration.timestamp()), int(channel["expiration"]) // 1000, "expiration")
        check(f"/calendars/{urllib.parse.quote(calendar, safe='')}/events" in channel["resourceUri"], "resource URI")
        numbers = [1]
        event = google.user.event(calendar)["id"]
        for change in [
            None, google.user.events.patch(calendarId=calendar, eventId=event, body={"summary": "New"}),
            google.user.events.delete(calendarId=calendar, eventId=event)]:
            if change:
                change.execute()
            message = receiver.next()
            has_fields(message, Resource_State="exists", **common)
            numbers.append(int(message["X-Goog-Message-Number"]))
        check(numbers == sorted(set(numbers)), f"the message numbers do not increase: {numbers}")
        google.user.event(google.user.calendar())
        receiver.expect_nothing()
        google.user.channels.stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()
        google.user.event(calendar)
        receiver.expect_nothing()


@row("push: of rules and of the list of calendars")
def push_others(google):
    with receiving() as receiver:
        calendar = google.user.calendar()
        channels = []
        for watch in [
            google.user.calendarList.watch, lambda body: google.user.acl.watch(calendarId=calendar, body=body)]:
            body = {"id": google.unique("push"), "type": "web_hook", "address": f"{receiver.url}/204"}
            channels.append(watch(body=body).execute())
            has_fields(receiver.next(), Resource_State="sync", Channel_ID=body["id"], Channel_Token=None)
        grant(google.user, calendar, "guest@example.com")
        has_fields(receiver.next(), Resource_State="exists", Channel_ID=channels[1]["id"])
        google.user.calendarList.patch(calendarId=calendar, body={"selected": False}).execute()
        has_fields(receiver.next(), Resource_State="exists", Channel_ID=channels[0]["id"])
        for channel in channels:
            google.user.channels.stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()


@row("push: a message that the receiver responds to with 503 is sent again")
def push_again(google):
    with receiving() as receiver:
        calendar = google.user.calendar()
        body = {"id": google.unique("push"), "type": "web_hook", "address": f"{receiver.url}/503"}
        channel = google.user.events.watch(calendarId=calendar, body=body).execute()
        for _ in range(2):
            has_fields(receiver.next(), Resource_State="sync", Message_Number="1")
        google.user.channels.stop(body={"id": channel["id"], "resourceId": channel["resourceId"]}).execute()
