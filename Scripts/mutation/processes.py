# SPDX-License-Identifier: Apache-2.0
"""Programs that are ended with all that they have started: after a time, or when they loop, wait for ever or grow."""
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time

# Of all processes of one run, in bytes.
MEMORY = 3 << 30
# For so many seconds the processes of a run have not used the processor: they wait for each other, or for nothing.
STILL = 10
# The share of a processor that a process uses while it only looks whether its tests hang.
IDLE = 0.02
# The longest time in seconds that tests which pass are believed to wait.
WAIT = 30
SETTINGS = (
    # Fewer of what the tests repeat at random: a fault that is noticed by luck only is not noticed.
    ("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8"), ("ALMANAC_KILLS", "40"), ("ORACLE_ROUNDS", "2000"),
    # A test that hangs by a fault ends, so that the others go on.
    ("ALMANAC_IDLE_SECONDS", "15"))


def run(command, folder, limit, end=None, variables={}, watch=None):
    """Runs a command, and returns its exit status, or None if it was ended, and its output.

    `end` is asked again and again whether the run may end before. `limit` is in seconds. A run that has a
    watch is also ended if it uses more processor time, grows or stands still.
    """
    # What tests that were ended leave behind goes with the folder.
    temporary = tempfile.mkdtemp(prefix="mutate-")
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=temporary, **variables)
    for name, value in SETTINGS:
        environment.setdefault(name, value)
    deadline = time.monotonic() + limit
    # A file, since a pipe would stay open as long as any process that the tests have started.
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
    """Bounds what a process that grows faster than it is looked at can take."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_DATA, (2 * MEMORY, 2 * MEMORY))


class Watch:
    """The processor time and memory of a session, looked at twice a second."""

    def __init__(self, processor, still=0):
        """The limits are in seconds of processor time, and in seconds that the tests are known to wait without using any."""
        self.processor, self.still = processor, STILL + min(still, WAIT)
        self.looked, self.used, self.moved = 0, 0, None
        self.times = {}

    def is_over(self, leader):
        now = time.monotonic()
        # Only Linux shows other processes here.
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
    """The seconds of processor time of all processes that have been run and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def members(leader):
    """The processes of a session on Linux, with the seconds of processor time and the bytes of memory of each."""
    tick, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader:
                yield int(name), (int(fields[11]) + int(fields[12])) / tick, int(fields[21]) * page


def end_session(leader):
    """Ends the processes of a session, those included that the tests have started and that are in groups of their own."""
    if os.path.isdir("/proc/self"):
        found = [process for process, _, _ in members(leader)]
    else:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,sess="], capture_output=True, text=True).stdout.split("\n")
        found = [int(fields[0]) for fields in map(str.split, listed) if len(fields) == 2 and fields[1] == str(leader)]
    for member in found + [leader]:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
