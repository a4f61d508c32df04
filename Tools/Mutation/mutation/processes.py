# SPDX-License-Identifier: Apache-2.0
"""Runs programs, and ends them and their child processes after a time limit, or if they loop, wait forever or grow."""
import os
import resource
import shutil
import subprocess
import tempfile
import time

from checks.session import end_session, members

# The memory limit of all processes of a run, in bytes.
MEMORY = 3 << 30
# The seconds without processor time after which a run counts as waiting forever.
STILL = 10
# The share of a processor that a process uses while it only checks for hanging tests.
IDLE = 0.02
# The assumed maximum wait of passing tests, in seconds.
WAIT = 30
SETTINGS = (
    # Fewer random repetitions in the tests: a fault that only some random inputs reveal does not count as detected.
    ("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8"), ("ALMANAC_KILLS", "40"), ("ORACLE_ROUNDS", "2000"),
    # A test that hangs because of a fault ends, and the others continue.
    ("ALMANAC_IDLE_SECONDS", "15"))


def run(command, folder, limit, end=None, variables={}, watch=None):
    """Runs a command, and returns its exit status, or None if it was ended, and its output.

    `end` is polled, and ends the run early if it returns true. `limit` is in seconds. A run with a `watch` is also ended if it exceeds
    its processor time, grows or waits forever.
    """
    # The temporary files of ended tests are removed with the folder.
    temporary = tempfile.mkdtemp(prefix="mutate-")
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=temporary, **variables)
    for name, value in SETTINGS:
        environment.setdefault(name, value)
    deadline = time.monotonic() + limit
    # A file, because a pipe would stay open until every process that the tests started has ended.
    with open(os.path.join(temporary, "output"), "w+b") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True, preexec_fn=bound if watch else None)
        try:
            while process.poll() is None and time.monotonic() < deadline and not (end and end()):
                time.sleep(0.05)
                if watch and watch.is_over(process.pid):
                    break
        finally:
            status = process.poll()
            end_session(process.pid)
            process.wait()
            output.seek(0)
            text = output.read().decode(errors="replace")
            shutil.rmtree(temporary, ignore_errors=True)
        return status, text


def bound():
    """Limits the resources of a process that grows faster than the watch polls."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_DATA, (2 * MEMORY, 2 * MEMORY))


class Watch:
    """The processor time and memory of a session, polled twice a second."""

    def __init__(self, processor, still=0):
        """The limits are the seconds of processor time, and the known seconds that the tests wait without using the processor."""
        self.processor, self.still = processor, STILL + min(still, WAIT)
        self.looked, self.used, self.moved = 0, 0, None
        self.times = {}

    def is_over(self, leader):
        now = time.monotonic()
        # Other processes are visible only on Linux.
        if now < self.looked + 0.5 or not os.path.isdir("/proc/self"):
            return False
        self.looked, memory = now, 0
        for process, seconds, size in members(leader):
            self.times[process] = seconds
            memory += size
        used = sum(self.times.values())
        if self.moved is None or used > self.used + 0.05 + IDLE * (now - self.moved):
            self.used, self.moved = used, now
        return used > self.processor or memory > MEMORY or now > self.moved + self.still


def processor_time():
    """Returns the seconds of processor time of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
