# SPDX-License-Identifier: Apache-2.0
"""The report of random faults: scores by module, and the survivors for a reader to group."""
import datetime
import subprocess

from . import equivalent
from .package import ROOT
from .trials import NOTICED


def commit():
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    changed = "with changes" if git("status", "--porcelain", "--", "Sources", "Tests") else ""
    return f"{git('rev-parse', '--short', 'HEAD')} {changed}".strip()


def percent(noticed, survived):
    return f"{100 * noticed / (noticed + survived):.1f}" if noticed + survived else "–"


def table(outcomes, reasons, dropped):
    """The score by module. Equivalent faults are not part of it, and stand beside it."""
    lines = ["| Module | noticed | survived | score, % | equivalent | did not compile |", "|---|--:|--:|--:|--:|--:|"]
    sums = [0, 0, 0, 0]
    for module in sorted({fault.module for fault in list(outcomes) + dropped}):
        equal = [fault for fault in reasons if fault.module == module]
        results = [outcome for fault, (outcome, _) in outcomes.items() if fault.module == module and fault not in reasons]
        row = [results.count(NOTICED), len(results) - results.count(NOTICED), len(equal),
               sum(fault.module == module for fault in dropped)]
        sums = [one + other for one, other in zip(sums, row)]
        lines.append(f"| {module} | {row[0]} | {row[1]} | {percent(*row[:2])} | {row[2]} | {row[3]} |")
    lines.append(f"| all | {sums[0]} | {sums[1]} | {percent(*sums[:2])} | {sums[2]} | {sums[3]} |")
    return "\n".join(lines)


def score(outcomes):
    listed = equivalent.reasons(outcomes)
    results = [outcome for fault, (outcome, _) in outcomes.items() if outcome == NOTICED or fault not in listed]
    return 100 * results.count(NOTICED) / max(1, len(results))


def text(outcomes, dropped, seed, own_tests, failing):
    listed = equivalent.reasons(outcomes)
    reasons = {fault: reason for fault, reason in listed.items() if outcomes[fault][0] != NOTICED}
    survivors = [fault for fault, (outcome, _) in outcomes.items() if outcome != NOTICED and fault not in reasons]
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    parts = [f"Random faults: seed {seed}, {date}, commit {commit()}, {len(outcomes) + len(dropped)} drawn"
             + (", each module's own tests alone" if own_tests else ""), table(outcomes, reasons, dropped)]
    parts.append(f"{len(reasons)} of {len(outcomes)} that compile are equivalent"
                 f" ({100 * len(reasons) / max(1, len(outcomes)):.1f} %), and not part of the score.")
    for fault in listed.keys() - reasons.keys():
        parts.append(f"Listed as equivalent, and noticed by {outcomes[fault][1]}: {fault}")
    if failing:
        parts.append("Not used, since they failed without a fault:\n" + "\n".join(f"  {test}" for test in failing))
    for fault, reason in reasons.items():
        parts.append(f"equivalent: {fault}\n" + "\n".join(fault.difference()) + f"\n  {reason}")
    if survivors:
        parts.append(f"Survivors: {len(survivors)}")
    for fault in sorted(survivors, key=lambda fault: (fault.path, fault.line)):
        parts.append(f"{fault} ({outcomes[fault][1]})\n" + "\n".join(fault.difference()))
    return "\n\n".join(parts)
