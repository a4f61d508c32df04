# SPDX-License-Identifier: Apache-2.0
"""The report of random faults: scores by module, and the survivors."""
from . import equivalent
from .scores import today
from .trials import DETECTED


def percent(detected, survived):
    return f"{100 * detected / (detected + survived):.1f}" if detected + survived else "–"


def table(outcomes, reasons, dropped):
    """Returns the table of scores by module. Equivalent faults are not part of a score, and have a separate column."""
    lines = ["| Module | detected | survived | score, % | equivalent | did not compile |", "|---|--:|--:|--:|--:|--:|"]
    sums = [0, 0, 0, 0]
    for module in sorted({fault.module for fault in list(outcomes) + dropped}):
        equal = [fault for fault in reasons if fault.module == module]
        results = [outcome for fault, (outcome, _) in outcomes.items() if fault.module == module and fault not in reasons]
        row = [results.count(DETECTED), len(results) - results.count(DETECTED), len(equal),
               sum(fault.module == module for fault in dropped)]
        sums = [one + other for one, other in zip(sums, row)]
        lines.append(f"| {module} | {row[0]} | {row[1]} | {percent(*row[:2])} | {row[2]} | {row[3]} |")
    lines.append(f"| all | {sums[0]} | {sums[1]} | {percent(*sums[:2])} | {sums[2]} | {sums[3]} |")
    return "\n".join(lines)


def score(outcomes):
    listed = equivalent.reasons(outcomes)
    results = [outcome for fault, (outcome, _) in outcomes.items() if outcome == DETECTED or fault not in listed]
    return 100 * results.count(DETECTED) / max(1, len(results))


def known(outcomes):
    """Returns the reason of each undetected fault that is listed as equivalent."""
    return {fault: reason for fault, reason in equivalent.reasons(outcomes).items() if outcomes[fault][0] != DETECTED}


def summary(outcomes, dropped, samples, commit, own_tests=False):
    """Returns the description of the draw, the score of each seed if there are several, and the table."""
    seeds = ", ".join(samples)
    title = (f"Random faults: seed{'s' if len(samples) > 1 else ''} {seeds}, {today()}, commit {commit},"
             f" {len(outcomes) + len(dropped)} drawn" + (", only each module's own tests" if own_tests else ""))
    parts = [title]
    if len(samples) > 1:
        parts.append("\n".join(f"- Seed {seed}: {score_of(sample, outcomes)}" for seed, sample in samples.items()))
    return "\n\n".join(parts + [table(outcomes, known(outcomes), dropped)])


def score_of(sample, outcomes):
    """Returns the score of one seed as text."""
    compiled = {fault: outcomes[fault] for fault in sample if fault in outcomes}
    detected = sum(outcome == DETECTED for outcome, _ in compiled.values())
    equal = len(known(compiled))
    return f"{detected} of {len(compiled) - equal} detected, {score(compiled):.1f} %; {equal} equivalent"


def text(outcomes, dropped, samples, commit, own_tests, failing):
    listed, reasons = equivalent.reasons(outcomes), known(outcomes)
    survivors = [fault for fault, (outcome, _) in outcomes.items() if outcome != DETECTED and fault not in reasons]
    parts = [summary(outcomes, dropped, samples, commit, own_tests)]
    parts.append(f"{len(reasons)} of {len(outcomes)} compiling faults are equivalent"
                 f" ({100 * len(reasons) / max(1, len(outcomes)):.1f} %), and not part of the score.")
    for fault in listed.keys() - reasons.keys():
        parts.append(f"Listed as equivalent, and detected by {outcomes[fault][1]}: {fault}")
    if failing:
        parts.append("Not used, because they failed without a fault:\n" + "\n".join(f"  {test}" for test in failing))
    for fault, reason in reasons.items():
        parts.append(f"equivalent: {fault}\n" + "\n".join(fault.difference()) + f"\n  {reason}")
    if survivors:
        parts.append(f"Survivors: {len(survivors)}")
    for fault in sorted(survivors, key=lambda fault: (fault.path, fault.line)):
        parts.append(f"{fault} ({outcomes[fault][1]})\n" + "\n".join(fault.difference()))
    return "\n\n".join(parts)
