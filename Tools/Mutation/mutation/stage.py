# SPDX-License-Identifier: Apache-2.0
"""The durations of the stages of the work."""
import time

from .processes import processor_time


class Stage:
    """A stage of the work. Its end prints its duration, and starts the next stage."""

    def __init__(self):
        self.start, self.processor = time.monotonic(), processor_time()

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def end(self, title):
        print(f"{title} in {self.seconds:.0f} s, {processor_time() - self.processor:.0f} s of processor time", flush=True)
        self.__init__()
