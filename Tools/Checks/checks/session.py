# SPDX-License-Identifier: Apache-2.0
"""The processes of a session, including those in other process groups."""
import os
import signal
import subprocess


def members(leader):
    """Yields the processes of a session on Linux."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader:
                yield int(name)


def end_session(leader):
    """Ends the processes of a session."""
    if os.path.isdir("/proc/self"):
        found = list(members(leader))
    else:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,sess="], capture_output=True, text=True).stdout.split("\n")
        found = [int(fields[0]) for fields in map(str.split, listed) if len(fields) == 2 and fields[1] == str(leader)]
    for member in found + [leader]:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
