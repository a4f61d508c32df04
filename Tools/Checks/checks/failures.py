# SPDX-License-Identifier: Apache-2.0
"""The failures of checks: the tests that failed, their messages, and the commands that run them again."""
import json
import re
import shlex

from .manifest import ROOT

# The events of the tests, as JSON lines (Swift Testing's ABI, version 0).
EVENTS = ROOT / ".build" / "checks" / "tests.jsonl"
# The lines of a log that report an error.
ERROR = re.compile(r"\berror\b|\bfail(ed|ure)?\b|✘|^Traceback|\w(Error|Exception): |warning: ", re.IGNORECASE)


class Tests:
    """The recorded run of the tests: whether it ended, the tests that did not, and the messages of each failed test."""

    def __init__(self, lines):
        self.has_begun, self.has_ended, self.messages = False, False, {}
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                # The process ended while it wrote this line.
                continue
            payload = event.get("payload", {})
            if event.get("kind") == "event":
                self.has_begun |= payload["kind"] == "runStarted"
                self.has_ended |= payload["kind"] == "runEnded"
                if payload["kind"] == "issueRecorded" and is_failure(payload.get("issue", {})):
                    self.messages.setdefault(name_of(payload.get("testID", "")), []).append(message(payload))

    @classmethod
    def read(cls, file=EVENTS):
        """Returns the run in a file. Without the file, no test has begun."""
        return cls(file.read_text(errors="replace").splitlines() if file.exists() else [])


def is_failure(issue):
    """Returns whether an issue fails its test: warnings and known issues do not."""
    return not issue.get("isKnown") and issue.get("_severity", issue.get("severity", "error")) == "error"


def name_of(identifier):
    """Returns a test's name, `Module.Suite/test()`, from its identifier, which ends with its place."""
    return re.sub(r"/[^/]*\.swift:\d+:\d+$", "", identifier)


def message(payload):
    """Returns an issue as a line with its place, file and line."""
    place = payload.get("issue", {}).get("sourceLocation") or {}
    text = " ".join(part["text"] for part in payload.get("messages", []) if part.get("symbol") in ("fail", "difference", "details"))
    file = (place.get("fileID") or place.get("_filePath") or "?").rpartition("/")[2]
    return f"{file}:{place.get('line', '?')}: {text}"


def repeatable(result, limit):
    """Returns the failed parts of a check that may run once more, each with its name and command.

    More failed tests than the limit are not repeated: they would fail the run even if none failed again.
    """
    check = result.check
    if not check.again or not result.fault.startswith("exit status"):
        return []
    if "{}" not in check.again:
        return [(check.name, check.again)]
    tests = Tests.read()
    if tests.has_begun and not tests.has_ended:
        return [(f"the process of the {check.name}", check.command)]
    if not 0 < len(tests.messages) <= limit or "" in tests.messages:
        return []
    return [(name, check.again.replace("{}", shlex.quote(f"^{re.escape(name)}(/|$)"))) for name in tests.messages]


def has_failed_again(result):
    """Returns whether a repetition failed. One that ran no test shows nothing."""
    return result.fault or "Test run with 0 tests" in result.log


def texts(results):
    """Yields a text for each failed check, of at most 30 lines: its name, its command, and its own messages."""
    for result in results:
        if result.fault:
            lines = messages(result)
            if len(lines) > 26:
                lines = lines[:25] + [f"… {len(lines) - 25} more"]
            yield f"\nFAILED: {result.check.name}: {result.fault}\nAlone: {result.check.command}\n" + "".join(f"  {line[:400]}\n" for line in lines)


def messages(result):
    """Returns the messages of a failed check: those of its failed tests, or the lines of its log that report an error."""
    if "{}" in result.check.again:
        tests = Tests.read()
        if tests.messages:
            return [f"{name} at {text}" for name, texts in tests.messages.items() for text in texts]
    lines = [line.rstrip() for line in result.log.splitlines() if line.strip()]
    # Each once: a compiler repeats an error for each file that depends on it.
    return list(dict.fromkeys(line for line in lines if ERROR.search(line) and "passed" not in line)) or lines[-20:]
