# SPDX-License-Identifier: Apache-2.0
"""The scores in CONTRIBUTING.md, between comments with their names."""
import datetime
import re

from .package import ROOT
from .trials import DETECTED

FILE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| ([\d-]+) \|$", re.M)
SURVIVOR = re.compile(r"^- `(\w+)`: (.*)$", re.M)


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def percent_of(outcomes):
    detected = sum(outcome == DETECTED for outcome, _ in outcomes.values())
    return 100 * detected / max(1, len(outcomes))


def section(document, name):
    """Returns the range of the text between the comments with a name."""
    begin, end = f"<!-- scores: {name} -->\n", f"<!-- end of scores: {name} -->"
    start = document.index(begin) + len(begin)
    return start, document.index(end, start)


def write(name, text):
    document = FILE.read_text()
    start, end = section(document, name)
    FILE.write_text(f"{document[:start]}\n{text}\n\n{document[end:]}")


def write_random(text):
    write("random", text)


def write_list(everything, outcomes):
    """Writes the rows of the modules whose faults were all tried, and leaves the others unchanged."""
    document = FILE.read_text()
    start, end = section(document, "list")
    write("list", list_text(document[start:end], everything, outcomes, today()))


def list_text(old, everything, outcomes, date):
    """Returns the table of the list and the survivors, with earlier rows for modules that were not tried completely."""
    rows = {module: (int(detected), int(count), day) for module, detected, count, day in ROW.findall(old) if module != "all"}
    survivors = SURVIVOR.findall(old)
    for module in sorted({fault.module for fault in outcomes}):
        faults = [fault for fault in everything if fault.module == module]
        if not all(fault in outcomes for fault in faults):
            continue
        missed = [fault for fault in faults if outcomes[fault][0] != DETECTED]
        rows[module] = len(faults) - len(missed), len(faults), date
        survivors = [(name, title) for name, title in survivors if name != module]
        survivors += [(module, fault.title) for fault in missed]
    lines = ["| Module | detected | faults | date |", "|---|--:|--:|---|"]
    lines += [f"| {module} | {detected} | {count} | {day} |" for module, (detected, count, day) in sorted(rows.items())]
    detected, count = (sum(row[at] for row in rows.values()) for at in (0, 1))
    lines.append(f"| all | {detected} | {count} | {100 * detected / max(1, count):.1f} % |")
    if survivors:
        lines += ["", "Not detected:", ""] + [f"- `{module}`: {title}" for module, title in sorted(survivors)]
    return "\n".join(lines)
