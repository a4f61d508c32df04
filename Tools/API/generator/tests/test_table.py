# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import tempfile
import unittest

from generator.table import PATH, Table, TableError


class TableTests(unittest.TestCase):
    def table(self, change):
        """Returns the table with another method, `calendars.archive`, after a change of the method."""
        facts = json.loads(PATH.read_text())
        method = {
            "httpMethod": "POST", "path": "calendars/{calendarId}/archive", "doc": "Archives a calendar.", "pathParameters": ["calendarId"],
            "queryParameters": {"archived": {"type": "boolean", "doc": "Whether the calendar is archived."}}, "scopes": ["calendar"],
            "outcome": {"repetition": "sets", "identifier": "calendarID"}}
        change(method)
        facts["methods"]["calendars.archive"] = method
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "table.json")
            path.write_text(json.dumps(facts))
            return Table(path)

    def test_a_sentence_of_the_row_is_that_of_the_parameter(self):
        method = self.table(lambda method: None).methods[-1]
        self.assertEqual(method.optional[0].facts["doc"], "Whether the calendar is archived.")

    def test_a_mistake_names_its_row_and_its_remedy(self):
        for change, message in (
            (lambda m: m["queryParameters"]["archived"].pop("doc"), "add `archived` to `parameters`, with its type and a sentence"),
            (lambda m: m["pathParameters"].append("ageId"), "add `ageId` to `parameters`, with its type and a sentence"),
            (lambda m: m.pop("outcome"), "add an `outcome`, or `repeatable` if it only reads"),
            (lambda m: m.pop("scopes"), "add `scopes`"),
        ):
            with self.assertRaises(TableError) as caught:
                self.table(change)
            self.assertEqual(str(caught.exception), f"calendars.archive: {message}")
