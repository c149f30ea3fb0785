"""The measuring part of bench/five-largest: runs each generator on each document and prints a table."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIMIT = 120  # timeout of a generator, in seconds


def documents(corpus: Path) -> list[Path]:
    """Returns the five largest single-file documents of the corpus, without duplicates."""
    found, seen = [], set()
    files = [*corpus.glob("*/*.json"), *corpus.glob("*/*.yaml"), *corpus.glob("*/*.yml")]
    for path in sorted(files, key=lambda path: (-path.stat().st_size, str(path))):
        head = path.read_bytes()
        title = re.search(rb'"?title"?\s*:\s*(.+)', head)
        stated = re.search(rb'^\s*"?(openapi|swagger)"?\s*:', head, re.MULTILINE)
        if stated is None or title is None or title.group(1) in seen:
            continue
        seen.add(title.group(1))
        found.append(path)
        if len(found) == 5:
            break
    return found


def run(command: list[str], cwd: Path) -> tuple[float, float, str | None]:
    """Returns the CPU seconds, the MiB of the largest resident set, and the last error line of a failed run."""
    log = cwd / "log"
    with log.open("wb") as out:
        child = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
    cpu = usage.ru_utime + usage.ru_stime
    said = None
    if status != 0:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
        said = next((line for line in lines if re.search("error|panicked|fail", line, re.I)), "no word")
    return cpu, usage.ru_maxrss / 1024, said


def main() -> None:
    rounds, corpus, ours, peers, work = sys.argv[1:]
    rounds, corpus, peers, work = int(rounds), Path(corpus), Path(peers), Path(work)
    limit = ["timeout", str(LIMIT)]

    def bothends(spec: Path, out: Path) -> list[str]:
        return [*limit, ours, "generate", str(spec), "--out", str(out / "api"), "--name", "api"]

    def openapi_to_rust(spec: Path, out: Path) -> list[str]:
        command = [str(peers / "openapi-to-rust"), "generate", str(spec)]
        return [*limit, *command, "--output-dir", str(out / "api"), "--module-name", "api"]

    def oas3_gen(spec: Path, out: Path) -> list[str]:
        return [*limit, str(peers / "oas3-gen"), "generate", "client-mod", "-i", str(spec), "-o", str(out / "api")]

    tools = {"bothends": bothends, "openapi-to-rust": openapi_to_rust, "oas3-gen": oas3_gen}
    print("| document | " + " | ".join(tools) + " |")
    print("|---" * (len(tools) + 1) + "|")
    for spec in documents(corpus):
        spent: dict[str, list[tuple[float, float, str | None]]] = {name: [] for name in tools}
        for _ in range(rounds):
            for name, command in tools.items():
                out = work / name
                shutil.rmtree(out, ignore_errors=True)
                out.mkdir(parents=True)
                spent[name].append(run(command(spec, out), out))
        cells = []
        for runs in spent.values():
            said = next((said for _, _, said in runs if said), None)
            least = min(cpu for cpu, _, _ in runs)
            most = max(memory for _, memory, _ in runs)
            cells.append(f"failed: {said}" if said else f"{least:.2f} s, {most:.0f} MiB")
        size = spec.stat().st_size / 1e6
        print(f"| {spec.name}, {size:.1f} MB | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
