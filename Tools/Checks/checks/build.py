# SPDX-License-Identifier: Apache-2.0
"""The debug build of the package."""
import pathlib
import subprocess

from .manifest import ROOT


# The command that builds all but the tests.
COMMAND = '. Scripts/common.sh && need_all_libraries && swift build "${build_options[@]}"'


def options():
    """Returns the options of all debug builds, which Scripts/common.sh defines."""
    script = '. Scripts/common.sh && echo "${build_options[*]}"'
    return subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def products():
    """Returns the folder of the programs and modules, which \"swift build\" has made before."""
    show = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    return pathlib.Path(show.stdout.strip())


def module_options():
    """Returns the options with which the compiler finds the modules of the package."""
    options = ["-I", str(products() / "Modules")]
    for map in sorted((ROOT / "Sources").rglob("module.modulemap")):
        options += ["-Xcc", f"-fmodule-map-file={map}"]
    return options
