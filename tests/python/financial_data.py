"""The other end of the financial data service, in Python and by hand.

It knows the interface document (`../interface/financial-data.json`) and nothing of bothends:

    financial_data.py client URL             calls a server: every operation and every generic error
    financial_data.py server                 is a server of hand-written bytes; prints its port first
    financial_data.py sender URL VARIANT     sends every kind of webhook, signed by `token` or `key`
    financial_data.py jwks                   prints the public keys of the sender

Standard library only. It exits with 0 when everything was as the document says.
"""

import base64
import http.client
import json
import pathlib
import socketserver
import sys
import urllib.parse

import signing

FACTS = json.loads(
    (pathlib.Path(__file__).parent.parent / "interface/financial-data.json").read_text("utf-8")
)
HEADERS = FACTS["headers"]
GENERIC = {one["cause"]: one for one in FACTS["generic_responses"]}
TOKEN = "a signing token of well over thirty-two characters"

checks = 0


def same(what, came, expected):
    global checks
    checks += 1
    if came != expected:
        sys.exit(f"{what}:\n  came      {came!r}\n  expected  {expected!r}")


class Client:
    """Calls a server over a connection of its own for each request."""

    def __init__(self, url):
        self.url = urllib.parse.urlsplit(url)

    def call(self, method, path, headers=(), body=None):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
        connection.request(method, path, body=body, headers=dict(headers))
        response = connection.getresponse()
        came = (response.status, response.read(), response.headers)
        connection.close()
        return came

    def token(self, headers, **form):
        body = urllib.parse.urlencode(form)
        media = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.call("POST", "/v1/oauth/token", {**media, **headers}, body)

    def generic(self, cause, method, path, headers=(), body=None):
        status, came, head = self.call(method, path, headers, body)
        self.is_generic(cause, status, came, head)
        return head

    def is_generic(self, cause, status, came, head):
        expected = GENERIC[cause]
        same(cause, (status, came), (expected["status"], expected["body"].encode()))
        same(f"media type of {cause}", head["Content-Type"], "application/json")


def basic(user, password):
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {"Authorization": f"Basic {pair}"}


def granted(came):
    """The pair of tokens in a token response."""
    status, body, _ = came
    same("status of a token response", status, 200)
    body = json.loads(body)
    expected = FACTS["token_response"]
    same("members of a token response", sorted(body), ["data", "operation_id"])
    same("operation_id", body["operation_id"], expected["operation_id"])
    data = body["data"]
    same("members of its data", sorted(data), sorted(expected["data"]))
    same("token_type", data["token_type"], "bearer")
    same("type of expires_in", type(data["expires_in"]), int)
    return data["access_token"], data["refresh_token"]


def grants(client):
    """Both grants, and the credentials that belong to neither."""
    secret, by_id = basic("client-7", "secret-7"), {HEADERS["client"]: "client-7"}
    first = granted(client.token(secret, grant_type="client_credentials"))
    second = granted(client.token(by_id, grant_type="refresh_token", refresh_token=first[1]))
    same("both tokens are new", bool(set(first) & set(second)), False)

    refused = [
        ("a client id alone", by_id, {"grant_type": "client_credentials"}),
        ("no credentials", {}, {"grant_type": "client_credentials"}),
        ("a wrong secret", basic("client-7", "guess"), {"grant_type": "client_credentials"}),
        ("a wrong secret beside a good client id", {**basic("client-7", "guess"), **by_id},
         {"grant_type": "client_credentials"}),
        ("basic for a refresh", secret, {"grant_type": "refresh_token", "refresh_token": second[1]}),
    ]
    for what, headers, form in refused:
        status, body, head = client.token(headers, **form)
        print(f"refused: {what}")
        client.is_generic("unauthorized", status, body, head)
    # Both at once are good for either grant.
    both = {**secret, **by_id}
    third = granted(client.token(both, grant_type="client_credentials"))
    fourth = granted(client.token(both, grant_type="refresh_token", refresh_token=third[1]))
    return fourth[0]


