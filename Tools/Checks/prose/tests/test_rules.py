# SPDX-License-Identifier: Apache-2.0
import subprocess
import unittest

from checks.manifest import ROOT
from prose.rules import MOST_WORDS, PHRASE, PHRASES, SENTENCE, SUMMARY, findings

LONG = "Word " + "word " * MOST_WORDS


def found(text, name="A.swift"):
    """The findings, each as its line and its kind."""
    return [(finding.line, finding.kind) for finding in findings(name, text)]


class SummaryTests(unittest.TestCase):
    def test_a_question_word_begins_no_summary(self):
        for word in ("What", "Where", "How", "Who", "When", "Why", "Which", "Whose", "Whom"):
            self.assertEqual(found(f"let a = 1\n  /// {word} it is.\n  /// More.\n  let b = 2\n"), [(2, SUMMARY)], word)

    def test_a_question_word_may_begin_other_lines_and_longer_words(self):
        for text in ("/// The value.\n/// What more.\n", "/// Whether it is one.\n", "/// Whatsoever.\n", "// What it is.\n", "/// what\n",
                     'let a = "/// What"  /// What\n'):
            self.assertEqual(found(text), [], text)

    def test_an_empty_line_before_the_summary_is_skipped(self):
        self.assertEqual(found("///\n/// Who it is.\n"), [(2, SUMMARY)])
        self.assertEqual(found("///\n///\n"), [])

    def test_every_comment_has_a_summary(self):
        self.assertEqual(found("/// How.\nlet a = 1\n\n/// Why.\nlet b = 2"), [(1, SUMMARY), (4, SUMMARY)])

    def test_a_page_has_no_summaries(self):
        self.assertEqual(found("What it is.\n", "A.md"), [])


class SentenceTests(unittest.TestCase):
    def test_a_sentence_has_at_most_35_words(self):
        self.assertEqual(found("Word" + " word" * 34 + ".\n", "A.md"), [])
        self.assertEqual(found("Word" + " word" * 35 + ".\n", "A.md"), [(1, SENTENCE)])
        self.assertEqual(found("/// Word" + " word" * 34 + ".\n"), [])
        self.assertEqual(found("/// Word" + " word" * 35 + ".\n"), [(1, SENTENCE)])

    def test_the_line_is_the_one_in_which_the_sentence_begins(self):
        self.assertEqual(found("# A\n\nOne.\nTwo `a\nb`\n  c. " + LONG + ".\n", "A.md"), [(6, SENTENCE)])
        self.assertEqual(found("let a = 1\n/// One.\n///\n/// Two\n/// lines. Three.\n/// " + LONG + "\n/// and more.\n"), [(6, SENTENCE)])

    def test_a_code_span_and_a_link_are_one_word(self):
        for word in ("`a b c`", "``a ` b``", "[a b c](d.md)", "[a `b c`](d_(e).md \"f g\")", "[a b][c d]", "![a b](c.png)", "`a\nb`", "[a\nb](c)"):
            self.assertEqual(found(f"Word {word}" + " word" * 33 + ".\n", "A.md"), [], word)
            self.assertEqual(found(f"Word {word}" + " word" * 34 + ".\n", "A.md"), [(1, SENTENCE)], word)

    def test_tables_code_comments_html_and_front_matter_have_no_sentences(self):
        for text in (f"| {LONG} |\n", f"```swift\n{LONG}\n```\n", f"~~~~\n```\n{LONG}\n~~~~\n", f"<!-- {LONG} -->\n", f"<!--\n{LONG}\n-->\n",
                     f"<img alt=\"{LONG}\">\n", f"---\n{LONG}\n---\n", f"- a\n\n  ```\n  {LONG}\n  ```\n"):
            self.assertEqual(found(text, "A.md"), [], text)
        self.assertEqual(found(f"/// A.\n/// ```swift\n/// {LONG}\n/// ```\n"), [])

    def test_prose_after_them_has_sentences_again(self):
        for text in ("| a |\n", "```\na\n```\n", "<!--\na\n-->\n", "<!-- a -->\n", "---\na\n---\n"):
            self.assertEqual(found(f"{text}{LONG}\n", "A.md"), [(text.count("\n") + 1, SENTENCE)], text)

    def test_headings_items_and_paragraphs_end_a_sentence(self):
        half = "word " * 20
        for text in (f"# {half}\n{half}\n", f"- {half}\n- {half}\n", f"1. {half}\n2. {half}\n", f"{half}\n\n{half}\n", f"{half}\n| a |\n{half}\n"):
            self.assertEqual(found(text, "A.md"), [], text)
        self.assertEqual(found(f"/// - Parameter a: {half}\n/// - Returns: {half}\n"), [])
        self.assertEqual(found(f"- {half}\n  {half}\n", "A.md"), [(1, SENTENCE)])

    def test_other_comments_are_not_checked(self):
        self.assertEqual(found(f"// {LONG}\n"), [])


