# SPDX-License-Identifier: Apache-2.0
"""The table of checks: every check of the package, once. `Scripts/check`, `.ci/run` and `.ci/nightly` run parts of it.

Cheap checks come first. Nothing in `.ci/run` depends on the speed or the load of the machine.
"""
from dataclasses import dataclass

from . import build

# The kinds of checks.
QUICK = "quick"  # Scripts/check, .ci/run and .ci/nightly run it.
GATE = "gate"  # .ci/run and .ci/nightly run it: it is deterministic, and cheap for what it proves.
NIGHTLY = "nightly"  # Only .ci/nightly runs it.
CHANGED = "changed"  # Only Scripts/check runs it, instead of a check of everything.

# The checks that may run at the same time.
IN_TURN = "in turn"  # One at a time, because they use the package's build folder, or fixed ports.
BESIDE = "beside"  # Concurrently with one other check: they use separate build folders.
ALONE = "alone"  # Without other checks: they need both processors, or measure time.


@dataclass(frozen=True)
class Check:
    name: str
    # For bash, in the root of the package.
    command: str
    # A sentence that is true if the check passes.
    proves: str
    kind: str = GATE
    runs: str = IN_TURN
    # The Debian packages that the command needs. Each is named like its program, or is written as PROGRAM=PACKAGE.
    packages: tuple = ()
    # Texts that the output must contain.
    prints: tuple = ()
    # A pattern that no line of the output may match.
    refuses: str = ""
    # The command that runs once more after a failure. With {}, it runs once for each failed test, and {} is a pattern of the test's name.
    again: str = ""
    # Whether the check "build" has to run before.
    needs_build: bool = False


def served(name, command, proves, **others):
    """Returns a nightly check that needs a server or a browser, and runs once more after a failure."""
    return Check(name, command, proves, NIGHTLY, again=command, **others)


def counts(program):
    """Returns the command that compares the counts of a program of benchmarks."""
    return (
        ". Scripts/common.sh && need_all_libraries && "
        f"swift run -c release -Xswiftc -gnone --scratch-path .build/benchmarks {program} --count --check")


# The warnings of compilers and of the package manager.
WARNINGS = r"^[^ ]*\.(swift|h|c):[0-9]+:[0-9]+: warning: |^warning: "
# The programs that tests start.
TESTED_WITH = (
    "strace", "pg_ctlcluster=postgresql", "pgbouncer", "gnome-keyring-daemon=gnome-keyring", "dbus-daemon=dbus",
    "secret-tool=libsecret-tools", "/usr/lib/python3/dist-packages/gi=python3-gi")
# The variables for more repetitions, and the tests that read them.
MORE = (
    "ALMANAC_CANCELLATIONS=4000 ALMANAC_EDIT_SEEDS=60 ALMANAC_FAULTS=all ALMANAC_KILLS=500 ALMANAC_LISTING_SEEDS=8 "
    "ALMANAC_MUTATIONS=600 ALMANAC_SEARCHES=300 ALMANAC_SERIES_SEEDS=500 ALMANAC_SIMULATION_SEEDS=10000 "
    "ALMANAC_SPENDING_SEEDS=200 ALMANAC_SYNC_SEEDS=20 ALMANAC_VECTORS=10000 ORACLE_ROUNDS=20000")
REPEATED = (
    "^CalendarSyncTests\\.|^RecurrenceTests\\.|^JSONCodingTests\\.|^HTTPTransportTests\\.|^HexColorTests\\.|^TimekeepingTests\\.|EventListingTests|"
    "CancellationStormTests|CurlConformanceTests|MutatedResponseTests|XAES256GCMTests|FileTokenStorageProcessTests|"
    "^SimulationTests\\.|SpendingHistoryTests|^TokenStorePostgreSQLTests\\.FaultTests")

