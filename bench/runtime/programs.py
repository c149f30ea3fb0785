"""Runs the programs: a case by itself, against the stub, or as a server that the stub calls."""

import os
import resource
import subprocess
import sys
from dataclasses import dataclass

from build import program
from cases import Case

STUB = program("bench-stub")


@dataclass
class Run:
    """What a run has printed, and what it has cost."""

    text: str
    cpu: float  # seconds, user and system

    @property
    def allocations(self) -> int:
        return int(self.text.split()[-2])

    @property
    def peak(self) -> int:
        return int(self.text.split()[-1])


class Process:
    """A process that is running. Its first line may be the URL at which it serves."""

    def __init__(self, *command: str, serves: bool = False):
        self.command = command
        self.child = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = self.line() if serves else ""

    def line(self) -> str:
        text = self.child.stdout.readline().strip()
        if not text:
            self.end()
            sys.exit(f"{' '.join(self.command)} has failed")
        return text

    def finish(self) -> Run:
        """Waits for the end of the process."""
        text = self.child.stdout.read()
        _, status, usage = os.wait4(self.child.pid, 0)
        self.child.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            sys.exit(f"{' '.join(self.command)} has failed with status {self.child.returncode}")
        return Run(text, usage.ru_utime + usage.ru_stime)

    def tell(self) -> None:
        """Sends a line: the stub then responds to the requests that it holds."""
        self.child.stdin.write("\n")
        self.child.stdin.flush()

    def resident(self) -> int:
        """Returns the bytes of the process that are in memory."""
        with open(f"/proc/{self.child.pid}/status") as status:
            line = next(line for line in status if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def end(self) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def of(case: Case, side: str) -> str:
    return program(f"{case.programs}-{side}")


def show(case: Case, side: str) -> str:
    """Returns what the case has read or written, once."""
    if case.where == "server":
        server = Process(of(case, side), "serve", "once", serves=True)
        text = Process(STUB, "show", server.url, case.request).finish().text
        server.finish()
        return text
    if case.where == "client":
        stub = Process(STUB, "serve", serves=True)
        stub.tell()
        text = Process(of(case, side), "show", case.name, stub.url).finish().text
        stub.end()
        return text
    return Process(of(case, side), "show", case.name).finish().text


def run(case: Case, side: str, times: int, *before: str) -> Run:
    """Does the work of a case several times. `before` is a command that runs the program."""
    command = [*before, of(case, side)]
    if case.where == "server":
        server = Process(*command, "serve", "once", serves=True)
        Process(STUB, "load", server.url, case.request, str(times)).finish()
        return server.finish()
    if case.where == "client":
        stub = Process(STUB, "serve", serves=True)
        stub.tell()
        done = Process(*command, "run", case.name, str(times), stub.url).finish()
        stub.end()
        return done
    return Process(*command, "run", case.name, str(times)).finish()


def idle(case: Case, side: str, times: int) -> tuple[int, int, int]:
    """Returns the number of open connections, and the resident bytes of the server before and with them."""
    times = min(times, descriptors() - 100)
    server = Process(of(case, side), "serve", serves=True)
    first = Process(STUB, "idle", server.url, "1")
    first.line()
    before = server.resident()
    load = Process(STUB, "idle", server.url, str(times))
    load.line()
    after = server.resident()
    for process in (load, first, server):
        process.end()
    return times, before, after


def calls(case: Case, side: str, times: int) -> tuple[int, int, int]:
    """Returns the number of calls in flight, and the resident bytes of the client with one and with all of them."""
    times = min(times, descriptors() // 2 - 100)
    resident = []
    for count in (1, times):
        stub = Process(STUB, "serve", serves=True)
        client = Process(of(case, side), "run", case.name, str(count), stub.url)
        while stub.line() != f"held {count}":
            pass
        resident.append(client.resident())
        stub.tell()
        client.finish()
        stub.end()
    return times, resident[0], resident[1]


def descriptors() -> int:
    """Raises the limit of open files as far as is allowed, and returns it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most
