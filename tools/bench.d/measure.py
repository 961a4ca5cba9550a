"""What the rows of tools/bench share: running programs, and telling what was measured."""

import atexit
import os
import signal
import statistics
import subprocess
import sys
import time

SPLITCAP = os.environ["SPLITCAP"]
FOLDER = os.environ["BENCH_FOLDER"]
QUICK = os.environ["BENCH_QUICK"] == "1"
MONITOR = "ears.monitor"
PAREC = ["parec", "--latency-msec=10", "--format=s16le", "--channels=2", f"--device={MONITOR}"]
CAPTURE = [SPLITCAP, "--quiet", "--backend", "pulse", "--device", MONITOR]


def path(name):
    return os.path.join(FOLDER, name)


def row(name, target, ours, peer="", ratio="", met=None):
    """One row of the table; `met` is None where there is no target."""
    verdict = {None: "", True: "yes", False: "**no**"}[met]
    print("row", name, target, ours, peer, ratio, verdict, sep="\t", flush=True)


def note(text):
    """A line below the table."""
    print("note", text, sep="\t", flush=True)


def progress(text):
    print(f"   {text}", file=sys.stderr, flush=True)


def median(values):
    return statistics.median(values)


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def spread(values, unit=1, digits=1):
    """Median, and the least and the most."""
    low, middle, high = (f(values) * unit for f in (min, median, max))
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


class Run:
    """A program that runs, and what it took when it has ended."""

    running = set()

    def __init__(self, arguments, stdout=subprocess.DEVNULL, environment=None):
        self.arguments = arguments
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})})
        self.pid = self.process.pid
        Run.running.add(self)
        self.output = self.process.stdout

    def wait(self, may_fail=False):
        """Waits for its end; it says little on stderr, so no pipe fills up meanwhile."""
        _, status, usage = os.wait4(self.pid, 0)
        Run.running.discard(self)
        self.seconds = time.monotonic() - self.start
        self.cpu_seconds = usage.ru_utime + usage.ru_stime
        self.switches = usage.ru_nvcsw + usage.ru_nivcsw
        self.process.returncode = os.waitstatus_to_exitcode(status)
        words = self.process.stderr.read().decode()
        self.process.stderr.close()
        if self.output:
            self.output.close()
        if self.process.returncode != 0 and not may_fail:
            sys.exit(f"{' '.join(self.arguments)} gave {self.process.returncode}: {words}")
        return self

    def interrupt(self):
        """Ends it as Ctrl-C does; recorders differ in how they call that."""
        self.process.send_signal(signal.SIGINT)
        return self.wait(may_fail=True)


@atexit.register
def end_all():
    """Leaves nothing behind when a row fails or is stopped."""
    for run in list(Run.running):
        run.process.kill()


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def threads(pid):
    """Names of the threads by their number."""
    return {
        int(thread): open(f"/proc/{pid}/task/{thread}/comm").read().strip()
        for thread in os.listdir(f"/proc/{pid}/task")
    }
