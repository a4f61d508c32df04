#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the person at the page of `almanac demo --web`: grant, list, expiry, rejection, revoke.

usage: page_test.py ALMANAC [SCREENSHOT_FOLDER]
"""

import pathlib
import re
import signal
import subprocess
import sys
import urllib.request

from browser import Browser
from selenium.webdriver import ActionChains, Keys


def text(browser):
    return browser.execute_script("return document.body.innerText")


def contrast(one, other):
    """The contrast ratio of two colours (WCAG 2.2)."""

    def luminance(color):
        parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def decide(browser, origin, decision):
    """Presses a button of the consent page; the way back leads over the page that is shown during the exchange."""
    browser.click(f"[name=decision][value={decision}]")
    browser.wait("return location.pathname === '/' && document.readyState === 'complete'")
    assert browser.current_url == origin + "/", "the code stays in the address"


def check_exchange(browser, origin, cookie, shots):
    """The page during the exchange, held back from going on."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(origin + "/token", headers={"Cookie": f"{cookie['name']}={cookie['value']}"})
    with opener.open(request, timeout=10) as response:
        held, refreshes = re.subn(r'<meta http-equiv="refresh"[^>]*>', "", response.read().decode())
    assert refreshes == 1, "the page does not go on by itself"
    nonce = browser.execute_script("return document.querySelector('style').nonce")
    browser.show(re.sub(r'nonce="[^"]*"', f'nonce="{nonce}"', held))
    assert "Retrieving the token" in text(browser)
    check_page(browser, shots, "exchange")
    browser.get(origin + "/token")
    browser.wait("return location.pathname === '/'")


def check_edges(browser, selector):
    """Every edge stands out from what is behind it, in light and dark."""
    for scheme in ("dark", "light"):
        browser.prefer(scheme)
        pairs = browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => ["
            " getComputedStyle(e).borderLeftColor, getComputedStyle(e.closest('section')).backgroundColor])", selector)
        assert pairs, f"nothing is {selector}"
        for edge, behind in pairs:
            assert contrast(edge, behind) >= 3, f"{selector} in {scheme}: {edge} on {behind}"


def check_start(browser):
    """The page before the sign-in shows what will come: a picture, three steps and one button."""
    assert browser.execute_script("return document.querySelectorAll('button').length") == 1
    assert browser.execute_script("return document.querySelectorAll('.start li').length") == 3
    width, label = browser.execute_script(
        "const p = document.querySelector('svg[role=img]'); return [p.getBoundingClientRect().width, p.getAttribute('aria-label')]")
    assert width > 200 and "calendars" in label, "what will come is not shown"


def check_levers(browser):
    """The account's own button stands apart from those of the demonstration, and a narrow screen has the log at hand."""
    buttons = "return [...document.querySelectorAll(arguments[0] + ' button')].map(b => b.id)"
    assert browser.execute_script(buttons, "header") == ["revoke"]
    assert browser.execute_script(buttons, "aside") == ["hour", "forget", "revoke-at-server", "relaunch"]
    assert browser.execute_script(buttons, "main") == browser.execute_script(buttons, "aside") + ["event"]
    browser.resize(390, 900)
    top = browser.execute_script("return document.getElementById('log').getBoundingClientRect().bottom + scrollY")
    assert top < 900, f"the log begins {top} pixels below the top"
    height = browser.execute_script("return document.documentElement.scrollHeight")
    assert height < 3000, f"the page is {height} pixels high on a phone"
    browser.resize(1280, 900)


def check_refusal(browser, shots, name):
    """A page that says no has a heading, a title of its own and a way back, and no code in its address."""
    check_page(browser, shots, name)
    assert browser.execute_script("return document.querySelectorAll('main h1, main h2').length") == 1
    assert browser.execute_script("return document.querySelectorAll('main a[href]').length") == 1
    assert browser.execute_script("return document.title") != "Almanac"
    assert "code=" not in browser.current_url, "the code stays in the address"


def save(browser, folder, name):
    pathlib.Path(folder, name).write_bytes(browser.picture())


def check_page(browser, shots, name):
    """Everything that has to hold for any page, at two widths."""
    for width in (1280, 390):
        browser.resize(width, 900)
        overflow = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{name} is {overflow} pixels too wide at {width}"
        if shots:
            save(browser, shots, f"{name}-{width}.png")
            browser.prefer("dark")
            save(browser, shots, f"{name}-{width}-dark.png")
            browser.prefer("light")
    browser.resize(1280, 900)
    assert browser.execute_script("return document.documentElement.lang") == "en"
    assert browser.execute_script("return document.querySelectorAll('main').length") == 1
    outside = browser.execute_script(
        "return performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(location.origin))")
    outside = [url for url in outside if not url.endswith("/picture.png")]
    assert not outside, f"{name} loads from outside: {outside}"
    assert browser.execute_script("return document.cookie") == "", "a script can read a cookie"