CHECKS = [
    Check("licence", "./Tools/Checks/check-licence", "Every source file names its licence in its first line.", QUICK, BESIDE),
    Check("imports", "./Tools/Checks/check-imports", "Every target declares its imports, and on Linux no module but HTTPTransportURLSession imports full Foundation.", QUICK),
    Check(
        "tools", "for tool in Checks Mutation; do python3 -m unittest discover -s Tools/$tool; done",
        "The tools written in Python pass their own tests.", QUICK, BESIDE),
    Check(
        "generator", "python3 -m unittest discover -t Tools/API -s Tools/API/generator/tests", "The generator passes its own tests.", QUICK, BESIDE),
    Check("generated code", "./Scripts/generate --check", "The generated code matches the table of the Calendar API.", QUICK, BESIDE),
    Check(
        "text of documents", "./Tools/Checks/check-snippets --text",
        "The code in documents is the text of snippets, links have a target, each promise names its test, and each public type is in a topic.", QUICK, BESIDE),
    Check(
        "words", "./Tools/Checks/check-words",
        "Comments and pages have no summary that begins with a question word, no long sentence and no phrase that is to be replaced.", QUICK, BESIDE),
    Check(
        "format", "swift format lint --strict -r Package.swift Sources Tests Tools Benchmarks Examples Snippets",
        "Swift files are formatted as .swift-format defines.", QUICK, BESIDE),
    Check(
        "tests of changes", "./Scripts/test --filter CHANGED",
        "The modules that changed since a commit, and all modules that depend on them, pass their tests.", CHANGED, ALONE),
    Check(
        "tests", "./Scripts/test --event-stream-output-path .build/checks/tests.jsonl --event-stream-version 0",
        "The modules and their tests build without warnings, and the tests pass with the command in README.",
        packages=TESTED_WITH, again="./Scripts/test --skip-build --filter {}", refuses=WARNINGS),

    # Beside the tests: each of these uses one processor and needs no servers.
    Check(
        "counts", counts("Benchmarks"),
        "No guarded row of the benchmarks executes more instructions, or allocates more, than Benchmarks/counts.txt states.",
        runs=BESIDE, packages=("valgrind", "strip=binutils")),
    Check("Apple", "./Tools/AppleStubs/typecheck-apple", "The code for Apple's platforms compiles against declarations of the frameworks.", runs=BESIDE),
    Check(
        "counts of systems", counts("SystemBenchmarks"),
        "The sandbox executes no more instructions for a call, however many events and tokens it has, than SystemBenchmarks/counts.txt states.",
        NIGHTLY, BESIDE, packages=("valgrind", "strip=binutils")),
    Check(
        "modules", "./Tools/Checks/check-modules", "Every product builds, links and runs in a consumer's package with only its own modules, and the example packages pass their tests.",
        NIGHTLY, BESIDE),
    Check(
        "fuzz", "SEED=1 ./Tools/Fuzz/fuzz 2", "The hot paths and parsers pass their fuzz tests with the address sanitizer.", NIGHTLY, BESIDE),

    Check("API", "./Tools/Checks/check-api", "The version and the changelog allow each break of the public API since the last release."),
    Check(
        "build", build.COMMAND,
        "The rest of the package builds without warnings: snippets, benchmarks and the programs of tools.", refuses=WARNINGS),
    Check("facts", "./Tools/GoogleFacts/check-google --sandbox", "The sandbox has the properties that are listed for comparison with Google.", needs_build=True),
    Check("snippets run", "./Tools/Checks/run-snippets", "The snippets that need no account print the expected output.", needs_build=True),
    Check("snippets compile", "./Tools/Checks/check-snippets", "The code in documents compiles in a reader's program, and the listed mistakes do not.", needs_build=True),
    Check(
        "demo", "./Scripts/demo", "The demo signs in, lists calendars, refreshes, retries and revokes.",
        prints=(
            "Calendars   14 of them, ", "one refresh", "401, one refresh",
            "Done: 1 sign-in, 1 refresh, 1 retried 401, 1 revocation.")),
    Check("demo of all systems", "./Scripts/demo --all", "The demo of each system that the sandbox simulates succeeds."),
    Check(
        "repetitions", f"{MORE} ./Scripts/test --filter '{REPEATED}'",
        "Random inputs, histories and faults find nothing in more repetitions than in each run of the tests.", NIGHTLY, ALONE,
        packages=TESTED_WITH),
    Check("mutation", "./Tools/Mutation/mutate --random 10", "The mutation tool detects faults.", NIGHTLY, ALONE, packages=TESTED_WITH),
    Check("recurrence", "./Tools/Checks/check-recurrence 2000", "Recurrence rules have the same occurrences as with python-dateutil.", NIGHTLY),
    Check(
        "documentation", "./Tools/Site/site",
        "The documentation has no broken link, names every public type and explains every error code; its site can be made.", NIGHTLY),
    Check("tutorial", "./Tools/Checks/check-tutorial", "The steps of the tutorial compile, and print the expected output.", NIGHTLY, needs_build=True),
    served(
        "commands in documents", "./Tools/Checks/run-commands", "The shell commands in documents run unchanged.", packages=("jq", "curl"), needs_build=True),
    served("interoperability", "./Tools/Interop/interop", "Third-party OAuth and Calendar clients and servers work with Almanac."),
    served("page", "./Tools/Browser/test-page .build/screenshots", "The demo's page works in Chromium."),
    served("pictures", "./Tools/Pictures/pictures --check", "The pictures in documents match the current command and page."),
    served("servers", "./Tools/Servers/test-http", "The transport works with TLS, HTTP/2 and proxy servers, and handles faulty ones.", runs=ALONE),
]


def selected(names, checks):
    """Returns the checks with these names, and the build if they need it; all checks without a name."""
    wanted = set(names) | {"build" for check in checks if check.name in names and check.needs_build}
    return [check for check in checks if check.name in wanted] if names else checks


def gate():
    """Returns the checks of .ci/run."""
    return [check for check in CHECKS if check.kind in (QUICK, GATE)]


def nightly():
    """Returns the checks of .ci/nightly."""
    return [check for check in CHECKS if check.kind != CHANGED]


def quick():
    """Returns the checks of Scripts/check."""
    return [check for check in CHECKS if check.kind in (QUICK, CHANGED)]


def as_text(checks):
    """Returns the table as text, with two lines for each check: its command, and its purpose."""
    width = max(len(check.name) for check in checks)
    return "\n".join(
        f"{check.name:{width}}  {check.kind:7}  {check.runs:7}  {check.command}\n{'':{width}}  {check.proves}" for check in checks)
