# SPDX-License-Identifier: Apache-2.0
"""The time that parts of the work take."""
import time

from .processes import processor_time


class Stage:
    """A part of the work, whose time is shown at its end, when the next one begins."""

    def __init__(self):
        self.start, self.processor = time.monotonic(), processor_time()

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def end(self, title):
        print(f"{title} in {self.seconds:.0f} s, {processor_time() - self.processor:.0f} s of processor time", flush=True)
        self.__init__()
