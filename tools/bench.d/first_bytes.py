"""From the start of the program to the first bytes of sound on its stdout."""

import random
import subprocess
import time

from measure import CAPTURE, PAREC, QUICK, Run, median, note, progress, row, spread

RUNS = {"splitcap": CAPTURE + ["--left", "-"], "parec": PAREC + ["--rate=16000"]}
delays = {name: [] for name in RUNS}
for turn in range(5 if QUICK else 25):
    for name, arguments in RUNS.items():
        # Anywhere between two of the source's blocks.
        time.sleep(0.05 + random.random() * 0.05)
        run = Run(arguments, stdout=subprocess.PIPE)
        run.output.read(1)
        delays[name].append(time.monotonic() - run.start)
        run.interrupt()
progress(f"{len(delays['parec'])} starts each")

ours, peer = (median(delays[name]) * 1000 for name in RUNS)
row("first bytes of the left ear on stdout (Pulse)", "≤ `parec --latency-msec=10` + 10 ms",
    f"{ours:.1f} ms", f"{peer:.1f} ms", f"{ours / peer:.2f}", ours <= peer + 10)
note("first bytes, milliseconds: " + "; ".join(
    f"{name} {spread(delays[name], 1000)}" for name in RUNS))
