# SPDX-License-Identifier: Apache-2.0
"""Sources with faults behind switches, each beside the original text."""
import pathlib
import re

from .bodies import bodies, constants


def with_switches(text, faults):
    """Returns the source with every fault in a body or a constant beside the original text, and these faults."""
    functions, values = bodies(text), constants(text)
    places = {}
    for fault in faults:
        for group in (functions, values):
            inner = min(((b - a, a, b) for a, b in group if a <= fault.start and fault.end <= b), default=None)
            if inner:
                places.setdefault(inner[1:], []).append(fault)
                break

    def render(start, end):
        """Returns the text of a range with its bodies replaced. Ranges are nested or disjoint."""
        result, at = "", start
        for a, b in sorted(place for place in places if start <= place[0] and place[1] <= end and place != (start, end)):
            if a >= at:
                result += text[at:a] + switch(a, b)
                at = b
        return result + text[at:end]

    def switch(start, end):
        result, is_body = "", (start, end) in functions
        for fault in places[start, end]:
            mark, condition = f"/*fault {fault.identifier}*/", f"isActive({fault.identifier})"
            faulty = mark + text[start:fault.start] + fault.new + text[fault.end:end]
            if is_body:
                result += f" {'else ' if result else ''}if {condition} {{{faulty}\n{mark}}}"
            else:
                result += f"{condition} ? {faulty}{mark} : "
        plain = render(start, end)
        return f"{result} else {{{plain}\n}} " if is_body else result + plain

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
