"""A client of the documented API, written from the interface document alone.

Called with the URL, the client id and secret, and the customer id and secret. Fails at the first
difference.
"""

import base64
import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL, CLIENT, SECRET, CUSTOMER, CUSTOMER_SECRET = sys.argv[1:]
GENERIC = {
    "token_expired": "The provided token is expired or is not valid.",
    "token_invalid": "An invalid token was provided.",
    "customer_not_found": "The customer in the request was not found.",
    "unauthorized_scope": "The provided token lacks the required permissions for this endpoint.",
    "unknown": "Unauthorised request",
}


def call(method, path, headers=None, body=None):
    """Sends a request. Returns the status, the headers and the body as bytes."""
    request = urllib.request.Request(URL + path, data=body, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def expect(actual, expected):
    if actual != expected:
        raise SystemExit(f"expected {expected!r}\nreceived {actual!r}")


def generic(status, code, message):
    """The bytes of a generic error response."""
    body = {"operation_id": "unknown", "code_id": code, "message": message, "errors": {}}
    return status, json.dumps(body, separators=(",", ":")).encode()


def unauthorized(code):
    return generic(401, code, GENERIC[code])


def error(response):
    status, headers, body = response
    expect(headers["Content-Type"], "application/json")
    return status, body


def token(headers, **fields):
    headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
    return call("POST", "/v1/oauth/token", headers, urllib.parse.urlencode(fields).encode())


def tokens(response):
    status, headers, body = response
    expect(status, 200)
    expect(headers["Cache-Control"], "no-store")
    body = json.loads(body)
    expect(set(body), {"operation_id", "data"})
    expect(body["operation_id"], "oauth_token_post")
    data = body["data"]
    expect(set(data), {"access_token", "token_type", "expires_in", "refresh_token"})
    expect((data["token_type"], data["expires_in"]), ("bearer", 3600))
    return data["access_token"], data["refresh_token"]


def bearer(access, **more):
    return {"Authorization": f"Bearer {access}", "X-Client-Id": CLIENT, **more}


def main():
    pair = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
    basic, by_id = {"Authorization": f"Basic {pair}"}, {"X-Client-Id": CLIENT}
    access, refresh = tokens(token(basic, grant_type="client_credentials"))

    # Each grant has its own credentials.
    wrong = base64.b64encode(f"{CLIENT}:{SECRET}x".encode()).decode()
    expect(error(token(by_id, grant_type="client_credentials")), unauthorized("unknown"))
    expect(error(token(basic, grant_type="refresh_token", refresh_token=refresh)), unauthorized("unknown"))
    expect(error(token({"Authorization": f"Basic {wrong}"}, grant_type="client_credentials")), unauthorized("unknown"))
    status, _, body = token(basic, grant_type="password")
    body = json.loads(body)
    expect((status, body["code_id"], list(body["errors"])), (400, "failed_validation", ["grant_type"]))

    # Rotation: a refresh token is used once; its second use revokes what came from it.
    second_access, second_refresh = tokens(token(by_id, grant_type="refresh_token", refresh_token=refresh))
    expect(len({access, second_access, refresh, second_refresh}), 4)
    path = f"/v1/open-banking/refresh/{uuid.uuid4()}"
    status, _, body = call("GET", path, bearer(second_access))
    expect((status, json.loads(body)["code_id"]), (404, "task_not_found"))
    expect(error(token(by_id, grant_type="refresh_token", refresh_token=refresh)), unauthorized("token_expired"))
    expect(error(call("GET", path, bearer(second_access))), unauthorized("token_expired"))
    access, _ = tokens(token(basic, grant_type="client_credentials"))

    # The errors that do not depend on an operation.
    submit = "/v1/open-banking/refresh"
    expect(error(call("GET", path)), unauthorized("unknown"))
    expect(error(call("GET", path, {"Authorization": f"Bearer {access}"})), unauthorized("unknown"))
    expect(error(call("GET", path, bearer("nonsense"))), unauthorized("token_invalid"))
    expect(error(call("POST", submit, bearer(access))), unauthorized("customer_not_found"))
    wrong = bearer(access, **{"X-Customer-Id": CUSTOMER, "X-Customer-Secret": "x"})
    expect(error(call("POST", submit, wrong)), unauthorized("customer_not_found"))
    expect(error(call("GET", "/v1/nothing", bearer(access))), generic(404, "unknown", "Route or resource not found"))
    expect(error(call("DELETE", submit, bearer(access))), generic(405, "unknown", "Method not allowed"))

    # A refresh, to its end.
    for customer, expected in [
        ({"X-Customer-Id": CUSTOMER, "X-Customer-Secret": CUSTOMER_SECRET}, ("Completed", "success")),
        ({"X-Customer-Id": "customer-provider-timeout+python"}, ("Failed", "provider_timeout")),
    ]:
        status, _, body = call("POST", submit, bearer(access, **customer))
        expect(status, 200)
        task = json.loads(body)["task_id"]
        uuid.UUID(task)
        record = {"status": "Pending"}
        while record["status"] in ("Pending", "Running"):
            status, _, body = call("GET", f"{submit}/{task}", bearer(access))
            expect(status, 200)
            record = json.loads(body)
        expect((record["status"], record["result"]), expected)
        expect((record["task_id"], record["customer_id"]), (task, customer["X-Customer-Id"]))

    # Every code, by its header.
    _, _, body = call("GET", "/choices")
    codes = json.loads(body)["codes"]
    expect(len(codes), 29)
    for code in codes:
        demand = {"X-Customer-Id": CUSTOMER, "X-Sandbox-Error": code["code_id"]}
        status, _, body = call("POST", submit, bearer(access, **demand))
        body = json.loads(body)
        expect((status, body["code_id"]), (code["status"], code["code_id"]))

    # What urllib would never send.
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(URL).netloc)
    connection.putrequest("POST", submit)
    connection.putheader("Authorization", b"Bearer \xff")
    connection.putheader("Content-Length", "0")
    connection.endheaders()
    expect(connection.getresponse().status, 401)
    print("all calls were as documented")


main()
