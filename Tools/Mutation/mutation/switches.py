# SPDX-License-Identifier: Apache-2.0
"""Sources with faults behind switches, each beside the original text."""
import pathlib
import re

from .bodies import bodies, constants
from .source import Source


def with_switches(text, faults):
    """Returns the source with every fault in a body or a constant beside the original text, and these faults."""
    functions, values = bodies(text), constants(text)
    source, places, notes = Source(text), {}, []
    for fault in faults:
        start, end, _ = fault.change()
        for group in (functions, values):
            inner = min(((b - a, a, b) for a, b in group if a <= start and end <= b), default=None)
            if inner:
                places.setdefault(inner[1:], []).append(fault)
                # For a fault in a block, tests are recorded when they reach the block, not the function.
                if group is functions and (block := source.block_around(inner[1], start, end)):
                    notes.append((block, fault.identifier))
                break

    in_blocks = {fault: block for block, fault in notes}

    def render(start, end):
        """Returns the text of a range with its bodies replaced. Ranges are nested or disjoint."""
        result, at = [], start
        inside = [(a, b) for a, b in places if start <= a and b <= end and (a, b) != (start, end)]
        for a, b in sorted(inside):
            if a < at:
                continue
            result += [noted(at, a), switch((a, b))]
            at = b
        return "".join(result) + noted(at, end)

    def noted(start, end):
        """Returns the text of a range with a record at the start of each block with a fault."""
        result, at = [], start
        for block, fault in sorted(notes):
            if start <= block <= end:
                result += [text[at:block], f" notePassed({fault});"]
                at = block
        return "".join(result) + text[at:end]

    def switch(place):
        start, end = place
        plain, result = render(start, end), ""
        for fault in places[place]:
            a, b, new = fault.change()
            before = text[start:a]
            mark, condition = f"/*fault {fault.identifier}*/", f"isActive({fault.identifier})"
            if block := in_blocks.get(fault.identifier):
                condition = f"isActiveInBlock({fault.identifier})"
                before = f"{text[start:block]} notePassed({fault.identifier});{text[block:a]}"
            faulty = before + new + text[b:end]
            if place in functions:
                result += f" {'else ' if result else ''}if {condition} {{{mark}{faulty}\n{mark}}}"
            else:
                result += f"{condition} ? {mark}{faulty}{mark} : "
        return f"{result} else {{{plain}\n}} " if place in functions else result + plain

    if not places:
        return text, []
    return f"public import ActiveFault\n{render(0, len(text))}", [fault for group in places.values() for fault in group]


def faults_of_errors(output, switched, copy):
    """Returns the faults that a failed build blames: those at the lines of a file's errors, or all faults of the file.

    A broken fault can cause errors after it. Other broken faults appear in the next build.
    """
    result, errors = set(), {}
    for path, line in re.findall(r"^(/\S+?):(\d+):\d+: error: ", output, re.M):
        errors.setdefault(pathlib.Path(path), set()).add(int(line))
    for path, numbers in errors.items():
        lines = path.read_text().splitlines()
        in_file = [fault for fault in switched if copy / fault.path == path]
        exact = []
        for fault in in_file:
            marked = [at for at, text in enumerate(lines, 1) if f"/*fault {fault.identifier}*/" in text]
            if marked and any(marked[0] <= number <= marked[-1] for number in numbers):
                exact.append(fault)
        result.update(exact or in_file)
    return result
