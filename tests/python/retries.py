"""A server whose operations fail at first. Standard library only.

Prints its port. The last segment of a path is a script: a fault for each request, joined by `-`. After the faults the
request is handled: `handled` counts how often, `received` the requests, and `keys` are the keys that arrived.
"""

import http.server
import json
import re
import threading

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True
    lock = threading.Lock()
    received = {}
    handled = {}

    def answer(self, code, headers, body):
        body = json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _, _what, script = self.path.split("/")
        faults = [fault for fault in script.split("-") if fault != "fine"]
        key = self.headers.get("Idempotency-Key") or self.headers.get("X-Payment-Key")
        with self.lock:
            keys = self.received.setdefault(self.path, [])
            keys.append(key)
            fault = faults[len(keys) - 1] if len(keys) <= len(faults) else None
            # `handled` is done before the connection is cut: the client does not know.
            if fault in (None, "handled"):
                # A key is handled once; without keys, each request is.
                self.handled.setdefault(self.path, set()).add(key or len(keys))
        known = [f"other {key}" if key and not UUID.fullmatch(key) else key or "none" for key in keys]
        body = {"received": len(keys), "handled": len(self.handled.get(self.path, ())), "keys": known}
        if fault in ("cut", "handled"):
            self.close_connection = True
            return None
        if fault == "limited":
            return self.answer(429, {"Retry-After": "0"}, {})
        if fault == "patience":
            return self.answer(429, {"Retry-After": "6"}, {})
        if fault:
            return self.answer(int(fault), {}, {})
        return self.answer(201 if self.path.startswith("/orders") else 200, {}, body)

    do_GET = do_POST = do_PUT = handle_request

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