def validation(client):
    """Requests that are not as documented."""
    secret = basic("client-7", "secret-7")
    cases = [
        ({}, "grant_type"),
        ({"grant_type": "password"}, "grant_type"),
        ({"grant_type": "refresh_token"}, "refresh_token"),
    ]
    for form, field in cases:
        status, body, _ = client.token(secret, **form)
        body = json.loads(body)
        same("status of a validation error", status, FACTS["validation"]["status"])
        same("its code", body["code_id"], FACTS["validation"]["code_id"])
        same("its operation_id", body["operation_id"], "unknown")
        same("its field", list(body["errors"]), [field])
        same("type of the field's message", type(body["errors"][field]), str)
        known = FACTS["error_body"]["required"] + FACTS["error_body"]["optional"]
        same("members of an error body", sorted(set(body) - set(known)), [])


def refreshes(client, access):
    """Tasks, and the customer headers that reach the server."""
    headers = {HEADERS["bearer"]: f"Bearer {access}", HEADERS["client"]: "client-7"}
    start = "/v1/open-banking/refresh"
    customer = {HEADERS["customer"]: "someone"}
    secret = {HEADERS["customer_secret"]: "s3cret"}
    cases = [
        ({}, None, [None, None]),
        (customer, b"{}", ["someone", None]),
        ({**customer, **secret}, b'{"accounts":[1,2]}', ["someone", "s3cret"]),
    ]
    for more, body, expected in cases:
        media = {"Content-Type": "application/json"} if body else {}
        status, came, _ = client.call("POST", start, {**headers, **more, **media}, body)
        came = json.loads(came)
        same("status of a submission", status, 200)
        same("customer and secret", [came["customer"], came["secret"]], expected)
        same("what is refreshed", came["asked"], json.loads(body or b"{}"))
    for task, expected in [("completes", "Completed"), ("fails", "Failed")]:
        status, came, _ = client.call("GET", f"{start}/{task}", headers)
        same("status of a status", status, 200)
        same("status of the task", json.loads(came)["status"], expected)
    return headers


def generics(client, headers):
    """The nine generic responses, byte by byte."""
    start = "/v1/open-banking/refresh"
    status = f"{start}/completes"
    with_token = lambda token: {**headers, HEADERS["bearer"]: f"Bearer {token}"}
    client.generic("token expired", "GET", status, with_token("expired"))
    client.generic("token invalid", "GET", status, with_token("nonsense"))
    client.generic("insufficient scope", "GET", status, with_token("narrow"))
    nobody = {**headers, HEADERS["customer"]: "nobody"}
    client.generic("customer not found", "POST", start, nobody)
    client.generic("unauthorized", "GET", status)
    client.generic("unauthorized", "GET", status, {HEADERS["client"]: "client-7"})
    client.generic("not found", "GET", "/v1/nowhere", headers)
    client.generic("not found", "GET", f"{start}/missing", headers)
    for method in ["DELETE", "PUT", "PATCH"]:
        head = client.generic("method not allowed", method, "/v1/oauth/token")
        same("Allow", head["Allow"], "POST, OPTIONS")
    client.generic("internal server error", "GET", f"{start}/breaks", headers)
    client.generic("service unavailable", "GET", f"{start}/busy", headers)


def drive(url):
    client = Client(url)
    access = grants(client)
    validation(client)
    generics(client, refreshes(client, access))


# As a server.

TOKENS = (
    b'{ "operation_id": "oauth_token_post", "data": {"access_token":"made-by-hand","token_type":"bearer",'
    b'\r\n "expires_in": 3600, "refresh_token": "next-by-hand"}}'
)
REASONS = {200: b"OK", 400: b"Bad Request", 401: b"Unauthorized", 403: b"Forbidden", 409: b"Conflict"}


def error(code, message, operation="open_banking_refresh_post"):
    body = {"message": message, "code_id": code, "operation_id": operation}
    return json.dumps(body, indent=2).encode()