def walk(almanac, shots):
    process = subprocess.Popen(
        [almanac, "demo", "--web", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        entrance = re.search(r"http://\S+", line).group(0)
        origin = re.match(r"http://[^/]+", entrance).group(0)
        with Browser() as browser:
            browser.get(entrance)
            assert browser.current_url == origin + "/", "the key stays in the address"
            check_page(browser, shots, "signed-out")
            assert browser.execute_script("return document.title").startswith("Signed out")
            check_start(browser)

            # A name of its own, since cookies ignore ports.
            cookie = browser.get_cookie("almanac-" + origin.rsplit(":", 1)[1])

            # The whole page can be used with the keyboard: the skip link first, then Grant.
            ActionChains(browser).send_keys(Keys.TAB).perform()
            assert browser.execute_script("return document.activeElement.className") == "skip"
            ActionChains(browser).send_keys(Keys.TAB).perform()
            assert browser.execute_script("return document.activeElement.id") == "grant"

            browser.click("#grant")
            assert not browser.current_url.startswith(origin), "Grant does not lead to the authorization server"
            check_page(browser, shots, "consent")
            browser.click("[name='scope:https://www.googleapis.com/auth/calendar.readonly']", leaves=False)
            decide(browser, origin, "allow")
            assert "Only a part" in text(browser) and "your calendars and their events" in text(browser)
            check_page(browser, shots, "partly-granted")

            browser.click("#grant")
            consent = browser.execute_script("return document.querySelector('[name=consent]').value")
            decide(browser, origin, "allow")
            assert browser.execute_script("return document.title").startswith("Access is granted")
            assert browser.execute_script("return document.activeElement.getAttribute('role')") == "status", "it is not announced"
            check_page(browser, shots, "signed-in")
            check_edges(browser, ".painted")
            check_levers(browser)
            browser.click("#event")
            assert "Added “Tea with Almanac”" in text(browser), "the event is not added"
            check_page(browser, shots, "added")
            browser.get(origin + "/")
            assert "Access is granted." not in text(browser), "the notice stays"
            assert browser.execute_script("return document.title").startswith("Sample Person")

            # The same consent, sent again.
            browser.click("#revoke")
            browser.click("#grant")
            browser.execute_script("document.querySelector('[name=consent]').value = arguments[0]", consent)
            browser.click("[name=decision][value=allow]")
            check_refusal(browser, shots, "used-twice")
            browser.click("main a")
            assert browser.current_url == origin + "/", "the way back leads elsewhere"

            browser.get(origin + "/callback?code=4%2Fs3cret&state=forged")
            check_refusal(browser, shots, "no-sign-in")
            browser.click("main a")
            assert browser.current_url == origin + "/"
            browser.get(origin + "/nowhere")
            check_refusal(browser, shots, "not-found")
            browser.get(entrance)
            check_refusal(browser, shots, "entrance-used")
            browser.click("main a")
            browser.click("#grant")
            decide(browser, origin, "allow")

            rows = browser.execute_script(
                "return [...document.querySelectorAll('tbody tr')].map(row => ({"
                " title: row.cells[0].innerText, hex: row.cells[1].innerText,"
                " shown: getComputedStyle(row).backgroundColor, text: getComputedStyle(row.cells[2]).color }))"
            )
            assert len(rows) >= 12, f"only {len(rows)} calendars"
            for row in rows:
                red, green, blue = (int(row["hex"][i : i + 2], 16) for i in (1, 3, 5))
                assert row["shown"] == f"rgb({red}, {green}, {blue})", f"a calendar is not painted: {row}"
                assert contrast(row["shown"], row["text"]) >= 4.5, f"a calendar cannot be read: {row}"
                assert "\n" in row["title"], f"a calendar has no subtitle: {row}"
            assert len({row["hex"] for row in rows}) > 6, "the calendars all look the same"
            assert browser.execute_script("return document.querySelectorAll('ol.agenda ul li').length") > 3

            picture = "const i = document.querySelector('img.avatar'); return i.complete && i.naturalWidth > 0"
            assert browser.execute_script(picture), "the picture is not shown"
            browser.click("#relaunch")
            assert "no sign-in was needed" in text(browser) and "Trabajo" in text(browser)
            check_page(browser, shots, "relaunched")
            check_exchange(browser, origin, cookie, shots)
            browser.click("#hour")
            assert "Access token refreshed" in text(browser)
            check_page(browser, shots, "refreshed")
            browser.click("#forget")
            assert "401 GET" in text(browser), "the rejected request is not shown"
            check_page(browser, shots, "rejected")

            tokens = re.findall(r"[A-Za-z0-9_-]{43,}", browser.execute_script("return document.documentElement.outerHTML"))
            allowed = browser.execute_script("return [document.querySelector('input[name=key]').value, document.querySelector('style').nonce]")
            assert set(tokens) <= set(allowed), "something that looks like a token is in the page"

            browser.click("#revoke-at-server")
            assert "Error:" in text(browser) and browser.execute_script("return !!document.querySelector('#grant')")
            check_page(browser, shots, "revoked-at-server")
            browser.click("#grant")
            decide(browser, origin, "allow")
            browser.click("#revoke")
            assert "revoked" in text(browser)
            assert browser.execute_script("return !!document.querySelector('#grant')")
            check_page(browser, shots, "revoked")

            browser.click("#grant")
            decide(browser, origin, "deny")
            assert "Error: The user denied access" in text(browser)
            assert browser.execute_script("return document.activeElement.getAttribute('role')") == "alert", "it is not announced"
            check_page(browser, shots, "denied")
            check_edges(browser, ".error")
            refusals = ("favicon", "status of 400", "status of 403", "status of 404")
            messages = [entry["message"] for entry in browser.get_log("browser")]
            complaints = [message for message in messages if not any(part in message for part in refusals)]
            assert not complaints, complaints
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(10)
    assert code == 0, f"stopped, the command ended with {code}"
    print("page: granted in part and whole, listed, relaunched, refreshed, rejected, revoked, used twice, denied")


if __name__ == "__main__":
    walk(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
