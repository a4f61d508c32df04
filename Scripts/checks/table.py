# SPDX-License-Identifier: Apache-2.0
"""The table of checks: every check of the package, once. `.ci/run` and `Scripts/check` run them, and `Scripts/check --list` prints them.

The order is from cheap to dear; what needs servers or a browser comes last.
"""
from dataclasses import dataclass

# The kinds of checks.
QUICK = "quick"  # Scripts/check and .ci/run run it.
WHOLE = "whole"  # .ci/run alone runs it.
CHANGED = "changed"  # Scripts/check alone runs it, in place of a check of everything.

# The checks that may run at the same time.
IN_TURN = "in turn"  # One at a time: they use the package's build folder, or ports that documents name.
BESIDE = "beside"  # One at a time, but beside those in turn: they build in folders of their own, and install no packages.
ALONE = "alone"  # Beside no other: they measure time, or their result is needed by all that follow.


@dataclass(frozen=True)
class Check:
    name: str
    # For bash, in the root of the package.
    command: str
    # One sentence about what holds if the check passes.
    proves: str
    kind: str = WHOLE
    runs: str = IN_TURN
    # The Debian packages that the command needs, each named like its program.
    packages: tuple = ()
    # Texts that the output contains.
    prints: tuple = ()
    # A pattern that no line of the output matches.
    refuses: str = ""


CHECKS = [
    Check("licence", "./Scripts/check-licence", "Every source file names its licence in its first line.", QUICK),
    Check("tools", "python3 -m unittest discover -s Scripts", "The tools in Scripts pass their own tests.", QUICK),
    Check(
        "generator", "python3 -m unittest discover -t API -s API/generator/tests", "The generator passes its own tests.", QUICK),
    Check("generated code", "./Scripts/generate --check", "The generated code is what the table of the Calendar API says.", QUICK),
    Check(
        "text of documents", "./Scripts/check-snippets --text",
        "The code in documents is the text of snippets, and links between documents lead somewhere.", QUICK),
    Check(
        "format", "swift format lint --strict -r Package.swift Sources Tests Benchmarks Examples Fuzz Snippets",
        "Swift files have the layout of .swift-format.", QUICK),
    Check(
        "tests of what changed", "./Scripts/test --filter CHANGED",
        "The modules that changed since a commit pass their tests, and so do all modules that depend on them.", CHANGED, ALONE),
    Check(
        "tests", "./Scripts/test", "Everything builds without a warning and passes its tests, by the command in README.",
        runs=ALONE, packages=("strace",), refuses=r"^[^ ]*\.(swift|h|c):[0-9]+:[0-9]+: warning: |^warning: "),

    # These take one processor each and need no servers.
    Check("Apple", "./Scripts/typecheck-apple", "The code for Apple's platforms compiles against declarations of its frameworks.", runs=BESIDE),
    Check(
        "modules", "./Scripts/check-modules", "Every product builds, links and runs in a consumer's package, with its own modules alone; the examples, packages too, pass their tests.",
        runs=BESIDE),
    Check(
        "fuzz", "SEED=1 ./Scripts/fuzz 2", "The hot paths and the readers of messages withstand random bytes, under the address sanitizer.",
        runs=BESIDE),
    Check(
        "release build", "swift build -c release --product Benchmarks --scratch-path .build/benchmarks",
        "The benchmarks build with optimisation.", runs=BESIDE),

    Check("API", "./Scripts/check-api", "The public API is compatible with the last release."),
    Check("snippets run", "./Scripts/run-snippets", "The snippets that need no account print what they should."),
    Check("recurrence", "./Scripts/check-recurrence", "Recurrence rules have the same occurrences as in python-dateutil."),
    Check("snippets compile", "./Scripts/check-snippets", "The code in documents compiles in a reader's program, and mistakes do not."),
    Check(
        "documentation", "./Scripts/check-docs",
        "The documentation has no broken link, names every public type and explains every error's code."),
    Check(
        "demo", "./Scripts/demo", "The demo signs in, lists, refreshes, retries and revokes.",
        prints=(
            "of them, in their own colours", "one refresh", "401, one refresh",
            "Done: 1 sign-in, 1 refresh, 1 retried 401, 1 revocation.")),
    Check("demo of all systems", "./Scripts/demo --all", "Each system that the sandbox stands in for is demonstrated without a failure."),
    Check(
        "commands in documents", "./Scripts/run-commands", "The shell commands in documents run as they stand.", packages=("jq", "curl")),
    Check("interoperability", "./Scripts/interop", "OAuth and Calendar clients and servers by others work with Almanac."),
    Check("page", "./Scripts/test-page .build/screenshots", "The demo's page works in Chromium."),
    Check("pictures", "./Scripts/pictures --check", "The pictures in documents show what the command and the page show now."),
    Check(
        "servers", "./Scripts/test-http", "The transport works with TLS, HTTP/2 and proxy servers, and withstands broken ones.", runs=ALONE),
    Check(
        "benchmarks", "swift run -c release --scratch-path .build/benchmarks Benchmarks --check --short",
        "No ratio of the benchmarks fell below its gate.", runs=ALONE),
]


def gate():
    """The checks of .ci/run."""
    return [check for check in CHECKS if check.kind != CHANGED]


def quick():
    """The checks of Scripts/check."""
    return [check for check in CHECKS if check.kind != WHOLE]


def as_text(checks):
    """The table as text: a line for each check, and below it its command and what it proves."""
    width = max(len(check.name) for check in checks)
    return "\n".join(
        f"{check.name:{width}}  {check.kind:7}  {check.runs:7}  {check.command}\n{'':{width}}  {check.proves}" for check in checks)
