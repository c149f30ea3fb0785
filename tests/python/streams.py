"""A server of event streams, as services of other people write it. Standard library only.

Prints its port and the length of its recorded stream, and then a line for each request for orders and answers: its
method, its path, its `Last-Event-ID` and its body. What it does follows from the path: see SCRIPTS. Bodies are chunked,
and a body that is cut has no last chunk.
"""

import socketserver
import urllib.parse

# Every event has an id. Lines end in all ways, and comments and a delay stand between.
RECORDED = (
    b"\xef\xbb\xbf: hello\n\nid: 1\ndata: first\n\n"
    b"retry: 1\r\n\r\nid: 2\r\nevent: message\r\ndata: second\r\ndata: line\r\n\r\n"
    b":\r\rid:3\rdata:third\r\rdata: four\xc3\xa9th\nid: n\xc3\xb6 4\n\nid: 5\ndata\n\n"
)
EVENTS = [
    ("1", b"id: 1\ndata: first\n\n"),
    ("2", b"data: second\ndata: line\nid: 2\n\n"),
    ("3", b"id: 3\ndata: third\n\n"),
    ("n\u00f6 4", b"id: n\xc3\xb6 4\ndata: four\xc3\xa9th\n\n"),
    ("5", b"id: 5\ndata:\n\n"),
]


def after(last):
    """The events after an id, or None without any."""
    ids = [""] + [id for id, _ in EVENTS]
    at = ids.index(last) if last != "0" else 0
    return b"".join(text for _, text in EVENTS[at:]) or None


FIRST = b'id: 1\ndata: {"number": 1}\n\n'
NEXT = b'id: 2\ndata: {"number": 2}\n\n'

# What is answered to one request after another; the last answer stays: the status, the headers, the body, and whether
# it is cut off.
SCRIPTS = {
    "busy": [
        (200, {}, FIRST, True),
        (503, {"Retry-After": "0"}, b"busy", False),
        (429, {"Retry-After": "0"}, b"slower", False),
        (200, {}, NEXT, False),
        (204, {}, None, False),
    ],
    "down": [(200, {}, FIRST, True), (503, {}, b"down", False)],
    "away": [(200, {}, FIRST, True), (503, {"Retry-After": "3600"}, b"away", False)],
    "gone": [(200, {}, FIRST, True), (404, {"Content-Type": "application/json"}, b'{"message":"gone"}', False)],
    "page": [(200, {}, FIRST, True), (200, {"Content-Type": "text/html"}, b"<p>", False)],
    "ended": [(200, {}, FIRST + b"data: [END]\n\n" + NEXT, True)],
    "cleared": [(200, {}, FIRST + b"id\n\n", True)],
    "without": [(200, {}, b'data: {"number": 1}\n\n', False)],
    "none": [(204, {}, None, False)],
    "piecewise": [(200, {}, FIRST, True), (200, {}, NEXT + b"data: [DONE]\n\n", False)],
}


class Handler(socketserver.StreamRequestHandler):
    asked = {}

    def handle(self):
        method, target, _ = self.rfile.readline().decode().split(" ")
        headers = {}
        while line := self.rfile.readline().strip():
            name, value = line.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        path = urllib.parse.unquote(target)
        last = headers.get("last-event-id", "")
        script = path.split("/")[-1]
        asked = self.asked[script] = self.asked.get(script, 0) + 1
        if path.startswith("/notes/"):
            return self.recorded(script, asked, last)
        print(method, path, last, body.decode(), flush=True)
        answers = SCRIPTS.get(script, SCRIPTS["piecewise"])
        return self.send(*answers[min(asked, len(answers)) - 1])

    def recorded(self, script, asked, last):
        """`all-N`: every body is cut after N bytes. Any other script with a number: the first body is."""
        kind, _, size = script.partition("-")
        rest = RECORDED if last == "" else after(last)
        if rest is None:
            return self.send(204, {}, None, False)
        is_cut = kind == "all" or asked == 1
        return self.send(200, {}, rest[: int(size)] if is_cut else rest, is_cut)

    def send(self, status, headers, body, is_cut):
        head = f"HTTP/1.1 {status} X\r\nConnection: close\r\n"
        for name, value in {"Content-Type": "text/event-stream", **headers}.items():
            head += f"{name}: {value}\r\n" if body is not None else ""
        if body is None:
            return self.wfile.write(f"{head}\r\n".encode())
        self.wfile.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for at in range(0, len(body), 7):
            piece = body[at : at + 7]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        if not is_cut:
            self.wfile.write(b"0\r\n\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], len(RECORDED), flush=True)
server.serve_forever()