class PhraseTests(unittest.TestCase):
    def test_every_phrase_is_found_where_it_stands(self):
        for phrase in ("be it", "cannot be had", "could not be had", "had back", "told apart", "for the moment", "unless told", "Where Google is",
                       "pays off together with", "another caller else", "is responded with", "an response", "of which cannot be told"):
            for text in (f"/// A b {phrase} c.\n", f"// A {phrase}\n", f'let a = "A {phrase}."\n'):
                self.assertEqual(found(text), [(1, PHRASE)], text)
            self.assertEqual(found(f"A {phrase}.\n", "A.md"), [(1, PHRASE)])

    def test_a_phrase_may_go_on_in_the_next_line(self):
        for text in ("/// It is told\n  /// apart.\n", "// It is told\n// apart.\n"):
            self.assertEqual(found("let a = 1\n" + text), [(2, PHRASE)], text)
        self.assertEqual(found("It is told\napart.\n", "A.md"), [(1, PHRASE)])

    def test_parts_of_words_are_no_phrase(self):
        for text in ("/// Describe items.\n", "/// An e-mail, a response.\n", "/// A fan response.\n"):
            self.assertEqual(found(text), [], text)

    def test_code_in_a_page_is_not_checked(self):
        self.assertEqual(found("```\ntold apart\n```\ntold apart\n", "A.md"), [(4, PHRASE)])

    def test_every_phrase_has_a_remedy(self):
        for phrase, remedy in PHRASES.items():
            self.assertTrue(remedy, phrase)
            self.assertNotRegex(remedy, r"[.;]$")


class MessageTests(unittest.TestCase):
    def test_a_message_says_what_is_wrong_and_what_to_do(self):
        messages = [finding.message for finding in findings("A.swift", f"/// What is told apart.\n/// {LONG}\n")]
        self.assertEqual(messages, [
            "The summary begins with “What”. Begin with a noun, a verb in the third person, or “Whether”.",
            "Replace “told apart”: distinguished.",
            "A sentence has 36 words. Divide it; at most 35 are allowed: Word word word word word word …"])


class CommandTests(unittest.TestCase):
    def run_script(self, *arguments):
        return subprocess.run([ROOT / "Tools/Checks/check-words", *arguments], cwd=ROOT, capture_output=True, text=True)

    def test_a_file_without_findings_passes(self):
        run = self.run_script("Snippets/Colors.swift")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", "1 files have no finding.\n"))

    def test_a_path_without_files_is_an_error(self):
        run = self.run_script("Nowhere")
        self.assertEqual(run.returncode, 2)
        self.assertIn("There is no Swift file or Markdown page in these paths.", run.stderr)

    def test_the_counts_are_those_of_the_findings(self):
        listed, counted = self.run_script(), self.run_script("--count")
        lines = listed.stdout.splitlines()
        self.assertEqual(listed.returncode, counted.returncode)
        self.assertEqual(sum(map(int, counted.stdout.splitlines()[-1].split()[1:])), len(lines))
        for line in lines:
            self.assertRegex(line, r"^[^:]+\.(swift|md):[0-9]+: [A-Z]")


if __name__ == "__main__":
    unittest.main()
