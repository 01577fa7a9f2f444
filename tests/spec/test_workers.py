"""Processes that share the first reading."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

SLEEPING = """
import os, time
from gradspec.spec.reading.workers import workers

def wait(seconds):
    os.write(1, b"at work\\n")
    time.sleep(seconds)

with workers() as pool:
    pool.map(wait, [60] * os.cpu_count(), chunksize=1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them with their parent")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_they_end_with_the_process_that_started_them(number: int) -> None:
    """Else whoever reads its output would wait for them."""
    with subprocess.Popen([sys.executable, "-c", SLEEPING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(os.cpu_count() or 1):
            assert process.stdout.readline() == b"at work\n"
        killed = time.monotonic()
        process.send_signal(number)
        assert process.stdout.read() == b""  # all that could write to it have ended
        assert time.monotonic() - killed < 30