# What is answered to whom: by the customer, or by the client id.
ANSWERS = {
    "c-400": (400, b'{"operation_id":"x","code_id":"failed_validation","message":"No.","metadata":{},'
                   b'"errors":{"accounts":"This value is required."}}'),
    "c-403": (403, error("connection_permission", "The consent does not cover this.")),
    "c-404": (404, error("task_not_found", "No such task.")),
    "c-405": (405, GENERIC["method not allowed"]["body"].encode()),
    "c-409": (409, error("unique_constraint", "It exists already.")),
    "c-418": (418, error("a_code_of_tomorrow", "Short and stout.")),
    "c-429": (429, error("provider_request_limit", "Slower, please.")),
    "c-500": (500, GENERIC["internal server error"]["body"].encode()),
    "c-502": (502, b'{"message":"The provider is away."}'),
    "c-503": (503, GENERIC["service unavailable"]["body"].encode()),
    "c-599": (599, b'{"message":"Nobody knows."}'),
    "locked": (403, error("invalid_login", "The client is locked.", "oauth_token_post")),
}
for one in FACTS["generic_responses"]:
    if one["status"] == 401:
        ANSWERS["c-" + one["code_id"]] = (401, one["body"].encode())


class Handler(socketserver.StreamRequestHandler):
    """Reads one request, prints it as a line of JSON, and answers."""

    def handle(self):
        method, target, _ = self.rfile.readline().decode().split(" ")
        headers = {}
        while line := self.rfile.readline().strip():
            name, value = line.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0))).decode()
        print(json.dumps([method, target, headers, body]), flush=True)
        status, body = self.answer(method, target, headers)
        head = b"HTTP/1.1 %d %s\r\ncontent-TYPE: application/json\r\nConnection: close\r\n" % (
            status, REASONS.get(status, b"So"))
        self.wfile.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def answer(self, method, target, headers):
        who = headers.get("x-customer-id", "")
        if headers.get("authorization", "").startswith("Basic "):
            pair = base64.b64decode(headers["authorization"][6:]).decode()
            who = pair.split(":")[0]
        if who in ANSWERS:
            return ANSWERS[who]
        if (method, target) == ("POST", "/v1/oauth/token"):
            return 200, TOKENS
        if (method, target) == ("POST", "/v1/open-banking/refresh"):
            return 200, b'{"task":{"id":"t-1"},"more":[null,1e3]}'
        return 200, b'{"state":"Failed","detail":"provider_timeout"}'


def serve():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


# As a sender of webhooks.


def signed(variant, body):
    if variant == "token":
        return {HEADERS["token_signature"]: signing.token_signature(TOKEN, body)}
    return {HEADERS["signature"]: signing.jwt(body), HEADERS["signing_id"]: signing.KEY_ID}


def forged(variant, body):
    """Headers that a receiver must not accept, each for another reason, and the statuses it may answer."""
    refused = {401}
    yield {}, refused
    yield signed(variant, body + b" "), refused
    if variant == "token":
        name = HEADERS["token_signature"]
        yield {name: signing.token_signature("another token of well over thirty-two chars", body)}, refused
        yield {name: signing.token_signature(TOKEN, body).upper()}, refused
    else:
        good = signed(variant, body)
        # The key may have been published since the receiver asked for the keys: it is to be sent again.
        yield {**good, HEADERS["signing_id"]: "no-such-key"}, {401, 503}
        yield {HEADERS["signature"]: good[HEADERS["signature"]]}, refused
        unsigned = signing.base64url(b'{"alg":"none"}') + "." + signing.base64url(body) + "."
        yield {**good, HEADERS["signature"]: unsigned}, refused


def send(url, variant):
    client = Client(url)
    for number, kind in enumerate(FACTS["kinds"]):
        for payload in kind["payloads"]:
            # Every sender writes JSON in its own way; the bytes are what is signed.
            body = json.dumps(payload, ensure_ascii=number % 2 == 0, indent=number % 3).encode()
            path = "/" + kind["kind"]
            media = {"Content-Type": "application/json"}
            for headers, statuses in forged(variant, body):
                status, _, _ = client.call("POST", path, {**media, **headers}, body)
                same(f"a forged {kind['kind']}", status, status if status in statuses else sorted(statuses))
            status, _, _ = client.call("POST", path, {**media, **signed(variant, body)}, body)
            same(f"{kind['kind']}", status // 100, 2)


def main():
    match sys.argv[1:]:
        case ["client", url]:
            drive(url)
        case ["server"]:
            return serve()
        case ["sender", url, variant]:
            send(url, variant)
        case ["jwks"]:
            return print(signing.jwks())
        case _:
            sys.exit(__doc__)
    print(f"{checks} checks passed")


if __name__ == "__main__":
    main()
