# SPDX-License-Identifier: Apache-2.0
"""The figures of a tree of the package: the numbers of files, declarations, targets, texts and tests."""
import pathlib
import re
import subprocess
import tempfile
from contextlib import contextmanager

from checks.manifest import ROOT, Manifest
from prose.rules import MOST_WORDS as LONG_SENTENCE, QUESTION

from .declarations import SwiftFile
from .pages import sentences, words

MANY_PARAMETERS = 7


class Tree:
    """The files of the package in a folder, by path."""

    def __init__(self, folder, paths):
        self.folder, self.paths = folder, sorted(paths)

    def texts(self, pattern):
        """Returns the texts of the files whose whole path matches a pattern, by path."""
        return {path: (self.folder / path).read_text() for path in self.paths if re.fullmatch(pattern, path)}


def current():
    """Returns the current package, including uncommitted and new files."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
        text=True).stdout.split("\0")
    return Tree(ROOT, {name for name in names if name and (ROOT / name).is_file()})


@contextmanager
def at(commit):
    """Yields the package at a commit, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="almanac-figures.") as name:
        folder = pathlib.Path(name)
        archive = subprocess.run(["git", "archive", "--format=tar", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", name], input=archive.stdout, check=True)
        yield Tree(folder, {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()})


def figures(tree, manifest=None):
    """Returns the figures of a tree, as texts by name, in the order of the table."""
    manifest = manifest or Manifest.read(tree.folder)
    sources = {path: SwiftFile(text) for path, text in tree.texts(r"Sources/.*\.swift").items()}
    return {**sizes(sources), **declarations(sources), **of_manifest(manifest), **texts(tree, sources), **tests(tree)}


def sizes(sources):
    """Returns the numbers of files, and the lengths of files and functions."""
    generated = {path for path in sources if "/Generated/" in path}
    hand_written = {path: file for path, file in sources.items() if path not in generated}
    longest = max(hand_written, key=lambda path: hand_written[path].lines)
    function, path = max(((file.longest_function, path) for path, file in hand_written.items()))
    return {
        "source files": number(len(sources)),
        "source files, hand-written": number(len(hand_written)),
        "source files, generated": number(len(generated)),
        "lines of sources": number(sum(file.lines for file in sources.values())),
        "lines of sources, hand-written": number(sum(file.lines for file in hand_written.values())),
        "lines of sources, generated": number(sum(sources[path].lines for path in generated)),
        "hand-written files of at most 25 lines": number(sum(file.lines <= 25 for file in hand_written.values())),
        "hand-written files of at most 40 lines": number(sum(file.lines <= 40 for file in hand_written.values())),
        "lines of the longest hand-written file": f"{hand_written[longest].lines} ({name(longest)})",
        "lines of the longest hand-written function": f"{function[0]} (`{function[1]}` in {name(path)})",
    }


def declarations(sources):
    """Returns the figures of declarations."""
    initialisers = [initialiser for file in sources.values() for initialiser in file.initialisers]
    long = [is_public for is_public, parameters in initialisers if parameters > MANY_PARAMETERS]
    names = [name for file in sources.values() for name in file.type_names]
    facades = [file for path, file in sources.items() if path.startswith("Sources/AlmanacSandbox/") and any(
        (type.kind, type.name) == ("extension", "Sandbox") for type in file.types)]
    return {
        "public symbols": number(sum(file.public_symbols for file in sources.values())),
        f"public initialisers with more than {MANY_PARAMETERS} parameters": number(sum(long)),
        f"other initialisers with more than {MANY_PARAMETERS} parameters": number(len(long) - sum(long)),
        "types": number(len(names)),
        "types whose name contains “Authoriz”": number(sum("Authoriz" in name for name in names)),
        "files that extend `Sandbox`": number(len(facades)),
        "`@unchecked Sendable`": number(sum(file.code.count("@unchecked Sendable") for file in sources.values())),
    }


def of_manifest(manifest):
    return {
        "products": number(len(manifest.products)),
        "targets": number(len(manifest.targets)),
        "targets, tests": number(len(manifest.tests(manifest.targets))),
    }


def texts(tree, sources):
    """Returns the figures of comments and pages."""
    summaries = [summary for file in sources.values() for summary in file.summaries]
    pages = tree.texts(r"[^/]+\.md|(?:Benchmarks|Documentation|Examples|Sources)/.*\.md")
    long = [sentence for text in pages.values() for sentence in sentences(text) if words(sentence) > LONG_SENTENCE]
    return {
        "documentation comments": number(len(summaries)),
        "documentation comments that begin with a question word": number(sum(bool(QUESTION.match(text)) for text in summaries)),
        "Markdown pages": number(len(pages)),
        f"sentences of more than {LONG_SENTENCE} words in Markdown pages": number(len(long)),
    }


def tests(tree):
    """Returns the figures of the tests in Swift, including those of examples."""
    found = tree.texts(r"(?:Tests|Examples/[^/]+/Tests)/.*\.swift").values()
    return {
        "lines of tests": number(sum(len(text.splitlines()) for text in found)),
        "`@testable import` in tests": number(sum(len(re.findall(r"^\s*@testable\s+import\b", text, re.MULTILINE)) for text in found)),
    }


def number(value):
    return f"{value:,}"


def name(path):
    return f"`{pathlib.PurePosixPath(path).name}`"


def table(columns):
    """Returns the Markdown table of figures, with a column for each title. A missing figure is an empty cell."""
    rows = list(dict.fromkeys(figure for column in columns.values() for figure in column))
    lines = [f"| Figure | {' | '.join(columns)} |", "|---|" + "--:|" * len(columns)]
    lines += [f"| {figure} | {' | '.join(column.get(figure, '') for column in columns.values())} |" for figure in rows]
    return "\n".join(lines)
