"""Resident memory of a live capture into two files."""

import time

from measure import CAPTURE, PAREC, QUICK, Run, median, note, path, progress, row

SECONDS = 6 if QUICK else 20


def status(pid, *keys):
    """Kibibytes as the kernel tells them."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if ":" in line)
    return [int(lines[key].split()[0]) for key in keys]


def measure(runs):
    """Most, growth, and what is not pages of files; both programs at once, as neither takes the
    other's memory."""
    running = {name: Run(arguments) for name, arguments in runs.items()}
    time.sleep(SECONDS / 4)
    early = {name: status(run.pid, "VmRSS")[0] for name, run in running.items()}
    time.sleep(SECONDS * 3 / 4)
    found = {}
    for name, run in running.items():
        most, late, own = status(run.pid, "VmHWM", "VmRSS", "RssAnon")
        found[name] = (most, late - early[name], own)
        run.interrupt()
    return found


for rate, limit in ((16_000, 16), (44_100, 20)):
    runs = {
        "splitcap": CAPTURE + ["--rate", str(rate), "--left", path("l.wav"),
                               "--right", path("r.wav")],
        "parec": PAREC + [f"--rate={rate}", path("both.raw")],
    }
    found = {name: [] for name in runs}
    for turn in range(1 if QUICK else 5):
        progress(f"{rate} Hz, round {turn + 1}")
        for name, values in measure(runs).items():
            found[name].append(values)
    ours, peer = (median([most for most, _, _ in found[name]]) / 1024 for name in runs)
    growth = median([growth for _, growth, _ in found["splitcap"]])
    own = median([own for _, _, own in found["splitcap"]])
    row(f"resident memory, live, {rate / 1000:g} kHz (most in {SECONDS} s)", f"≤ {limit} MB",
        f"{ours:.1f} MB", f"{peer:.1f} MB (`parec`)", f"{ours / peer:.2f}", ours <= limit)
    note(f"memory at {rate} Hz: {own} KiB of it are not pages of files;"
         f" growth in the last {SECONDS * 3 // 4} s: {growth} KiB")
