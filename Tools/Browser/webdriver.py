# SPDX-License-Identifier: Apache-2.0
"""Drives headless Chromium through the W3C WebDriver protocol, with the standard library alone."""

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


class Browser:
    """A browser of its own profile; use it as a context manager."""

    def __init__(self, width=1280, height=900):
        self.size = (width, height)

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--allowed-ips=127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self._call("GET", "/status")
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        options = {
            "binary": shutil.which("chromium") or shutil.which("google-chrome"),
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--no-proxy-server", "--window-size=%d,%d" % self.size],
        }
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += "/session/" + session["sessionId"]
        return self

    def __exit__(self, *exception):
        try:
            self._call("DELETE", "")
        except (urllib.error.URLError, ConnectionError, RuntimeError):
            pass
        self.driver.terminate()
        self.driver.wait(10)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def _devtools(self, command, parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        self._call("POST", "/url", {"url": address})

    @property
    def address(self):
        return self._call("GET", "/url")

    def cookie(self, name):
        """A cookie as a request carries it, also one that no script can read."""
        return "%s=%s" % (name, self._call("GET", "/cookie/" + name)["value"])

    def resize(self, width, height):
        """Sets the size of what the page sees, below the smallest window too."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._devtools("Emulation.setDeviceMetricsOverride", metrics)

    def run(self, script, *arguments):
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def prefer(self, scheme):
        """Sets the colour scheme that the page is told of: light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._devtools("Emulation.setEmulatedMedia", {"features": features})

    def show(self, html):
        """Shows a text in place of the current page, under its address and its policy."""
        frame = self._devtools("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
        self._devtools("Page.setDocumentContent", {"frameId": frame, "html": html})

    def click(self, selector, leaves=True):
        """Presses an element and, if it leaves the page, waits for the page it leads to."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self.run("document.documentElement.dataset.old = '1'")
        self._call("POST", "/element/%s/click" % next(iter(found.values())), {})
        if not leaves:
            return
        self.wait("return document.readyState === 'complete' && !document.documentElement.dataset.old")

    def press(self, key):
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def wait(self, script, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except RuntimeError:
                pass  # between two pages
            time.sleep(0.02)
        raise AssertionError("the page never became: " + script)

    def picture(self):
        """The whole page, as PNG."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return innerWidth")
        self.resize(width, min(height, 4000))
        return base64.b64decode(self._call("GET", "/screenshot"))

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(self.picture())

    def console(self):
        """What the browser complained of, such as a violated content security policy."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]
