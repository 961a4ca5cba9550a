"""Start and end of the program."""

import os
import time

from measure import QUICK, SPLITCAP, median, note, progress, row, spread

RUNS = {
    "splitcap": [SPLITCAP, "--version"], "arecord": ["arecord", "--version"],
    "parec": ["parec", "--version"], "sox": ["sox", "--version"], "true": ["true"],
}
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
times = {name: [] for name in RUNS}
for turn in range(10 if QUICK else 50):
    for name, arguments in RUNS.items():
        start = time.monotonic()
        pid = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=quiet)
        os.waitpid(pid, 0)
        times[name].append(time.monotonic() - start)
progress(f"{len(times['true'])} starts each")

ours, peer = (median(times[name]) * 1000 for name in ("splitcap", "parec"))
row("`splitcap --version`", "≤ 6 ms", f"{ours:.1f} ms", f"{peer:.1f} ms (`parec --version`)",
    f"{ours / peer:.2f}", ours <= 6)
note("`--version`, milliseconds: " + "; ".join(
    f"{name} {spread(times[name], 1000)}" for name in RUNS))
