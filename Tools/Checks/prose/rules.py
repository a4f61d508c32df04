# SPDX-License-Identifier: Apache-2.0
"""The rules for the words of comments and pages, as far as a script can check them."""
import re
from dataclasses import dataclass

from . import texts

MOST_WORDS = 35
QUESTION = re.compile(r"(What|Where|How|Who|When|Why|Which|Whose|Whom)\b")

# The kinds of findings.
SUMMARY, SENTENCE, PHRASE = "summaries", "sentences", "phrases"

# Phrases that are wrong wherever they stand, and the better words.
PHRASES = {
    "be it": "including, whether … or …",
    "be had": "name the failure, as in “an authorization error”; or “be obtained”",
    "had back": "recovered",
    "told apart": "distinguished",
    "for the moment": "temporarily",
    "unless told": "Defaults to …",
    "where google is": "Google's endpoints",
    "pays off together with": "combine it with",
    "another caller else": "another caller",
    "(?:is|are|was|were|be|been) responded with": "the server responds with …",
    "an (?:response|body|request|server|token|URL)": "a",
    "of which (?:it )?cannot be told": "whose outcome is unknown",
    "takes what it finds": "returns the resource if it matches",
    "gets? hold of": "obtains, reads",
    "may use up": "the limits of …",
}
PATTERNS = [(re.compile(rf"\b{phrase}\b".replace(" ", r"\s+"), re.IGNORECASE), remedy) for phrase, remedy in PHRASES.items()]
# The marks of a comment that goes on in the next line.
CONTINUATION = re.compile(r"(?<=\n)[ \t]*(?:///?|\*)?[ \t]*")
CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Finding:
    line: int
    kind: str
    # One sentence about what is wrong and what to do.
    message: str


def findings(name, text):
    """The findings in a Swift file or a Markdown page, in the order of their lines."""
    if name.endswith(".swift"):
        blocks = list(texts.comments(text))
        found = [*questions(blocks), *(finding for block in blocks for finding in long_sentences(block))]
    else:
        found = [*long_sentences(texts.page(text))]
        text = CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    return sorted([*found, *phrases(text)], key=lambda finding: finding.line)


def questions(blocks):
    """The summaries that begin with a question word."""
    for block in blocks:
        number, line = next(((number, line.strip()) for number, line in block if line.strip()), block[0])
        word = QUESTION.match(line)
        if word:
            yield Finding(number, SUMMARY, f"The summary begins with “{word[1]}”. Begin with a noun, a verb in the third person, or “Whether”.")


def long_sentences(lines):
    """The sentences with too many words."""
    for piece in texts.pieces(lines):
        for number, sentence, length in piece.sentences():
            if length > MOST_WORDS:
                start = " ".join(sentence.split()[:6])
                yield Finding(
                    number, SENTENCE, f"A sentence has {length} words. Divide it; at most {MOST_WORDS} are allowed: {start} …")


def phrases(text):
    """The phrases that are wrong wherever they stand. They may go on in the next line of a comment or paragraph."""
    # The marks become spaces, which keeps the numbers of lines.
    text = CONTINUATION.sub(lambda mark: " " * len(mark[0]), text)
    for pattern, remedy in PATTERNS:
        for match in pattern.finditer(text):
            phrase = " ".join(match[0].split())
            yield Finding(text.count("\n", 0, match.start()) + 1, PHRASE, f"Replace “{phrase}”: {remedy}.")
