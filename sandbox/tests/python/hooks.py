"""A receiver of webhooks that knows the interface document only.

hooks.py library               exits with 0 if JWTs can be verified
hooks.py verify                reads requests as JSON, writes whether each signature is right
hooks.py receive TOKEN JWKS    receives each kind once, writes a report about each request
"""

import base64
import hashlib
import hmac
import http.server
import json
import sys

# Section 2.3: the fields of each kind, all of them strings.
AGGREGATION = {
    "task_id", "task_type", "customer_id", "status", "result", "consent_id", "provider",
    "has_new_transactions", "reconnect_required",
}
PAYMENT = {"payment_id", "service", "user_id", "event"}
KINDS = {
    "connectionCompleted": (AGGREGATION, {"task_type": {"connect"}}),
    "refreshCompleted": (AGGREGATION, {"task_type": {"refresh"}}),
    "syncCompleted": (AGGREGATION, {"task_type": {"connect", "refresh"}}),
    "customersDeleted": ({"result", "task_id", "customer_id"}, {}),
    "singlePaymentStatusUpdated": (PAYMENT, {"event": {"payment.success"}}),
    "standingOrderStatusUpdated": (PAYMENT, {"event": {"payment.success"}}),
    "scheduledPaymentStatusUpdated": (PAYMENT, {"event": {"payment.success"}}),
    "ingestionSucceeded": (
        {"event", "operation_id", "task_id"},
        {"event": {"first_party_ingester.ingest.succeeded"}},
    ),
}
WORDS = {
    "status": {"Completed", "Failed"},
    "has_new_transactions": {"true", "false"},
    "reconnect_required": {"true", "false"},
}


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify_with_pyjwt(jwt_library, token, key):
    algorithm = {"EC": "ES256", "OKP": "EdDSA"}[key["kty"]]
    public = jwt_library.PyJWK(key).key
    jwt_library.api_jws.PyJWS().decode(token, public, algorithms=[algorithm])


def verify_with_cryptography(token, key):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

    head, payload, signature = token.split(".")
    algorithm = json.loads(decode(head))["alg"]
    message, signature = f"{head}.{payload}".encode(), decode(signature)
    if key["kty"] == "OKP":
        assert algorithm == "EdDSA" and key["crv"] == "Ed25519"
        public = ed25519.Ed25519PublicKey.from_public_bytes(decode(key["x"]))
        public.verify(signature, message)
    else:
        assert algorithm == "ES256" and key["crv"] == "P-256" and len(signature) == 64
        number = lambda part: int.from_bytes(part, "big")
        point = ec.EllipticCurvePublicNumbers(
            number(decode(key["x"])), number(decode(key["y"])), ec.SECP256R1()
        )
        signature = utils.encode_dss_signature(number(signature[:32]), number(signature[32:]))
        point.public_key().verify(signature, message, ec.ECDSA(hashes.SHA256()))


def jwt_is_right(token, key_id, body, jwks):
    """Section 6.2: a signed JWT of the request body, by the published key with this id."""
    keys = [key for key in jwks["keys"] if key["kid"] == key_id]
    if len(keys) != 1:
        return False
    try:
        import jwt
    except ImportError:
        jwt = None
    try:
        if jwt:
            verify_with_pyjwt(jwt, token, keys[0])
        else:
            verify_with_cryptography(token, keys[0])
    except Exception:
        return False
    return decode(token.split(".")[1]) == body


def token_is_right(signature, body, token):
    """Section 6.2: HMAC-SHA256 of the request body in lower-case hexadecimal."""
    expected = hmac.new(token.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature, expected)


def verified(headers, body, token, jwks):
    """The headers whose signatures are right."""
    right = []
    signature = headers.get("x-token-signature")
    if signature is not None and token_is_right(signature, body, token):
        right.append("x-token-signature")
    signature = headers.get("x-signature")
    if signature is not None and jwt_is_right(signature, headers.get("x-signing-id"), body, jwks):
        right.append("x-signature")
    return right


def problems(kind, headers, body):
    """What differs from section 2.3."""
    found = []
    if headers.get("content-type") != "application/json":
        found.append("content type")
    value = json.loads(body)
    if list(value) != ["data"]:
        return found + ["keys beside data"]
    fields, words = KINDS[kind]
    data = value["data"]
    found += [f"unknown field {name}" for name in data if name not in fields]
    found += [f"{name} is no string" for name, value in data.items() if type(value) is not str]
    for name, values in {**WORDS, **words}.items():
        if name in data and data[name] not in values:
            found.append(f"value of {name}")
    if "event" in fields and "event" not in data:
        found.append("no event")
    if "event" not in fields and "event" in data:
        found.append("an event")
    return found


def library():
    for name in ("jwt", "cryptography"):
        try:
            __import__(name)
            return 0
        except ImportError:
            pass
    return 1


def verify():
    given = json.load(sys.stdin)
    results = []
    for request in given["requests"]:
        body = base64.b64decode(request["body"])
        right = verified(request["headers"], body, given["token"], given["jwks"])
        results.append(bool(right))
    json.dump(results, sys.stdout)
    return 0


def receive(token, jwks):
    jwks = json.loads(jwks)
    missing = set(KINDS)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            kind = self.path.lstrip("/")
            report = {
                "kind": kind,
                "verified": verified(headers, body, token, jwks),
                "problems": problems(kind, headers, body),
            }
            self.send_response(204)
            self.end_headers()
            print(json.dumps(report), flush=True)
            missing.discard(kind)

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        print(server.server_port, flush=True)
        while missing:
            server.handle_request()
    return 0


if __name__ == "__main__":
    command = {"library": library, "verify": verify, "receive": receive}[sys.argv[1]]
    sys.exit(command(*sys.argv[2:]))
