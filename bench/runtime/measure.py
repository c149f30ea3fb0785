"""Measures a case on both sides.

The cost of one piece of work is the difference of two runs, divided by the difference of their lengths: what a
program does before and after the work cancels out.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import programs
from build import TARGET
from cases import Case

ROUNDS = int(os.environ.get("ROUNDS", "5"))  # rounds of measurements that are not exact, of which the least counts
SLOWER = 50  # about how much slower callgrind is: runs in CPU time are longer by this factor
SIDES = ("ours", "peer")


def callgrind() -> bool:
    return shutil.which("valgrind") is not None


def compare(case: Case, unit: str) -> dict:
    """Measures both sides. Fails if they do not show the same results."""
    ours, peer = (programs.show(case, side) for side in SIDES)
    if ours != peer:
        sys.exit(f"{case.name}: the results differ\n{difference(ours, peer)}")
    how, sides = METHODS[case.measure if case.measure != "cost" else unit](case)
    costs = [sides[side]["cost"] for side in SIDES]
    return {"case": case.name, "measure": how, "ratio": round(costs[0] / costs[1], 4), **sides}


def difference(ours: str, peer: str) -> str:
    for left, right in zip(ours.splitlines(), peer.splitlines()):
        if left != right:
            at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
            start = max(0, at - 60)
            return f"ours: {left[start:at + 200]}\npeer: {right[start:at + 200]}"
    return "one has more lines"


def per_work(case: Case, few: float, many: float) -> float:
    return (many - few) / (case.many - case.few)


def allocations(case: Case, side: str) -> float:
    return per_work(case, *(programs.run(case, side, times).allocations for times in (case.few, case.many)))


def by_instructions(case: Case) -> tuple[str, dict]:
    return "instructions", {
        side: {"cost": instructions(case, side), "allocations": allocations(case, side)} for side in SIDES
    }


def instructions(case: Case, side: str) -> float:
    return per_work(case, *(counted(case, side, times) for times in (case.few, case.many)))


def counted(case: Case, side: str, times: int) -> int:
    out = profile_file(case, side)
    programs.run(case, side, times, "valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}")
    for text in out.read_text().splitlines():
        found = re.match(r"(?:summary|totals): (\d+)", text)
        if found:
            return int(found.group(1))
    sys.exit(f"{out} has no total")


def by_cpu(case: Case) -> tuple[str, dict]:
    """Measures nanoseconds of CPU time, user and system. The sides take turns, and the least run of each counts."""
    factor = 1 if case.measure == "cpu" else SLOWER
    sides, least = {side: {"allocations": allocations(case, side)} for side in SIDES}, {}
    for _ in range(ROUNDS):
        for side in SIDES:
            for times in (case.few, case.many):
                spent = programs.run(case, side, times * factor).cpu
                least[side, times] = min(spent, least.get((side, times), spent))
    for side, found in sides.items():
        found["cost"] = per_work(case, least[side, case.few], least[side, case.many]) / factor * 1e9
    return "CPU, ns", sides


def by_peak(case: Case) -> tuple[str, dict]:
    """Measures the peak. The least of several runs counts, because buffers grow with what the system has ready."""
    sides = {}
    for side in SIDES:
        least = min((programs.run(case, side, case.many) for _ in range(ROUNDS)), key=lambda run: run.peak)
        sides[side] = {"cost": least.peak, "allocations": least.allocations}
    return "peak, bytes", sides


def by_resident(case: Case) -> tuple[str, dict]:
    """Measures the resident bytes for each connection or call: the least of three rounds."""
    how = programs.idle if case.measure == "idle" else programs.calls
    sides, count = {}, 0
    for side in SIDES:
        rounds = [how(case, side, case.many) for _ in range(3)]
        count = rounds[0][0]
        least = min(rounds, key=lambda found: found[2] - found[1])
        cost = (least[2] - least[1]) / count
        sides[side] = {"cost": cost, "allocations": None, "resident": least[2], "before": least[1]}
    name = "connections" if case.measure == "idle" else "calls"
    return f"resident bytes each, {count:,} {name}", sides


METHODS = {
    "instructions": by_instructions,
    "cpu": by_cpu,
    "peak": by_peak,
    "idle": by_resident,
    "calls": by_resident,
}


def profile_file(case: Case, side: str) -> Path:
    folder = TARGET / "callgrind"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{case.name}.{side}.out"


def profile(case: Case, side: str) -> str:
    """Returns the functions in which the instructions of the longer run are spent, alone and with their callees."""
    counted(case, side, case.many)
    out = profile_file(case, side)
    parts = [f"{case.name}, {side}, {case.many} times: {out}"]
    for how, title in (("no", "alone"), ("yes", "with callees")):
        command = ["callgrind_annotate", "--auto=no", f"--inclusive={how}", out]
        text = subprocess.run(command, text=True, stdout=subprocess.PIPE).stdout
        rows = [row for row in text.splitlines() if re.match(r" *[\d,]+ \(", row)]
        rows = [re.sub(r" +\[[^]]*\]$|(?<=\) )[^ :]*/(?=[^/ ]+:)", "", row) for row in rows]
        parts.append("\n".join([title, *(row[:160] for row in rows[:60])]))
    return "\n\n".join(parts)
