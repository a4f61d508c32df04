#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the documents: what the almanac command prints, and the page that it serves, in light and dark.

usage: pictures.py ALMANAC FOLDER [--check]

The command runs at a fixed time, so that the pictures change only when what they show changes. With --check nothing is written: a
picture that is missing or shows something else than the one in the folder is named, and the status is 1.
"""

import contextlib
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops

import terminal
from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# A Monday, in the morning.
TIME = "2026-11-23 08:00:00"
SCHEMES = ("light", "dark")
# Another version of the browser draws edges of letters a little differently.
DIFFERENT = 48
DIFFERENT_SHARE = 0.01


@contextlib.contextmanager
def started(command, environment):
    """A program that serves until it is ended; yields its first line that has a URL."""
    # In a group of its own: faketime starts the program as another process.
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    try:
        yield next(match.group() for line in process.stdout if (match := re.search(r"http://\S+", line)))
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def at_fixed_time(almanac, *arguments):
    return ["faketime", TIME, almanac, *arguments]


def printed(almanac, arguments, environment):
    """What a command prints, with the line that a user types before it."""
    command = at_fixed_time(almanac, *arguments, "--color", "always")
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(arguments)}: {result.stderr}")
    return [line.rstrip() for line in [f"\x1b[2m$ almanac {' '.join(arguments)}\x1b[0m", *result.stdout.splitlines()]]


def signed_in(almanac, environment, folder):
    """The lines of two commands for an account of the sandbox."""
    browser = folder / "browser"
    browser.symlink_to(ROOT / "Tools" / "Interop" / "approve.py")
    environment = environment | {"BROWSER": str(browser)}
    with started(at_fixed_time(almanac, "sandbox"), environment) as url:
        origin = re.match(r"http://[\d.]+:\d+", url).group()
        scopes = "openid email profile https://www.googleapis.com/auth/calendar.readonly"
        client = ["--client-id", "almanac", "--issuer", origin, "--api-url", origin, "--scope", scopes]
        subprocess.run(
            at_fixed_time(almanac, "sign-in", *client), env=environment, check=True, capture_output=True, timeout=60)
        calendars = printed(almanac, ["calendars"], environment)
        return [*calendars, "", *printed(almanac, ["agenda", "--days", "1"], environment)]


def sections(almanac, environment):
    """The systems that `almanac demo --all` shows, by their names."""
    lines = printed(almanac, ["demo", "--all"], environment)
    found, name = {}, None
    for line in lines[1:]:
        if line.startswith("\x1b[1m"):
            name = re.sub(r"\x1b\[[0-9;]*m", "", line)
        if line and name and not line.startswith("5 of 5"):
            found.setdefault(name, [lines[0], ""]).append(line)
    return found


def drawings(almanac, environment, folder):
    """The pictures of the terminal, by their names."""
    systems = sections(almanac, environment)
    shown = {
        "terminal": signed_in(almanac, environment, folder),
        "grant-refresh-revoke": systems["Spanish tutorial, part 3"],
        "other-provider": systems["OAuth primer"],
        "app-flip": systems["App Flip for iOS"],
    }
    for name, lines in shown.items():
        for scheme in SCHEMES:
            yield f"{name}-{scheme}.svg", terminal.drawing(lines, scheme).encode()


def cropped(browser, heading):
    """A section of the page, found by its heading."""
    box = browser.execute_script(
        "const b = document.getElementById(arguments[0]).closest('section').getBoundingClientRect();"
        "return [b.left + scrollX, b.top + scrollY, b.right + scrollX, b.bottom + scrollY]",
        heading,
    )
    return tuple(round(edge) for edge in box)


def screenshots(almanac, environment):
    """The pictures of the page, by their names."""
    command = at_fixed_time(almanac, "demo", "--web", "--no-browser")
    with started(command, environment) as entrance, Browser() as browser:
        browser.get(entrance)
        browser.click("#grant")
        browser.click("[name=decision][value=allow]")
        browser.wait("return location.pathname === '/' && document.readyState === 'complete'")
        browser.get(browser.current_url)
        browser.wait("const i = document.querySelector('img.avatar'); return i && i.complete && i.naturalWidth > 0")
        for scheme in SCHEMES:
            browser.prefer(scheme)
            # Wide enough for the demonstration's buttons beside the calendars.
            browser.resize(1040, 900)
            page = Image.open(io.BytesIO(browser.picture())).convert("RGB")
            # The beginning of the page, down to the end of the calendars' list.
            yield f"page-{scheme}.png", page.crop((0, 0, page.width, cropped(browser, "calendars")[3] + 8))
            browser.resize(800, 900)
            narrow = Image.open(io.BytesIO(browser.picture())).convert("RGB")
            for name, heading in (("calendar-list", "calendars"), ("profile", "profile")):
                yield f"{name}-{scheme}.png", narrow.crop(cropped(browser, heading))


def png(image):
    """The picture in as few bytes as it needs: a page has few colours."""
    file = io.BytesIO()
    image.quantize(128, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def same(old, new, name):
    """Whether two pictures show the same; those of the browser to the eye, since letters are not drawn alike everywhere."""
    if name.endswith(".svg"):
        return old == new
    one, other = (Image.open(io.BytesIO(data)).convert("RGB") for data in (old, new))
    if one.size != other.size:
        return False
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > DIFFERENT else 0)
    return difference.histogram()[255] <= DIFFERENT_SHARE * one.width * one.height


def main(almanac, folder, check):
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory(prefix="almanac-pictures.") as home:
        home = pathlib.Path(home)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ALMANAC_")}
        environment |= {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"), "TZ": "UTC",
                        "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        pictures = dict(drawings(almanac, environment, home))
        pictures |= {name: png(image) for name, image in screenshots(almanac, environment)}
    if not check:
        folder.mkdir(exist_ok=True)
        for name, data in pictures.items():
            if not (folder / name).exists() or not same((folder / name).read_bytes(), data, name):
                (folder / name).write_bytes(data)
                print(f"{name}: {len(data)} bytes")
        return 0
    there = {file.name: file.read_bytes() for file in folder.iterdir()}
    faults = [name for name in sorted(pictures | there) if name not in there or name not in pictures]
    faults += [name for name in sorted(pictures) if name in there and not same(there[name], pictures[name], name)]
    for name in faults:
        print(f"{name} does not show what the command and the page show now: run ./Tools/Pictures/pictures", file=sys.stderr)
    print(f"{len(pictures)} pictures, {sum(map(len, there.values())) // 1024} KB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--check" in sys.argv[3:]))
