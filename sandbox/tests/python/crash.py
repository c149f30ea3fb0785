"""Kills instances of the sandbox under load, and looks whether anything is lost.

    crash.py BINARY DATABASE --instances N --kills K --seed S

Clients obtain tokens, rotate them, reuse spent ones, start refreshes and read them, while instances are
killed with SIGKILL after a random number of responses, and started again. Afterwards every refresh that was
accepted has completed, its webhook has arrived with a valid signature, and no token was accepted that the
sandbox had declared invalid. Prints a line of JSON; the exit code is 1 if something is wrong. Only the
standard library is used.
"""

import argparse
import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import random
import signal
import subprocess
import sys
import threading
import urllib.parse

SIGNING_TOKEN = "a signing token of more than thirty-two characters"
CONSOLE_TOKEN = "the-token-of-the-console-in-this-test"
CLIENTS = 6


class Lost(Exception):
    """The instance ended before its response was complete: the effect is unknown."""


class Receiver:
    """Receives webhooks, and remembers the task ids."""

    def __init__(self):
        self.changed = threading.Condition()
        self.tasks = {}
        self.wrong = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                expected = hmac.new(SIGNING_TOKEN.encode(), body, hashlib.sha256).hexdigest()
                with outer.changed:
                    if self.headers["X-Token-Signature"] != expected:
                        outer.wrong.append(f"signature of {body!r}")
                    task = json.loads(body)["data"]["task_id"]
                    outer.tasks[task] = outer.tasks.get(task, 0) + 1
                    outer.changed.notify_all()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/webhooks"


class Instance:
    """A running sandbox."""

    def __init__(self, binary, database):
        command = [binary, "--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"]
        command += ["--database", database, "--seed", "7", "--ready-json"]
        environment = dict(os.environ, SANDBOX_CONSOLE_TOKEN=CONSOLE_TOKEN, RUST_LOG="error")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"an instance does not start: exit code {self.process.wait()}")
        self.ready = json.loads(line)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


def request(base, method, path, headers=None, body=None):
    """Returns status and body, or raises Lost."""
    address = urllib.parse.urlsplit(base).netloc
    connection = http.client.HTTPConnection(address)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException) as error:
        raise Lost from error
    finally:
        connection.close()


def console(instance, method, path, content):
    headers = {"Authorization": f"Bearer {CONSOLE_TOKEN}", "Content-Type": "application/json"}
    status, body = request(instance.ready["console"], method, path, headers, json.dumps(content))
    assert status in (200, 201), (status, body)
    return json.loads(body)


