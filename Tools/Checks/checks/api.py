# SPDX-License-Identifier: Apache-2.0
"""The breaks of the public API, and the policy of Documentation/Versions.md for them."""
import re

# A sentence about a break begins with the kind and the name of the declaration. An accessor's name ends with its own kind.
BREAK = re.compile(r"💔 API breakage: (\w+ (\S+?)(?:\.(?:Get|Set|Modify|Read)\(\))? .*)")


def breaks(output):
    """Returns the breaks in the output of `swift package diagnose-api-breaking-changes`: each sentence with its declaration."""
    return BREAK.findall(output)


def fault(breaks, old, new, changelog):
    """Returns the reason why a version cannot have these breaks since an older one, with the remedy, or None."""
    if breaks and not may_break(old, new):
        return (f"Version {new} cannot break the API of {old}. Keep each declaration, deprecated, beside its replacement, "
                "or raise the minor version before 1.0, or else the major version.")
    newest = changelog.split("\n## ")[1]
    migration = newest.partition("\n### Migration\n")[2].partition("\n### ")[0]
    missing = {declaration for _, declaration in breaks} - set(re.findall(r"`([^`]+)`", migration))
    if missing:
        names = ", ".join(f"`{name}`" for name in sorted(missing))
        return f'CHANGELOG.md does not state under "### Migration" of the newest version what to write instead of {names}.'
    return None


def may_break(old, new):
    """Returns whether a version may break the API of an older one: a new major version, or before 1.0 a new minor version."""
    (old_major, old_minor), (major, minor) = ([int(part) for part in version.split(".")[:2]] for version in (old, new))
    return major > old_major or major == old_major == 0 and minor > old_minor
