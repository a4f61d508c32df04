# SPDX-License-Identifier: Apache-2.0
import re
import unittest

from checks.manifest import ROOT, Manifest


class IndexTests(unittest.TestCase):
    def test_every_library_is_documented_in_the_package_index(self):
        listed = re.search(r"documentation_targets: \[(.*)\]", (ROOT / ".spi.yml").read_text())[1].split(", ")
        libraries = [product["name"] for product in Manifest.read().products if "library" in product["type"]]
        self.assertEqual(listed, libraries)


if __name__ == "__main__":
    unittest.main()
