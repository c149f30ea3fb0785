"""A server of lists in pages, as services of other people write it. Standard library only.

Prints its port, and then the path and query of each request.
"""

import http.server
import json
import sys
import urllib.parse

PETS = {
    # An empty page does not end the list; the last page has null, or an empty text.
    None: (["a", "b"], "c1"),
    "c1": ([], "c2"),
    "c2": (["c"], None),
    "loop1": (["x"], "loop2"),
    "loop2": (["y"], "loop1"),
    "same": (["x"], "same"),
    "empty": (["z"], ""),
}
BUSY = ["503", "cut"]


def items(names):
    return [{"id": name} for name in names]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True
    busy = list(BUSY)

    def answer(self, body, headers=(), code=200):
        body = json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        print(self.path, flush=True)
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert sent["text"] == "cat", sent
        self.answer({"found": items({None: ["a", "b"], "b": ["c"], "c": []}[sent.get("since")])})

    def do_GET(self):
        print(self.path, flush=True)
        url = urllib.parse.urlsplit(self.path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
        getattr(self, url.path.split("/")[2])(query, url)

    def pets(self, query, _):
        if query.get("kind") != "cat & dog":
            return self.answer({}, code=400)
        names, after = PETS[query.get("cursor")]
        self.answer({"data": items(names), "next": after})

    def repos(self, query, url):
        owner, page = url.path.split("/")[3], int(query.get("page", 1))
        here = f"http://{self.headers['Host']}"
        following = {
            "absolute": f"{here}/v1/repos/7?page={page + 1}",
            "7": f"{here}/v1/repos/7?page={page + 1}",
            "relative": f"?page={page + 1}",
            "path": f"/v1/repos/path?page={page + 1}",
            "busy": f"busy?page={page + 1}",
            "foreign": "http://127.0.0.2:1/v1/repos/7?page=2&token=secret",
            "other-scheme": f"https://{self.headers['Host']}/v1/repos/7",
            "dots": "/v1/../admin",
        }[owner]
        if owner == "busy" and page == 2 and self.busy:
            fault = self.busy.pop()
            if fault == "503":
                return self.answer({}, [("Retry-After", "0")], 503)
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"[")
            self.close_connection = True
            return None
        links = [f'<{here}/v1/repos/7?page=1>; rel="first"']
        if page < 3:
            links.append(f'<{following}>; title="a, b"; rel="next"')
        self.answer(items([f"{page}a", f"{page}b"]), [("Link", ", ".join(links))])

    def charges(self, query, _):
        names = {None: ["a", "b"], "b": ["c"], "c": ["d"]}[query.get("starting_after")]
        self.answer({"data": items(names), "has_more": names != ["d"]})

    def orders(self, query, _):
        page = int(query.get("page", 0))
        self.answer({"pages": 2, "list": {"orders": items([str(page)])}})

    def lines(self, query, _):
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 2))
        self.answer(items("abcde"[offset : offset + limit]))

    def messages(self, query, _):
        number = int(query.get("from", 1))
        links = {"next": f"/v1/messages?from={number + 1}"} if number < 3 else {}
        self.answer({"links": links, "text": str(number)})

    def users(self, query, _):
        number = int(query.get("cursor", 0))
        paging = {"next": number + 10} if number < 20 else {}
        self.answer({"users": items([str(number)]), "paging": paging})

    def events(self, query, _):
        page = int(query.get("page", 1))
        self.answer({"events": items([str(page)]), "more": page < 3})

    def sagas(self, query, _):
        if "page_token" in query and "sort_by" in query:
            return self.answer({}, code=400)
        assert query["limit"] == "1", query
        token = query.get("page_token")
        self.answer({"items": items([token or "first"]), "next_page": None if token else "t/1"})

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
