# SPDX-License-Identifier: Apache-2.0
"""Sources with faults behind switches, each beside the text that it replaces."""
import pathlib
import re

from .bodies import bodies, constants
from .source import Source


def with_switches(text, faults):
    """The source with every fault that stands in a body or a constant beside the text that it replaces, and those faults."""
    functions, values = bodies(text), constants(text)
    source, places, notes = Source(text), {}, []
    for fault in faults:
        start, end, _ = fault.change(text)
        for group in (functions, values):
            inner = min(((b - a, a, b) for a, b in group if a <= start and end <= b), default=None)
            if inner:
                places.setdefault(inner[1:], []).append(fault)
                # A fault in a block has its test note that it comes to the block, not to the function.
                if group is functions and (block := source.block_around(inner[1], start, end)):
                    notes.append((block, fault.identifier))
                break

    in_blocks = {fault: block for block, fault in notes}

    def render(start, end):
        """The text of a range with the bodies in it replaced; ranges never overlap except as a whole."""
        result, at = [], start
        inside = [(a, b) for a, b in places if start <= a and b <= end and (a, b) != (start, end)]
        for a, b in sorted(inside):
            if a < at:
                continue
            result += [noted(at, a), switch((a, b))]
            at = b
        return "".join(result) + noted(at, end)

    def noted(start, end):
        """The text of a range with a note at the begin of each block that has a fault."""
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
            a, b, new = fault.change(text)
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
    """The faults that a build with switches failed with: those at the lines of a file's errors, or else all of the file.

    One that is broken may cause errors after it. What else is broken shows when it is gone.
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
