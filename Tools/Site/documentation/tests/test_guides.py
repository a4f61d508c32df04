# SPDX-License-Identifier: Apache-2.0
import unittest

from documentation import guides

URL = "https://example.org/almanac"
PAGES = {"Storage": "# Storage\n\nText.\n\n## Lost `tokens`, and keys\n", "Testing": "# Testing\n"}


class Links(unittest.TestCase):
    def check(self, target, expected):
        self.assertEqual(guides.link(target, PAGES, URL), expected)

    def test_pages_and_their_sections_are_links_of_the_site(self):
        self.check("Storage.md", "doc:Storage")
        self.check("Storage.md#lost-tokens-and-keys", "doc:Storage#Lost-tokens-and-keys")

    def test_other_files_are_links_to_the_repository(self):
        self.check("../Snippets/Batch.swift", f"{URL}/blob/main/Snippets/Batch.swift")
        self.check("../Examples", f"{URL}/tree/main/Examples")
        self.check("../README.md#modules", f"{URL}/blob/main/README.md#modules")

    def test_other_sites_stay(self):
        self.check("https://www.rfc-editor.org/rfc/rfc6749.html#section-6", "https://www.rfc-editor.org/rfc/rfc6749.html#section-6")


class Pages(unittest.TestCase):
    def test_code_keeps_what_looks_like_a_link(self):
        text = "# A\n\nText.\n\n```swift\nlet a = [b](c)\n```\n"
        self.assertEqual(guides.converted("A", text, PAGES, URL), text)

    def test_pictures_are_images_with_a_dark_variant(self):
        text = ('# A\n\nText.\n\n<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="Pictures/page-dark.png">\n'
                '  <img alt="A page" src="Pictures/page-light.png">\n</picture>\n')
        self.assertIn("![A page](page.png)", guides.converted("A", text, PAGES, URL))

    def test_a_summary_has_no_link_and_what_follows_is_the_overview(self):
        text = "# A\n\nSee [tests](Testing.md). And [more](Storage.md).\n\n## Next\n"
        self.assertEqual(
            guides.converted("A", text, PAGES, URL), "# A\n\nSee tests.\n\n## Overview\n\nAnd [more](doc:Storage).\n\n\n## Next\n".replace("\n\n\n", "\n\n"))

    def test_a_summary_without_links_stays(self):
        self.assertEqual(guides.converted("A", "# A\n\nText: more.\n\n[b](Testing.md)\n", PAGES, URL), "# A\n\nText: more.\n\n[b](doc:Testing)\n")


if __name__ == "__main__":
    unittest.main()
