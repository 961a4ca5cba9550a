"""Splitting a one-hour WAV into two, against a copy of it and against other splitters."""

import os

from measure import QUICK, SPLITCAP, Run, median, note, path, progress, row, spread

SOURCE, LEFT, RIGHT, COPY = (path(name) for name in ("hour.wav", "l.wav", "r.wav", "copy.wav"))
RUNS = {
    "cp": [["cp", "--reflink=never", SOURCE, COPY]],
    "splitcap": [[SPLITCAP, "--quiet", "--input", SOURCE, "--left", LEFT, "--right", RIGHT]],
    "sox": [["sox", SOURCE, out, "remix", str(n)] for n, out in ((1, LEFT), (2, RIGHT))],
    "ffmpeg": [
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", SOURCE, "-filter_complex",
         "channelsplit=channel_layout=stereo[l][r]", "-map", "[l]", LEFT, "-map", "[r]", RIGHT]
    ],
}
# The cheap ones more often: they are what the target compares.
ORDER = ["cp", "splitcap", "sox", "cp", "splitcap", "ffmpeg", "cp", "splitcap"]


def warm():
    """Gets the input into memory, and what the last run wrote out of the way of the next."""
    for name in (LEFT, RIGHT, COPY):
        if os.path.exists(name):
            os.remove(name)
    os.sync()
    with open(SOURCE, "rb", buffering=0) as source:
        block = bytearray(1 << 20)
        while source.readinto(block):
            pass


def samples(name):
    """The end of a file, as long as the samples of one ear."""
    size = (os.path.getsize(SOURCE) - 44) // 2
    with open(name, "rb") as file:
        file.seek(-size, os.SEEK_END)
        return file.read()


def check():
    """Ours and another splitter's must be the same, or the race means nothing."""
    warm()
    Run(RUNS["sox"][0]).wait()
    wanted = samples(LEFT)
    Run(RUNS["sox"][1]).wait()
    wanted_right = samples(RIGHT)
    Run(RUNS["splitcap"][0]).wait()
    assert samples(LEFT) == wanted and samples(RIGHT) == wanted_right, "wrong samples"


progress("checking that the ears are right")
check()
walls = {name: [] for name in RUNS}
cpus = {name: [] for name in RUNS}
for turn in range(1 if QUICK else 5):
    progress(f"round {turn + 1}")
    for name in ORDER:
        warm()
        done = [Run(arguments).wait() for arguments in RUNS[name]]
        walls[name].append(sum(run.seconds for run in done))
        cpus[name].append(sum(run.cpu_seconds for run in done))
warm()

ours = median(walls["splitcap"])
for name, target in (("cp", 1.2), ("sox", None), ("ffmpeg", None)):
    ratio = ours / median(walls[name])
    what = {"cp": "`cp --reflink=never`", "sox": "`sox remix 1` + `sox remix 2`",
            "ffmpeg": "`ffmpeg` channelsplit"}[name]
    row(f"1 h of 44.1 kHz WAV split into two, and {what}", f"≤ {target} ×" if target else "",
        f"{ours:.3f} s", f"{median(walls[name]):.3f} s", f"{ratio:.2f}",
        ratio <= target if target else None)
note("splitting, seconds: " + "; ".join(
    f"{name} {spread(walls[name], digits=3)}, CPU {median(cpus[name]):.2f}" for name in RUNS))
