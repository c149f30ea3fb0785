"""A server whose responses have links, as services of other people write it. Standard library only.

Prints its port, and then the method and path of each request.
"""

import http.server
import json

BOOKS = {"7 1": {"id": "7 1", "title": "Momo", "author": {"id": 3}}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True

    def answer(self, code, body, headers=()):
        body = json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        print("POST", self.path, flush=True)
        title = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["title"]
        shelf = self.path.split("/")[2]
        if title == "anonymous":
            self.answer(200, {"id": "2", "title": title})
        elif title == "elsewhere":
            self.answer(201, {"id": "2", "title": title}, [("Location", "/authors/3")])
        else:
            self.answer(201, BOOKS["7 1"], [("Location", f"/v1/shelves/{shelf}/books/7%201")])

    def do_GET(self):
        print("GET", self.path, flush=True)
        if self.path.startswith("/authors/"):
            self.answer(200, {"name": "Michael Ende"})
        else:
            self.answer(200, BOOKS["7 1"])

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
