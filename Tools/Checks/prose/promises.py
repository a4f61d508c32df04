# SPDX-License-Identifier: Apache-2.0
"""The promises in the tables of SECURITY.md and Documentation/Comparison.md, and the tests that they name."""

import re

# A test by its name, or a tool or snippet, which is run as a whole.
PROOF = re.compile(r'\]\((?:\.\./)?(?:Tests/\S+\.swift "\w+"|(?:Tools|Snippets)/\S+)\)')
PROTECTION, ALMANAC = "Protection", "Almanac"


def unproven(text):
    """Returns the promises of a page that name no test.

    A promise is a part of a cell under "Protection", between semicolons, or a cell under "Almanac" that does not begin with "no"."""
    found = []
    column = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) < 2:
            column = ""
        elif not column:
            column = cells[1]
        elif column in (PROTECTION, ALMANAC) and not cells[1].startswith("---"):
            promises = cells[1].split("; ") if column == PROTECTION else [] if re.match(r"no\b", cells[1]) else [cells[1]]
            found += [f"{cells[0]}: {promise}" for promise in promises if not PROOF.search(promise)]
    return found
