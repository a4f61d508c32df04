#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies the package to a folder, and replaces Swift's locks and continuations with ones that the thread sanitizer recognizes. Reads the
names of the files from standard input. Files that are unchanged in the folder are not written.

usage: git ls-files | copy-for-thread-sanitizer.py FOLDER
"""

import pathlib
import re
import sys

MODULE = "SanitizerSynchronization"
TARGETS = f"""
package.targets.append(
  .target(
    name: "{MODULE}", path: "Tools/ThreadSanitizer", exclude: ["README.md", "copy-for-thread-sanitizer.py"],
    swiftSettings: settings))
for target in package.targets where target.name != "{MODULE}" && [.regular, .executable, .test].contains(target.type) {{
  if target.name != "CAllocationCounter" {{ target.dependencies.append("{MODULE}") }}
}}
"""


def translated(path, data):
    if path == "Package.swift":
        return data + TARGETS.encode()
    if path.endswith(".swift") and not path.startswith("Tools/ThreadSanitizer/"):
        data = re.sub(rb"(?m)^( *(?:package |public )?import )Synchronization$", rb"\1" + MODULE.encode(), data)
        # Continuations need no import.
        if b"Continuation" in data and MODULE.encode() not in data:
            data = re.sub(rb"(?m)^", b"import " + MODULE.encode() + b"\n\n", data, count=1)
        return data
    return data


def main(folder):
    kept = set()
    for path in sys.stdin.read().split("\n"):
        source = pathlib.Path(path)
        # A snippet is a separate target that the manifest does not name.
        if not path or path.startswith("Snippets/") or not source.is_file():
            continue
        target = folder / path
        kept.add(target)
        data = translated(path, source.read_bytes())
        if not target.exists() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(source.stat().st_mode)
    for old in folder.rglob("*"):
        if old.is_file() and ".build" not in old.relative_to(folder).parts and old not in kept:
            old.unlink()


main(pathlib.Path(sys.argv[1]))
