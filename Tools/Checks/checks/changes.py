# SPDX-License-Identifier: Apache-2.0
"""The tests for the changes since a commit: those of the changed targets, and of the targets that depend on them."""
import pathlib
import subprocess
import tempfile

from .build import COMMAND
from .manifest import ROOT, Manifest


def git(*arguments, check=True):
    """Returns the trimmed output of git, or an empty text if git fails and `check` is false."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, check=check, stdout=subprocess.PIPE, text=True,
                         stderr=None if check else subprocess.DEVNULL)
    return run.stdout.strip() if run.returncode == 0 else ""


def default_base(git=git):
    """Returns the commit to compare with: the merge base with origin/main, or HEAD~1 if there is no such branch or HEAD is on it."""
    base = git("merge-base", "HEAD", "origin/main", check=False)
    return base if base and base != git("rev-parse", "HEAD") else "HEAD~1"


def changed_paths(commit):
    """Returns the files that differ from a commit, including removed, uncommitted and new ones."""
    different = git("diff", "--name-only", "--no-renames", "-z", commit, "--")
    new = git("ls-files", "--others", "--exclude-standard", "-z")
    return sorted({path for path in (different + "\0" + new).split("\0") if path})


def manifest_at(commit):
    """Returns the manifest of the package at a commit."""
    with tempfile.TemporaryDirectory(prefix="almanac-manifest.") as folder:
        pathlib.Path(folder, "Package.swift").write_text(git("show", f"{commit}:Package.swift") + "\n")
        return Manifest.read(folder)


def changed_targets(paths, manifest, before=None):
    """Returns the names of the targets that contain one of the files, or that differ from the previous manifest."""
    targets = {manifest.target_of(path) for path in paths} - {None}
    if before:
        targets |= {name for name, target in manifest.targets.items() if before.targets.get(name) != target}
    return targets


def test_command(paths, manifest, before=None):
    """Returns the command that tests the changes. It only builds if no test depends on them, and is None if no code changed."""
    tests = manifest.tests(manifest.above(changed_targets(paths, manifest, before)))
    if tests == manifest.tests(manifest.targets):
        return "./Scripts/test"
    if tests:
        return rf"./Scripts/test --filter '^({'|'.join(tests)})\.'"
    return COMMAND if any(path.endswith(".swift") for path in paths) else None


def test_command_since(commit):
    """Returns the command that tests the changes since a commit, or None."""
    paths = changed_paths(commit)
    return test_command(paths, Manifest.read(), manifest_at(commit) if "Package.swift" in paths else None)
