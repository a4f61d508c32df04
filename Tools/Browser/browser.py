# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium with what the tests and the pictures need of it."""

import shutil

from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.support.wait import WebDriverWait

ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--no-proxy-server", "--window-size=1280,900")


class Browser(Chrome):
    """A browser with a profile of its own, for as long as the block runs."""

    def __init__(self):
        options = ChromeOptions()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options, ChromeService(shutil.which("chromedriver")))

    def resize(self, width, height):
        """Sets the size of what the page sees, below the smallest window too."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme):
        """Sets the colour scheme that the page is told of: light or dark."""
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def show(self, html):
        """Shows a text in place of the current page, under its address and its policy."""
        frame = self.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
        self.execute_cdp_cmd("Page.setDocumentContent", {"frameId": frame, "html": html})

    def click(self, selector, leaves=True):
        """Presses an element and, if it leaves the page, waits for the page it leads to."""
        element = self.find_element("css selector", selector)
        self.execute_script("document.documentElement.dataset.old = '1'")
        element.click()
        if leaves:
            self.wait("return document.readyState === 'complete' && !document.documentElement.dataset.old")

    def wait(self, script):
        # A script fails between two pages.
        WebDriverWait(self, 20, 0.02, [Exception]).until(lambda _: self.execute_script(script), f"the page never became: {script}")

    def picture(self):
        """The whole page, as PNG."""
        width, height = self.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
        self.resize(width, min(height, 4000))
        return self.get_screenshot_as_png()