class World:
    """What all clients know."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.responded = threading.Condition(self.lock)
        self.responses = 0
        self.instances = []
        self.accepted = []
        self.invalid = []
        self.wrong = []
        self.counts = {"rotated": 0, "reused": 0, "checked": 0, "unknown": 0}
        self.stopping = False

    def count(self, what):
        with self.responded:
            self.counts[what] += 1
            self.responded.notify_all()

    def complain(self, what):
        with self.responded:
            self.wrong.append(what)
            self.responded.notify_all()

    def call(self, random, method, path, headers, body=None):
        """Calls any instance."""
        with self.lock:
            instance = random.choice(self.instances)
        headers = dict(headers)
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(body)
        status, content = request(instance.ready["api"], method, path, headers, body)
        with self.responded:
            self.responses += 1
            self.responded.notify_all()
        if status >= 500:
            # The other instance, or the database, was busy: the client would try again.
            raise Lost
        return status, json.loads(content)


class Family:
    """The tokens that a client has obtained from one use of its credentials."""

    def __init__(self, data):
        self.spent = []
        self.access = []
        self.take(data)

    def take(self, data):
        self.refresh = data["refresh_token"]
        self.access.append(data["access_token"])


def client(world, ready, seed):
    """Works until told to stop."""
    rng = random.Random(seed)
    family = None
    while not world.stopping:
        try:
            if family is None:
                family = obtain(world, rng, ready)
            elif (dice := rng.random()) < 0.5:
                start(world, rng, ready, family)
            elif dice < 0.65:
                family = rotate(world, rng, ready, family)
            elif dice < 0.72:
                family = reuse(world, rng, ready, family)
            else:
                check(world, rng, ready, family)
        except Lost:
            world.count("unknown")
        except Exception as error:  # Without its clients, the judge would wait for responses forever.
            world.complain(f"the client failed: {error!r}")
            return


def obtain(world, rng, ready):
    basic = base64.b64encode(f"{ready['client_id']}:{ready['client_secret']}".encode()).decode()
    headers = {"Authorization": f"Basic {basic}"}
    status, body = world.call(rng, "POST", "/v1/oauth/token", headers, {"grant_type": "client_credentials"})
    if status != 200:
        world.complain(f"credentials: {status} {body}")
        return None
    return Family(body["data"])


def authorized(ready, access):
    return {"Authorization": f"Bearer {access}", "X-Client-Id": ready["client_id"], "X-Customer-Id": ready["customer_id"]}


def start(world, rng, ready, family):
    headers = authorized(ready, family.access[-1])
    status, body = world.call(rng, "POST", "/v1/open-banking/refresh", headers)
    if status != 200:
        world.complain(f"refresh: {status} {body}")
        return
    with world.lock:
        world.accepted.append(body["task_id"])


def rotate(world, rng, ready, family):
    body = {"grant_type": "refresh_token", "refresh_token": family.refresh}
    try:
        status, body = world.call(rng, "POST", "/v1/oauth/token", {"X-Client-Id": ready["client_id"]}, body)
    except Lost:
        # Whether the token is spent is unknown, so nothing can be said about the family.
        world.count("unknown")
        return None
    if status != 200:
        world.complain(f"rotation: {status} {body}")
        return None
    family.spent.append(family.refresh)
    family.take(body["data"])
    world.count("rotated")
    return family


def reuse(world, rng, ready, family):
    """A spent refresh token is refused, and all tokens of its family are invalid from then on."""
    if not family.spent:
        return family
    body = {"grant_type": "refresh_token", "refresh_token": rng.choice(family.spent)}
    try:
        status, body = world.call(rng, "POST", "/v1/oauth/token", {"X-Client-Id": ready["client_id"]}, body)
    except Lost:
        # Whether the family is revoked is unknown.
        world.count("unknown")
        return None
    if status != 401:
        world.complain(f"a spent refresh token was accepted: {status} {body}")
        return None
    with world.lock:
        world.invalid.extend(family.access)
    world.count("reused")
    return None


def check(world, rng, ready, family):
    """Invalid tokens are refused, and accepted tasks are known."""
    with world.lock:
        task = rng.choice(world.accepted) if world.accepted else None
        invalid = rng.choice(world.invalid) if world.invalid else None
    if task is None:
        return
    path = f"/v1/open-banking/refresh/{task}"
    status, body = world.call(rng, "GET", path, authorized(ready, family.access[-1]))
    if status != 200:
        world.complain(f"task {task}: {status} {body}")
    if invalid is not None:
        status, body = world.call(rng, "GET", path, authorized(ready, invalid))
        if status != 401:
            world.complain(f"an invalid token was accepted: {status} {body}")
        world.count("checked")


def kill_all(world, rng):
    """Kills instances, each after a random number of responses, and starts them again."""
    for _ in range(world.options.kills):
        more = rng.randint(1, 60)
        with world.responded:
            goal = world.responses + more
            world.responded.wait_for(lambda: world.responses >= goal or world.wrong)
            if world.wrong:
                return
            at = rng.randrange(len(world.instances))
            victim = world.instances[at]
            # Clients may still choose the instance, and find the connection refused.
        victim.kill()
        started = Instance(world.options.binary, world.options.database)
        with world.lock:
            world.instances[at] = started


def wait_for_each_call(world):
    """Waits until clients have made every kind of call. Few kills may leave one to chance."""

    def made():
        return world.accepted and all(world.counts[what] for what in ("rotated", "reused", "checked"))

    with world.responded:
        world.responded.wait_for(lambda: made() or world.wrong)


def settle(world, receiver, ready):
    """Waits until every accepted task has completed and its webhook has arrived."""
    with receiver.changed:
        receiver.changed.wait_for(lambda: all(task in receiver.tasks for task in world.accepted))
    rng = random.Random(0)
    family = obtain(world, rng, ready)
    for task in world.accepted:
        path = f"/v1/open-banking/refresh/{task}"
        status, body = world.call(rng, "GET", path, authorized(ready, family.access[-1]))
        if status != 200 or body.get("status") != "Completed":
            world.complain(f"task {task}: {status} {body}")


def explain(world, project):
    """Prints what the inspector of the console has about the calls that were rejected last."""
    instance = world.instances[0]
    headers = {"Authorization": f"Bearer {CONSOLE_TOKEN}"}
    path = f"/api/projects/{project}"
    for of in ("", "/clock", "/calls?failed=true&limit=10"):
        print(request(instance.ready["console"], "GET", path + of, headers), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("database")
    parser.add_argument("--instances", type=int, default=1)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    world = World(parser.parse_args())
    options = world.options
    rng = random.Random(options.seed)
    receiver = Receiver()
    try:
        world.instances = [Instance(options.binary, options.database) for _ in range(options.instances)]
        ready = world.instances[0].ready
        project = ready["project"]
        settings = {"settings": {"completion": {"mode": "automatic", "step_milliseconds": 20}}}
        console(world.instances[0], "PATCH", f"/api/projects/{project}", settings)
        subscription = {"url": receiver.url(), "events": ["refreshCompleted"], "signing_token": SIGNING_TOKEN}
        console(world.instances[0], "POST", f"/api/projects/{project}/subscriptions", subscription)
        clients = [
            threading.Thread(target=client, args=(world, ready, rng.random()), daemon=True) for _ in range(CLIENTS)
        ]
        for one in clients:
            one.start()
        kill_all(world, rng)
        wait_for_each_call(world)
        world.stopping = True
        for one in clients:
            one.join()
        if not world.wrong:
            settle(world, receiver, ready)
        if world.wrong:
            explain(world, project)
    finally:
        for instance in world.instances:
            instance.kill()
    wrong = world.wrong + receiver.wrong
    repeated = sum(count - 1 for count in receiver.tasks.values())
    summary = {"kills": options.kills, "responses": world.responses, "accepted": len(world.accepted)}
    summary |= {"webhooks": len(receiver.tasks), "repeated": repeated, **world.counts, "wrong": wrong[:10]}
    print(json.dumps(summary))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
