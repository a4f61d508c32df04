# SPDX-License-Identifier: Apache-2.0
"""The report: the outcomes by module, and the survivors."""
from .trials import SURVIVED


def text(title, outcomes, dropped, failing):
    """Returns the report as Markdown. `dropped` faults do not compile, and `failing` tests failed without a fault."""
    survivors = sorted((fault for fault, (outcome, _) in outcomes.items() if outcome == SURVIVED), key=lambda fault: (fault.path, fault.line))
    parts = [title, table(outcomes, survivors, dropped)]
    if failing:
        parts.append("Not used, because they failed without a fault:\n" + "\n".join(f"  {test}" for test in failing))
    if survivors:
        parts.append(f"Survivors: {len(survivors)}")
    parts += [f"{fault} ({outcomes[fault][1]})\n" + "\n".join(fault.difference()) for fault in survivors]
    return "\n\n".join(parts)


def table(outcomes, survivors, dropped):
    lines = ["| Module | detected | survived | did not compile |", "|---|--:|--:|--:|"]
    rows = {}
    for faults, column in ((outcomes.keys() - survivors, 0), (survivors, 1), (dropped, 2)):
        for fault in faults:
            rows.setdefault(fault.module, [0, 0, 0])[column] += 1
    sums = [sum(column) for column in zip(*rows.values())]
    return "\n".join(lines + [f"| {name} | {' | '.join(map(str, row))} |" for name, row in [*sorted(rows.items()), ("all", sums)]])
