# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import unittest

from generator import descriptors
from generator.table import Table

TABLE = Table()
SOURCES = pathlib.Path(__file__).resolve().parents[4] / "Sources"


class DescriptorTests(unittest.TestCase):
    def test_a_write_that_adds_is_repeatable_only_if_it_has_an_identifier(self):
        for m in TABLE.methods:
            if m.outcome.get("repetition") == "adds":
                self.assertEqual(m.is_repeatable, "identified" in m.outcome, m.id)

    def test_every_body_of_an_event_has_rules(self):
        for m in TABLE.methods:
            if m.facts.get("request") == "Event":
                self.assertIn("event", m.facts["rules"], m.id)
                self.assertIn("batch: .exceptWorkingLocations", descriptors.descriptor(TABLE, m), m.id)

    def test_written_by_hand_no_code_chooses_by_the_name_of_a_method(self):
        quoted = re.compile("|".join(f'"{re.escape(name)}"' for name in (m.id for m in TABLE.methods)))
        found = [
            f"{path.relative_to(SOURCES)}: {line.strip()}"
            for module in ("Almanac", "AlmanacSandbox", "CalendarAPI")
            for path in (SOURCES / module).rglob("*.swift") if "Generated" not in path.parts
            for line in path.read_text().splitlines() if quoted.search(line) and not line.lstrip().startswith("//")]
        self.assertEqual(found, [])
