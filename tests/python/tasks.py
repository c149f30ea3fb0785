"""A server with long-running work, as services of other people write it. Standard library only.

Prints its port, and with the argument `log` every request line. What it does follows from what is started: see SCRIPTS.
With the arguments `log first URL`, it sends the webhook of an export before it answers the start.
"""

import http.server
import json
import sys
import urllib.parse
import urllib.request

BUSY = (503, {"Retry-After": "0"}, b"busy")
LIMITED = (429, {"Retry-After": "0"}, b"slower")
UNKNOWN = (404, {}, b"")


def status(text, **more):
    return (200, {}, {"status": text, **more})


SCRIPTS = {
    "plain": [status("NotStarted"), status("Running"), status("Succeeded")],
    "new": [UNKNOWN, UNKNOWN, status("Succeeded")],
    "busy": [BUSY, LIMITED, status("Running"), "cut", status("Succeeded")],
    "broken": [status("Failed", error={"code": "quota"})],
    "gone": [status("Running"), (410, {}, b"")],
}
# The states of a video, and the answer to the call for its file.
VIDEOS = {
    "short": (["new", "done"], (200, {}, {"seconds": 7})),
    "old": (["done"], (404, {}, {"reason": "expired"})),
    "lost": (["done"], None),
    "endless": (["new"], None),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True
    left = {}
    polls = {}
    stopped = set()

    def video(self, name):
        states, file = VIDEOS[name]
        state = "cancelled" if name in self.stopped else states[min(self.polls[name], len(states)) - 1]
        return self.answer(200, {}, {"state": state, **({"file": 5} if file else {})})

    def webhook(self, body):
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(sys.argv[-1], json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            print("webhook", response.status, flush=True)

    def answer(self, code, headers, body):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        if body and "Content-Type" not in headers:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urllib.parse.urlsplit(self.path)
        _, what, *rest = url.path.split("/")
        if what == "videos" and rest:
            if VIDEOS[rest[0]][0][-1] == "done":
                return self.answer(409, {}, {"reason": "it has ended"})
            self.stopped.add(rest[0])
            return self.answer(204, {}, b"")
        if what == "videos":
            script = urllib.parse.parse_qs(url.query)["script"][0]
            return self.answer(202, {"Retry-After": "0"}, {"id": script})
        if what == "exports":
            if "first" in sys.argv:
                self.webhook({"export": "17"})
            return self.answer(202, {}, {"export": {"id": 17}})
        if rest == ["checks"]:
            return self.answer(202, {"Location": f"{url.path}/1%2F2", "Retry-After": "0"}, b"")
        if what == "jobs":
            self.left[rest[0]] = list(SCRIPTS[rest[0]])
            here = f"http://{self.headers['Host']}/operations/{rest[0]}?api-version=2026-01-01"
            return self.answer(202, {"Operation-Location": here, "Retry-After": "0"}, b"")
        if what == "instances":
            zone = json.loads(body)["zone"]
            return self.answer(200, {}, {"name": f"operations/{zone}", "metadata": {"zone": zone}})
        if what == "reports" and "lines" in urllib.parse.parse_qs(url.query):
            return self.answer(202, {}, {"id": urllib.parse.parse_qs(url.query)["lines"][0]})
        return self.answer(202, {}, {})

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        _, what, name, *rest = url.path.split("/")
        name = urllib.parse.unquote(name)
        if rest[1:] == ["text"]:
            return self.answer(200, {"Content-Type": "text/plain"}, b"2 found")
        polls = self.polls[name] = self.polls.get(name, 0) + 1
        if rest:
            return self.answer(202 if polls < 3 else 204, {"Retry-After": "0"}, b"")
        if what == "videos":
            return self.video(name)
        if what == "exports":
            return self.answer(200, {}, {"state": "done" if polls > (1 if "first" in sys.argv else 2) else "running"})
        if what == "files":
            return self.answer(*VIDEOS[urllib.parse.parse_qs(url.query)["of"][0]][1])
        if what == "operations":
            left = self.left[name]
            answer = left.pop(0) if len(left) > 1 else left[0]
            if answer == "cut":
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b'{"status":')
                self.close_connection = True
                return None
            return self.answer(*answer)
        if what == "v1":
            end = {"error": {"code": 8, "message": "none left"}} if name.endswith("full") else {"response": {"zone": name}}
            return self.answer(200, {}, {"name": name, **({"done": True, **end} if polls > 2 else {})})
        if polls < 3:
            return self.answer(202, {"Retry-After": "0"}, b"")
        return self.answer(200, {}, {"lines": int(name)})

    def do_DELETE(self):
        return self.answer(204, {}, b"")

    def log_request(self, *_):
        if "log" in sys.argv:
            print(self.requestline, flush=True)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
