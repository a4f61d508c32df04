# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest
from unittest import mock

from mutation import listed

LIST = """tests: ATests
file: A.swift
fault: first
- a
+ b
tests: BTests
with: test-http
fault: second
- b
+ c
tests: CTests
fault: third
- c
+ d
"""


class ListTests(unittest.TestCase):
    def test_a_script_holds_until_the_tests_change(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(listed, "ROOT", pathlib.Path(folder)):
            faults = pathlib.Path(folder, "Tests", "Faults")
            faults.mkdir(parents=True)
            (faults / "M.txt").write_text(LIST)
            read = [(fault.title, fault.tests, fault.script) for fault in listed.read_faults()]
        self.assertEqual(read, [("first", "ATests", None), ("second", "BTests", "test-http"), ("third", "CTests", None)])
