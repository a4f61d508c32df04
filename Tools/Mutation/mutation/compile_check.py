# SPDX-License-Identifier: Apache-2.0
"""Finds the faults that do not compile, before the whole package is built with the others.

Each module is compiled with the interfaces of its imports. The interfaces come from the sources without faults: a fault is in a body
and does not change them. Nothing has to be built first, and only files with faults are checked.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import sys

from .package import ROOT
from .switches import faults_of_errors

ROUNDS = 8


class Target:
    def __init__(self, description):
        self.name = description["name"]
        self.path = description.get("path") or f"Sources/{self.name}"
        self.dependencies = [name for entry in description["dependencies"] for kind, values in entry.items()
                             if kind in ("byName", "target") for name in values[:1]]
        self.is_system = description["type"] == "system"
        self.flags = []
        for setting in description.get("settings", []):
            for kind, value in setting["kind"].items():
                if kind == "enableUpcomingFeature":
                    self.flags += ["-enable-upcoming-feature", value["_0"]]
                elif kind == "strictMemorySafety":
                    self.flags.append("-strict-memory-safety")

    def sources(self, folder):
        return sorted(str(path) for path in (folder / self.path).rglob("*.swift"))

    def is_c(self, folder):
        """Returns whether the module is written in C, so that its headers are its interface."""
        return not self.is_system and (folder / self.path / "include").is_dir()


def targets(copy):
    """Returns the targets of Sources, each after its imports."""
    output = subprocess.run(
        ["swift", "package", "dump-package"], cwd=copy.folder, check=True, capture_output=True, text=True).stdout
    described = [target for target in json.loads(output)["targets"] if target["type"] != "test"]
    found = {target.name: target for target in map(Target, described)
             if target.path.startswith("Sources/") or target.name == "ActiveFault"}
    result = {}

    def add(name):
        if name in found and name not in result:
            for dependency in found[name].dependencies:
                add(dependency)
            result[name] = found[name]

    for name in sorted(found):
        add(name)
    return list(result.values())


def interfaces(copy):
    return copy.folder / "interfaces"


def flags(copy, target, everything):
    result = ["-module-name", target.name, "-swift-version", "6", "-package-name", "almanac", "-suppress-warnings",
              "-I", str(interfaces(copy)), *target.flags]
    if not any(path.endswith("/main.swift") for path in target.sources(copy.folder)):
        result.append("-parse-as-library")
    for other in everything:
        if other.is_system and (other.name != "CLibcrypto" or sys.platform == "linux"):
            result += ["-I", str(copy.folder / other.path)]
        elif other.is_c(copy.folder):
            result += ["-I", str(interfaces(copy) / other.name)]
    return result


def make_module_map(copy, target):
    """Writes the module map of a C module, as the package manager does."""
    folder = interfaces(copy) / target.name
    folder.mkdir(exist_ok=True)
    headers = copy.folder / target.path / "include"
    (folder / "module.modulemap").write_text(f'module {target.name} {{ umbrella "{headers}" export * }}\n')


def make_interface(copy, target, everything):
    """Compiles the declarations of a module, unless their sources are unchanged."""
    if target.is_c(copy.folder):
        return make_module_map(copy, target)
    sources = target.sources(copy.folder if target.name == "ActiveFault" else ROOT)
    digest = hashlib.sha256(repr(flags(copy, target, everything)).encode())
    for path in sources:
        digest.update(pathlib.Path(path).read_bytes())
    for name in target.dependencies:
        stamp = interfaces(copy) / f"{name}.stamp"
        digest.update(stamp.read_bytes() if stamp.is_file() else b"")
    stamp = interfaces(copy) / f"{target.name}.stamp"
    if stamp.is_file() and stamp.read_text() == digest.hexdigest():
        return
    command = ["swiftc", "-emit-module", "-wmo", "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
               "-o", str(interfaces(copy) / f"{target.name}.swiftmodule"), *flags(copy, target, everything), *sources]
    done = subprocess.run(command, cwd=copy.folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr[-4000:]}\nThe interface of {target.name} does not compile.")
    stamp.write_text(digest.hexdigest())


def errors(copy, target, everything, faults):
    """Returns the output of the compiler for the files of a module with faults."""
    with_faults = {str(copy.folder / fault.path) for fault in faults}
    command = ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", *flags(copy, target, everything)]
    if sys.platform == "darwin":
        sdk = subprocess.run(["xcrun", "--show-sdk-path"], check=True, capture_output=True, text=True).stdout.strip()
        command += ["-sdk", sdk]
    for path in target.sources(copy.folder):
        command += ["-primary-file", path] if path in with_faults else [path]
    # One output per file.
    index = command.index("-o")
    del command[index:index + 2]
    for _ in with_faults:
        command += ["-o", "/dev/null"]
    return subprocess.run(command, cwd=copy.folder, capture_output=True, text=True).stderr


def compiling(copy, faults, tests=None):
    """Updates the copy, and returns the faults that compile."""
    interfaces(copy).mkdir(parents=True, exist_ok=True)
    left = copy.update(faults, tests)
    everything = targets(copy)
    needed = [target for target in everything if not target.is_system]
    waiting = {fault.module for fault in left}
    for target in needed:
        make_interface(copy, target, everything)
    by_name = {target.name: target for target in needed}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in range(ROUNDS):
            def check(name):
                of_module = [fault for fault in left if fault.path.startswith(f"Sources/{name}/")]
                output = errors(copy, by_name[name], everything, of_module) if of_module else ""
                return faults_of_errors(output, of_module, copy.folder)

            broken = dict(zip(sorted(waiting), pool.map(check, sorted(waiting))))
            waiting = {name for name, found in broken.items() if found}
            if not waiting:
                break
            dropped = set().union(*broken.values())
            left = copy.update([fault for fault in left if fault not in dropped], tests)
    return left
