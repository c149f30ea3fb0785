"""A server that takes multipart bodies. Standard library only.

Prints its port. The first request gets 503, further ones 204. For each request it prints a line of JSON: the length that
the head states and that of the body, and each part by `email`: its name, its media type, its length, and whether it is
0, 1, 2 and so on up to 255, again and again, or otherwise the text.
"""

import email.parser
import email.policy
import http.server
import json


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True
    requests = 0

    def do_POST(self):
        stated = int(self.headers["Content-Length"])
        body = self.rfile.read(stated)
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        parts = []
        for part in message.iter_parts():
            data = part.get_payload(decode=True)
            name = part["Content-Disposition"].params["name"]
            counts = (bytes(range(256)) * (len(data) // 256 + 1))[: len(data)]
            parts.append([name, part.get_content_type(), len(data), data == counts or data.decode()])
        print(json.dumps({"lengths": [stated, len(body)], "parts": parts}), flush=True)
        Handler.requests += 1
        self.send_response(503 if Handler.requests == 1 else 204)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
