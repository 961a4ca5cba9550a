"""What the capture thread asks of the system in steady state: calls, and allocations."""

import re
import struct
import subprocess
import time
from collections import Counter

from measure import CAPTURE, QUICK, SPLITCAP, Run, median, note, path, progress, row, threads

SECONDS = 2 if QUICK else 5
ALSA = [SPLITCAP, "--quiet", "--backend", "alsa", "--device", "clock"]
FILES = ["--left", path("l.wav"), "--right", path("r.wav")]
PIPES = ["--left", "exec:cat >/dev/null", "--right", "exec:cat >/dev/null"]
# With the call that the back end, or its device, makes once a block.
RUNS = {
    "Pulse, files": ("ppoll", CAPTURE + FILES), "Pulse, programs": ("ppoll", CAPTURE + PIPES),
    "ALSA, files": ("timerfd_settime", ALSA + FILES),
    "ALSA, programs": ("timerfd_settime", ALSA + PIPES),
}
# What waiting for sound and fetching it takes in libpulse and libasound, on sockets, pipes, events
# and timers; libpulse asks for its process number to notice a fork.
BACKEND = {
    "poll", "ppoll", "restart_syscall", "read", "recvmsg", "sendmsg", "write", "getpid",
    "timerfd_settime",
}
CALL = re.compile(r"(\w+)\((?:\d+<(.*?)>)?(.*)")


def trace(run):
    """System calls of the capture thread."""
    thread, = (number for number, name in threads(run.pid).items() if name == "capture")
    log = path("calls")
    tracer = subprocess.Popen(
        ["strace", "-q", "-y", "-o", log, "-p", str(thread)], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    time.sleep(SECONDS)
    tracer.terminate()
    tracer.wait()
    return [match.groups() for match in map(CALL.match, open(log)) if match]


def allocations(arguments):
    """Calls of the heap's functions that the capture thread makes, in five stretches of time.

    While the machine is too busy for it, libpulse keeps more blocks than before: hence a median."""
    counter = path("count")
    run = Run(arguments, environment={"LD_PRELOAD": path("allocations.so"),
                                      "ALLOCATION_COUNT": counter})

    def count():
        return struct.unpack("<Q", open(counter, "rb").read(8))[0]

    time.sleep(2)
    counts = [count()]
    assert counts[0] > 0, "nothing counts allocations"
    for _ in range(5):
        time.sleep(SECONDS / 2)
        counts.append(count())
    run.interrupt()
    return [after - before for before, after in zip(counts, counts[1:])]


def is_own(kind, target):
    """Whether a call is this program's own, and no post: a file counts, whoever writes it."""
    return kind != "futex" and (kind not in BACKEND or (target or "").startswith("/"))


for name, (block, arguments) in RUNS.items():
    progress(name)
    run = Run(arguments)
    time.sleep(2)
    calls = trace(run)
    run.interrupt()
    kinds = Counter(kind for kind, _, _ in calls)
    waits = sum(1 for kind, _, rest in calls if kind == "futex" and "FUTEX_WAIT" in rest)
    posts = kinds["futex"] - waits
    own = sum(1 for kind, target, _ in calls if is_own(kind, target))
    heap = allocations(arguments)
    # A thread that comes late fetches several blocks after one wait.
    row(f"capture thread, steady state, {SECONDS} s ({name})",
        "no allocation, lock wait, call of our own; ≤ 1 post a block",
        f"{median(heap)}, {waits}, {own}; {posts / kinds[block]:.2f}", "", "",
        median(heap) == 0 and waits == 0 and own == 0 and posts <= kinds[block] * 1.05)
    note(f"system calls of the capture thread ({name}), a second: " + ", ".join(
        f"{kind} {n / SECONDS:.0f}" for kind, n in kinds.most_common())
        + f"; allocations in five stretches: {heap}")
