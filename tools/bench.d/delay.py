"""From a frame's capture until a reader of the pipe has it.

The virtual headset writes the time of capture into its samples, two frames for each."""

import array
import os
import subprocess
import threading
import time

from measure import QUICK, SPLITCAP, Run, median, note, percentile, progress, row

RATE, PERIOD = 16_000, 160
RUNS = {
    "splitcap": (1, [SPLITCAP, "--quiet", "--backend", "alsa", "--device", "clock",
                     "--left", "-"]),
    "arecord": (2, ["arecord", "-q", "-D", "clock", "-t", "raw", "-f", "S16_LE", "-c", "2",
                    "-r", str(RATE), f"--period-size={PERIOD}"]),
}
SECONDS = 3 if QUICK else 10


def read(descriptor, until):
    """Whatever comes, with the time at which it came."""
    pieces = []
    while time.monotonic() < until:
        data = os.read(descriptor, 1 << 16)
        pieces.append((time.monotonic_ns(), data))
    return pieces


def own_delay():
    """How late this reader is by itself: marks of the time, written down a pipe."""
    reader, writer = os.pipe()
    until = time.monotonic() + 2

    def write():
        while time.monotonic() < until + 0.1:
            os.write(writer, time.monotonic_ns().to_bytes(8, "little"))
            time.sleep(0.01)

    thread = threading.Thread(target=write)
    thread.start()
    pieces = read(reader, until)
    thread.join()
    return [at - int.from_bytes(data[:8], "little") for at, data in pieces if len(data) == 8]


def delays(channels, arguments):
    """Nanoseconds for each second frame, those of the first second left out."""
    run = Run(arguments, stdout=subprocess.PIPE)
    pieces = read(run.output.fileno(), time.monotonic() + SECONDS + 1)
    run.interrupt()
    times, sound = [], bytearray()
    for at, data in pieces:
        sound += data
        times += [at] * (len(sound) // (2 * channels) - len(times))
    marks = array.array("h", bytes(sound[:len(times) * 2 * channels]))[::channels]
    assert len(marks) > RATE * SECONDS * 0.8, f"{arguments[0]} gave {len(marks)} frames"
    result = []
    for frame in range(RATE, len(marks) - 1, 2):
        even, odd = marks[frame], marks[frame + 1]
        assert even >= 0 > odd, "the recording lost frames"
        captured = even | ~odd << 15
        result.append((times[frame] // 1000 - captured) % (1 << 30) * 1000)
    return result


percentiles = {name: [] for name in RUNS}
middles = {name: [] for name in RUNS}
for turn in range(1 if QUICK else 5):
    progress(f"round {turn + 1}")
    for name, (channels, arguments) in RUNS.items():
        found = delays(channels, arguments)
        percentiles[name].append(percentile(found, 99))
        middles[name].append(median(found))
reader = percentile(own_delay(), 99) / 1e6

limit = PERIOD * 1000 / RATE + 2
ours, peer = (median(percentiles[name]) / 1e6 for name in RUNS)
row("frame captured → readable on the pipe, 99th percentile (ALSA, periods of 10 ms)",
    "≤ period + 2 ms", f"{ours:.2f} ms", f"{peer:.2f} ms (`arecord`)", f"{ours / peer:.2f}",
    ours <= limit)
note("captured to readable, median of all frames in milliseconds: " + "; ".join(
    f"{name} {median(middles[name]) / 1e6:.2f}" for name in RUNS)
    + f"; of that the measuring reader's own, at the 99th percentile: {reader:.2f}")
