# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import unittest

from generator import descriptors
from generator.table import Table

TABLE = Table()
METHODS = {m.id: m for m in TABLE.methods}
SOURCES = pathlib.Path(__file__).resolve().parents[4] / "Sources"


class DescriptorTests(unittest.TestCase):
    def test_a_request_that_writes_says_what_a_lost_response_may_have_done(self):
        for m in TABLE.methods:
            self.assertEqual("effect:" in descriptors.descriptor(TABLE, m), m.writes, m.id)

    def test_a_change_is_read_at_its_own_path(self):
        for m in TABLE.methods:
            if m.http_method in ("PUT", "PATCH", "DELETE"):
                reading = TABLE.reading(m)
                self.assertEqual((reading.facts["path"], reading.name), (m.facts["path"], "get"), m.id)

    def test_a_write_that_adds_is_repeatable_only_if_it_has_an_identifier(self):
        for m in TABLE.methods:
            if m.outcome.get("repetition") == "adds":
                self.assertEqual(m.is_repeatable, "identified" in m.outcome, m.id)

    def test_limits_are_those_of_parameters_body_and_rules(self):
        arguments = " ".join(descriptors.request_limits(TABLE, METHODS["events.update"]))
        for part in ('ParameterLimit("maxAttendees", 1...Int.max)', "Event.fieldLimits", "[.replacedEventParameters, .event]"):
            self.assertIn(part, arguments)
        self.assertEqual(descriptors.request_limits(TABLE, METHODS["colors.get"]), [])

    def test_every_body_of_an_event_has_rules(self):
        for m in TABLE.methods:
            if m.facts.get("request") == "Event":
                self.assertIn("event", m.facts["rules"], m.id)
                self.assertIn("batch: .exceptWorkingLocations", descriptors.descriptor(TABLE, m), m.id)

    def test_written_by_hand_no_code_chooses_by_the_name_of_a_method(self):
        quoted = re.compile("|".join(f'"{re.escape(name)}"' for name in METHODS))
        found = [
            f"{path.relative_to(SOURCES)}: {line.strip()}"
            for module in ("Almanac", "AlmanacSandbox", "CalendarAPI")
            for path in (SOURCES / module).rglob("*.swift") if "Generated" not in path.parts
            for line in path.read_text().splitlines() if quoted.search(line) and not line.lstrip().startswith("//")]
        self.assertEqual(found, [])
