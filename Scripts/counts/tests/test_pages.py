# SPDX-License-Identifier: Apache-2.0
import unittest

from counts.pages import sentences, words

PAGE = """---
title: No sentence.
---
# A heading. With two
The first sentence
goes on here. The second has [a link. With two words](https://example.com/a_(b).c), e.g. this.
<!-- No sentence. -->
- An item
  of two lines
- Another! `code` begins the next? Yes.

1. A number

| A cell. Of two | another \\| cell |
|---|---|
> A quotation.

```swift
// No sentence.
```
"""


class SentenceTests(unittest.TestCase):
    def test_sentences_end_with_a_mark_or_with_their_paragraph_item_or_cell(self):
        self.assertEqual([sentence for sentence in sentences(PAGE) if words(sentence)], [
            "A heading.", "With two", "The first sentence goes on here.", "The second has a link.", "With two words, e.g. this.",
            "An item of two lines", "Another!", "`code` begins the next?", "Yes.", "A number",
            "A cell.", "Of two", "another \\| cell", "A quotation."])

    def test_code_is_one_word_and_a_dash_is_none(self):
        self.assertEqual(words(sentences("Use `swift run almanac` – or [the script](a.md \"title\").")[0]), 5)
        self.assertEqual(sentences("``a `b` c`` is one"), ["`code` is one"])


if __name__ == "__main__":
    unittest.main()
