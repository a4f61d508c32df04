# SPDX-License-Identifier: Apache-2.0
"""The scores in CONTRIBUTING.md, between comments that name them."""
import datetime
import re

from .package import ROOT
from .trials import NOTICED

FILE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| ([\d-]+) \|$", re.M)
SURVIVOR = re.compile(r"^- `(\w+)`: (.*)$", re.M)


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def percent_of(outcomes):
    noticed = sum(outcome == NOTICED for outcome, _ in outcomes.values())
    return 100 * noticed / max(1, len(outcomes))


def section(document, name):
    """The range of the text between the comments of this name."""
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
    """Writes the rows of the modules of which every fault was tried, and leaves the others as they are."""
    document = FILE.read_text()
    start, end = section(document, "list")
    write("list", list_text(document[start:end], everything, outcomes, today()))


def list_text(old, everything, outcomes, date):
    """The table of the list, and the survivors, with those of an earlier text where a module was not tried as a whole."""
    rows = {module: (int(noticed), int(count), day) for module, noticed, count, day in ROW.findall(old) if module != "all"}
    survivors = SURVIVOR.findall(old)
    for module in sorted({fault.module for fault in outcomes}):
        faults = [fault for fault in everything if fault.module == module]
        if not all(fault in outcomes for fault in faults):
            continue
        missed = [fault for fault in faults if outcomes[fault][0] != NOTICED]
        rows[module] = len(faults) - len(missed), len(faults), date
        survivors = [(name, title) for name, title in survivors if name != module]
        survivors += [(module, fault.title) for fault in missed]
    lines = ["| Module | noticed | faults | date |", "|---|--:|--:|---|"]
    lines += [f"| {module} | {noticed} | {count} | {day} |" for module, (noticed, count, day) in sorted(rows.items())]
    noticed, count = (sum(row[at] for row in rows.values()) for at in (0, 1))
    lines.append(f"| all | {noticed} | {count} | {100 * noticed / max(1, count):.1f} % |")
    if survivors:
        lines += ["", "Not noticed:", ""] + [f"- `{module}`: {title}" for module, title in sorted(survivors)]
    return "\n".join(lines)
