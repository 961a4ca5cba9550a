"""Processor time of a capture into two files."""

import time

from measure import CAPTURE, PAREC, QUICK, Run, median, note, path, progress, row, spread

SECONDS = 5 if QUICK else 20
RUNS = {
    "splitcap": CAPTURE + ["--left", path("l.wav"), "--right", path("r.wav")],
    "parec": PAREC + ["--rate=16000", path("both.raw")],
}
shares = {name: [] for name in RUNS}
switches = {name: [] for name in RUNS}
for turn in range(1 if QUICK else 5):
    progress(f"round {turn + 1}")
    for name, arguments in RUNS.items():
        run = Run(arguments)
        time.sleep(SECONDS)
        run.interrupt()
        # From start to end, with all threads.
        shares[name].append(run.cpu_seconds / run.seconds)
        switches[name].append(run.switches / run.seconds)

ours, peer = (median(shares[name]) * 100 for name in RUNS)
row("CPU of a 16 kHz capture into two files (Pulse)", "≤ 1.5 × `parec --latency-msec=10`",
    f"{ours:.3f} %", f"{peer:.3f} %", f"{ours / peer:.2f}", ours <= 1.5 * peer)
note("CPU of a capture, percent of a core: " + "; ".join(
    f"{name} {spread(shares[name], 100, 3)}, {median(switches[name]):.0f} context switches/s"
    for name in RUNS))
