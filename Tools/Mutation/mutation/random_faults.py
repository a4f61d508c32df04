# SPDX-License-Identifier: Apache-2.0
"""Draws faults at random places. The same sources and seed draw the same faults."""
import collections
import math
import random
import re

from .fault import Fault
from .operators import changes
from .package import ROOT, git
from .source import Source

# The maximum number of places per function in the draw, for functions such as tables of data.
PLACES = 12


def modules_of(package):
    """Returns the sources for faults, by module."""
    result = collections.defaultdict(dict)
    for path, content in sorted(package.items()):
        if path.startswith("Sources/") and path.endswith(".swift") and "/Generated/" not in path:
            result[path.split("/")[1]][path] = content.decode()
    return result


def draw(package, count, seed, only=None, changed=None):
    """Returns the faults of a seed. With `changed`, lines by path, only functions with one of these lines are drawn."""
    places = {}
    for module, files in modules_of(package).items():
        if only and module not in only:
            continue
        found = []
        for path, text in files.items():
            if changed is not None and path not in changed:
                continue
            source = Source(text)
            for function in source.functions:
                lines = range(source.line(function.start), source.line(function.end) + 1)
                if changed is None or not changed[path].isdisjoint(lines):
                    operators = changes(source, function)
                    if operators:
                        found.append((path, source, function, operators))
        if found:
            places[module] = found
    if not places:
        return []
    # One half of the faults is drawn evenly from the modules, one half by the square root of the number of functions.
    roots = [math.sqrt(len(found)) for found in places.values()]
    weights = [1 / len(roots) + root / sum(roots) for root in roots]
    numbers = collections.Counter(random.Random(seed).choices(list(places), weights, k=count))
    faults = [
        fault for module, number in numbers.items()
        for fault in draw_in(places[module], number, random.Random(f"{seed} {module}"))]
    # Two operators can make the same change.
    return list({fault.identifier: fault for fault in faults}.values())


def draw_in(functions, count, generator):
    """Draws a function, then an operator, then a place."""
    weights = [min(PLACES, sum(map(len, operators.values()))) for _, _, _, operators in functions]
    left = [{name: list(found) for name, found in operators.items()} for _, _, _, operators in functions]
    result = []
    while len(result) < count and any(weights):
        [index] = generator.choices(range(len(functions)), weights)
        operators = left[index]
        operator = generator.choice(sorted(operators))
        change = operators[operator].pop(generator.randrange(len(operators[operator])))
        if not operators[operator]:
            del operators[operator]
        if not operators:
            weights[index] = 0
        path, source, function, _ = functions[index]
        result.append(Fault(path, source.text, change, f"{function.name}: {operator}"))
    return result


def changed_since(commit):
    """Returns the lines of Sources that differ from a commit, by path, including uncommitted changes and new files."""
    output = git("diff", "--unified=0", "--no-color", "--no-ext-diff", commit, "--", "Sources")
    result, path = collections.defaultdict(set), None
    for line in output.split("\n"):
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif path and (match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)):
            first, number = int(match[1]), int(match[2] or 1)
            # Removed lines count as changes of the adjacent lines.
            result[path].update(range(first, first + number) if number else (first, first + 1))
    for path in git("ls-files", "-o", "--exclude-standard", "Sources").split():
        result[path].update(range(1, (ROOT / path).read_text().count("\n") + 2))
    return result
