#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the user and the browser: opens an authorization URL, answers the form of its page, follows the redirects.

usage: approve.py URL

As a program for `BROWSER`, it allows the request. Under the name `deny`, by a symbolic link, it denies it.
"""

import html.parser
import http.cookiejar
import sys
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT = 10
REDIRECTS = 10


class Form(html.parser.HTMLParser):
    """The first form of a page, as it stands: hidden fields, ticked boxes, choices, and the buttons to choose from."""

    def __init__(self, page):
        super().__init__()
        self.action = None
        self.fields = []
        self.choices = {}
        self.buttons = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action", "")
        elif tag == "input":
            name, value = attributes["name"], attributes.get("value", "on")
            if attributes.get("type") == "radio":
                self.choices.setdefault(name, []).append(value)
            if attributes.get("type") not in ("checkbox", "radio") or "checked" in attributes:
                self.fields.append((name, value))
        elif tag == "button":
            self.buttons[attributes.get("value")] = attributes.get("name")

    def choose(self, name, value):
        """Chooses one of several values."""
        if value not in self.choices.get(name, []):
            raise Refused(f"no {name} {value} to choose")
        self.fields = [field for field in self.fields if field[0] != name] + [(name, value)]


class Refused(Exception):
    """The server shows a page with an error instead of going back to the application."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Visitor:
    """A browser with cookies, which stops before every redirect."""

    def __init__(self):
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(_NoRedirect, cookies, urllib.request.ProxyHandler({}))

    def load(self, url, form=None):
        """Returns the status, the URL of a redirect or None, and the page."""
        body = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            response = self.opener.open(urllib.request.Request(url, body), timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            location = response.headers.get("Location")
            target = location and urllib.parse.urljoin(url, location)
            return response.status, target, response.read().decode()


def approve(url, decision="allow", follow=True, user=None, visitor=None):
    """Answers an authorization request, as the user of an e-mail address if there are several.

    Returns the callback URL; with `follow` after it has been loaded, along with every redirect from there. The cookies are
    those of `visitor`, or none.
    """
    visitor = visitor or Visitor()
    answered = False
    for _ in range(REDIRECTS):
        status, target, page = visitor.load(url)
        if target is None and not answered and status == 200:
            form = Form(page)
            if form.action is None or decision not in form.buttons:
                raise Refused(f"no form to answer at {status}")
            if user is not None:
                form.choose("user", user)
            fields = form.fields + [(form.buttons[decision], decision)]
            status, target, page = visitor.load(urllib.parse.urljoin(url, form.action), fields)
            answered = True
        if target is None:
            if status != 200:
                raise Refused(f"status {status}")
            return url
        url = target
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
        if not follow and "response_type" not in query and ("code" in query or "error" in query):
            return url
    raise Refused("too many redirects")


if __name__ == "__main__":
    program, address = sys.argv
    approve(address, "deny" if program.endswith("/deny") else "allow")
