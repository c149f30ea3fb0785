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

from build import TARGET, program
from cases import Case

ROUNDS = int(os.environ.get("ROUNDS", "5"))  # rounds of the measurements in CPU time, of which the least counts
SLOWER = 50  # about how much slower callgrind is: runs in CPU time are longer by this factor


def callgrind() -> bool:
    return shutil.which("valgrind") is not None


def compare(case: Case, unit: str) -> dict:
    """Measures both sides. Fails if they do not show the same results."""
    shown = {side: show(case, side) for side in ("ours", "peer")}
    if shown["ours"] != shown["peer"]:
        sys.exit(f"{case.name}: the results differ\n{difference(shown['ours'], shown['peer'])}")
    sides = {side: {"allocations": allocations(case, side)} for side in ("ours", "peer")}
    if unit == "instructions":
        for side, found in sides.items():
            found["cost"] = instructions(case, side)
    else:
        for side in sides:
            sides[side]["cost"] = float("inf")
        for _ in range(ROUNDS):
            for side, found in sides.items():
                found["cost"] = min(found["cost"], cpu(case, side))
    ratio = sides["ours"]["cost"] / sides["peer"]["cost"]
    measure = "instructions" if unit == "instructions" else "CPU, ns"
    return {"case": case.name, "measure": measure, "ratio": round(ratio, 4), **sides}


def difference(ours: str, peer: str) -> str:
    for left, right in zip(ours.splitlines(), peer.splitlines()):
        if left != right:
            at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
            start = max(0, at - 60)
            return f"ours: {left[start:at + 200]}\npeer: {right[start:at + 200]}"
    return "one has more lines"


def show(case: Case, side: str) -> str:
    command = [program(side), "show", case.name]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def run(case: Case, side: str, times: int, *before: str) -> int:
    """Does the work of a case and returns the number of allocations."""
    command = [*before, program(side), "run", case.name, str(times)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{case.name} of {side} fails: {done.stderr[-2000:]}")
    return int(done.stdout)


def per_work(case: Case, few: float, many: float) -> float:
    return (many - few) / (case.many - case.few)


def allocations(case: Case, side: str) -> float:
    return per_work(case, *(run(case, side, times) for times in (case.few, case.many)))


def instructions(case: Case, side: str) -> float:
    return per_work(case, *(counted(case, side, times) for times in (case.few, case.many)))


def counted(case: Case, side: str, times: int, *options: str) -> int:
    out = profile_file(case, side)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options]
    run(case, side, times, *command)
    for text in out.read_text().splitlines():
        found = re.match(r"(?:summary|totals): (\d+)", text)
        if found:
            return int(found.group(1))
    sys.exit(f"{out} has no total")


def cpu(case: Case, side: str) -> float:
    """Returns nanoseconds of CPU time, user and system."""
    spent = []
    for times in (case.few * SLOWER, case.many * SLOWER):
        before = os.times()
        run(case, side, times)
        after = os.times()
        spent.append(sum(getattr(after, kind) - getattr(before, kind) for kind in ("children_user", "children_system")))
    return per_work(case, *spent) / SLOWER * 1e9


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
