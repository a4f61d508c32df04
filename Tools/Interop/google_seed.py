# SPDX-License-Identifier: Apache-2.0
"""The users, clients and calendars that the sandbox begins with for Google's client."""

import json
import pathlib

import sandbox_rows

PATH = pathlib.Path(__file__).with_name("seed.json")
_SEED = json.loads(PATH.read_text())
#: The e-mail addresses of the users.
USERS = [user["email"] for user in _SEED["users"]]
#: The one client.
CLIENT = _SEED["clients"][0]


def running(almanac, folder):
    """Starts a sandbox that begins with the seed and keeps its calendars in a folder, and stops it at the end."""
    return sandbox_rows.running(almanac, "--seed", PATH, "--data", folder)
