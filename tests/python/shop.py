"""The shop of the guide, as somebody else would serve it. Standard library only.

Prints its port, and then a line for each request. The first GET of a path, and the first order, are refused with 503;
the status of an export is 404, 429 and `running` before it is `done`; streams of events break.
"""

import http.server
import json
import urllib.parse

PRODUCTS = [
    {"id": 1, "name": "desk", "cents": 19900, "tags": ["office"]},
    {"id": 2, "name": "chair", "cents": 9900, "tags": ["office"]},
    {"id": 3, "name": "lamp", "cents": 2900},
]
STATUSES = [404, 429, "running", "done"]


def event(id, state):
    return f'id: {id}\ndata: {{"order_id":"o{id}","state":"{state}"}}\n\n'.encode()


# By `Last-Event-ID`: the events, and whether the connection breaks after them.
EVENTS = {
    "1": (event(2, "shipped"), True),
    "2": (event(3, "delivered"), False),
    "7": (event(8, "placed"), False),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True
    seen, exports, keys = set(), {}, []
    streams = 0

    def answer(self, code, body=None, headers=()):
        body = b"" if body is None else json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        if code != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, code):
        error = {"code": "not_found", "message": "not now"}
        self.answer(code, error, [("Retry-After", "0")])

    def is_first(self, what):
        is_first = what not in self.seen
        self.seen.add(what)
        return is_first

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"null")

    def do_POST(self):
        path, sent = self.path.removeprefix("/v1"), self.body()
        key = self.headers.get("Idempotency-Key")
        if key:
            if key not in self.keys:
                self.keys.append(key)
            created = self.keys.index(key) + 1
            print("POST", path, key if key.startswith("order") else f"key {created}", flush=True)
        else:
            print("POST", path, flush=True)
        if path == "/orders":
            if self.is_first("order"):
                return self.refuse(503)
            return self.answer(201, {"id": "o1", "state": "placed", **sent})
        if path == "/products":
            assert self.headers["X-Api-Key"] == "secret", self.headers
            product = {"id": len(PRODUCTS) + 1, **sent}
            PRODUCTS.append(product)
            return self.answer(201, product, [("Location", f"/v1/products/{product['id']}")])
        assert self.headers["Authorization"] == "Bearer token", self.headers
        id = f"e{len(self.exports) + 1}"
        self.exports[id] = list(STATUSES)
        self.answer(202, {"id": id, "state": "running"}, [("Retry-After", "0")])

    def do_GET(self):
        path = self.path.removeprefix("/v1")
        last = self.headers.get("Last-Event-ID")
        print("GET", path, *([f"after {last}"] if last else []), flush=True)
        url = urllib.parse.urlsplit(path)
        if url.path == "/orders/events":
            return self.events(last)
        if url.path.startswith("/exports/"):
            return self.export(url.path.split("/")[2])
        if self.is_first(url.path):
            return self.refuse(503)
        if url.path != "/products":
            id = int(url.path.split("/")[2])
            return self.answer(200, PRODUCTS[id - 1])
        query = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
        after = int(query.get("after", 0))
        found = [of for of in PRODUCTS if of["id"] > after and query.get("tag") in (None, *of.get("tags", []))]
        self.answer(200, found[: min(2, int(query.get("limit", 20)))])

    def export(self, id):
        status = self.exports[id].pop(0)
        if isinstance(status, int):
            return self.refuse(status)
        self.answer(200, {"id": id, "state": status}, [("Retry-After", "0")])

    def events(self, last):
        if last is None:
            Handler.streams += 1
            # The first stream ends, and the second breaks in an event.
            text, breaks = event(1, "placed"), self.streams == 2
        elif last in EVENTS:
            text, breaks = EVENTS[last]
        else:
            return self.answer(204)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        # Otherwise, the client may send its next request while the connection is being closed.
        self.send_header("Connection", "close")
        self.end_headers()
        if breaks:
            text += b"id: 9\ndata: {"
        self.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")
        if not breaks:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
