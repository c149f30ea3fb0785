"""The service of tests/tests/projects/commands/books.yaml, with the standard library only.

Prints its port. `faulty` plants five faults; each request that lacks the key and a token of `/token` is a 401.
"""

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

FAULTY = sys.argv[1:] == ["faulty"]
KEY = "s3cret key"
CLIENT = ["client", "s3cret key"]
TOKEN = "t0ken"
BOOKS = {}


def is_integer(value, least, most):
    return type(value) is int and least <= value <= most


def is_book(value):
    if not isinstance(value, dict):
        return False
    title, pages, number = value.get("title"), value.get("pages", 1), value.get("id", 1)
    # The first fault: the length of a title is not checked.
    longest = 10_000 if FAULTY else 40
    return (
        isinstance(title, str)
        and 1 <= len(title) <= longest
        and is_integer(pages, 1, 5000)
        and is_integer(number, 1, 2**63)
    )


def integer(text, most):
    return int(text) if text.isdigit() and text == str(int(text)) and 1 <= int(text) <= most else None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def respond(self, status, value=None, headers=()):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        if value is not None:
            self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def route(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query, keep_blank_values=True)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if url.path == "/token":
            return self.token(body)
        has_key = query.pop("api key", None) == [KEY]
        if not has_key and self.headers.get("authorization") != f"Bearer {TOKEN}":
            return self.respond(401)
        steps = [unquote(step) for step in url.path.split("/")[1:]]
        if steps == ["books"] and self.command == "GET":
            return self.list(query)
        if steps == ["books"] and self.command == "POST":
            return self.add(body)
        if len(steps) == 2 and steps[0] == "books" and self.command == "GET":
            return self.get(steps[1])
        self.respond(404)

    def token(self, body):
        # Both parts are encoded as in a form (RFC 6749, section 2.3.1).
        scheme, _, text = self.headers.get("authorization", "").partition(" ")
        client = [unquote_plus(part) for part in base64.b64decode(text).decode().split(":")]
        is_client = scheme == "Basic" and client == CLIENT
        if not is_client or parse_qs(body.decode()).get("grant_type") != ["client_credentials"]:
            return self.respond(401, {"error": "invalid_client"})
        self.respond(200, {"access_token": TOKEN, "token_type": "bearer", "expires_in": 3600})

    def list(self, query):
        limit = query.get("limit", ["50"])
        limit = integer(limit[0], 50) if len(limit) == 1 else None
        if limit is None:
            return self.respond(400)
        # The second fault: the header has another type. The third: the largest limit is an error.
        if FAULTY and limit == 50 and "limit" in query:
            return self.respond(500)
        total = "many" if FAULTY else str(len(BOOKS))
        self.respond(200, list(BOOKS.values())[:limit], [("X-Total", total)])

    def add(self, body):
        try:
            book = json.loads(body)
        except ValueError:
            return self.respond(400)
        if not is_book(book):
            return self.respond(422)
        book = {key: value for key, value in book.items() if key in ("title", "pages")}
        book["id"] = len(BOOKS) + 1
        BOOKS[book["id"]] = book
        self.respond(201, book)

    def get(self, text):
        number = integer(text, 1_000_000)
        if number is None:
            return self.respond(400)
        # The fourth fault: what is not found has a status that is not documented.
        if number not in BOOKS:
            return self.respond(410 if FAULTY else 404)
        # The fifth: the title is null.
        self.respond(200, {**BOOKS[number], **({"title": None} if FAULTY else {})})

    do_GET = do_POST = route


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
