"""A server whose responses deviate from `checked-responses.yaml`, one deviation each. Standard library only.

Prints its port. The name of the deviation is the last segment of the path, or the query.
"""

import http.server
import json
import urllib.parse

BOOK = {"id": "b1", "title": "Emma", "kind": "novel", "pages": 474, "isbn": "9780141439587", "rating": None, "tags": ["ab"]}
JSON = {"Content-Type": "application/json"}
TOTAL = {"X-Total": "1", **JSON}


def book(**changes):
    return [200, JSON, {**BOOK, **changes}]


def without(*keys):
    return [200, JSON, {key: value for key, value in BOOK.items() if key not in keys}]


RESPONSES = {
    "valid": book(),
    "absent": [404, JSON, {"code": "not-found"}],
    "status": [202, JSON, BOOK],
    "media": [200, {"Content-Type": "application/vnd.book+json"}, BOOK],
    "no-media": [200, {}, BOOK],
    "no-json": [200, JSON, b'{"id": "b1", "title": "Emma"'],
    "empty": [200, JSON, b""],
    "no-title": without("title"),
    "no-id": without("id"),
    "type": book(pages="474"),
    "null": book(pages=None),
    "null-title": book(title=None),
    "unknown": book(colour="red"),
    "enum": book(kind="poem"),
    "short": book(title=""),
    "long": book(title="x" * 41),
    "minimum": book(pages=0),
    "maximum": book(rating=5.5),
    "pattern": book(isbn="978"),
    "unique": book(tags=["ab", "ab"]),
    "item": book(tags=["ab", "c"]),
    "several": book(pages=0, isbn=1, colour="red"),
    "error-body": [404, JSON, {"code": "Not Found"}],
    "error-missing": [404, JSON, {"detail": "gone"}],
    "error-media": [404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>"],
    "500": [500, {"Content-Type": "text/plain"}, b"secret trace"],
    "list": [200, TOTAL, [BOOK]],
    "list-header": [200, JSON, [BOOK]],
    "list-header-type": [200, {**TOTAL, "X-Total": "many"}, [BOOK]],
    "list-header-rule": [200, {**TOTAL, "X-Total": "-1"}, [BOOK]],
    "list-optional-header": [200, {**TOTAL, "X-Shelf": "shelf"}, [BOOK]],
    "list-items": [200, TOTAL, [BOOK] * 4],
    "list-within": [200, TOTAL, [BOOK, {**BOOK, "a/b~c": 1, "pages": 0}]],
    "list-both": [200, JSON, [{**BOOK, "pages": 0}]],
    "list-default": [418, JSON, {"code": "TEAPOT"}],
    "cover": [200, {"Content-Type": "image/png", "X-Width": "10"}, b"\x89PNG"],
    "cover-media": [200, {"Content-Type": "image/gif", "X-Width": "10"}, b"GIF"],
    "cover-header": [200, {"Content-Type": "image/png", "X-Width": "wide"}, b"\x89PNG"],
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        name = self.headers.get("X-Deviation") or url.path.split("/")[2]
        status, headers, body = RESPONSES[name]
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for header, value in headers.items():
            self.send_header(header, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
