"""Token endpoints with the rules of three services, and an API that asks for their tokens.

Each path refuses what the service refuses: /entra, without a scope that ends with `/.default` or with the secret
outside of the form (AADSTS900144, AADSTS7000218); /okta, without an assertion that the client's key signed, or without a
scope of the authorization server; /auth0, without an audience. /plain is RFC 6749, with a refresh token at /refresh that
is valid once. Prints the port, and then a line of JSON for every token request.
"""

import base64
import hashlib
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

KEY = b"the key of the client"
count = 0


def refusal(code, description):
    return 400, {"error": code, "error_description": description}


def entra(form, authorization):
    if "scope" not in form:
        return refusal("invalid_request", "AADSTS900144: The request body must contain the following parameter: 'scope'.")
    if not form["scope"].endswith("/.default"):
        return refusal("invalid_scope", "AADSTS1002012: The provided value for scope is not valid.")
    if form.get("client_secret") != "s3cret" or authorization:
        return 401, {"error": "invalid_client", "error_description": "AADSTS7000218: The request body must contain the"
                     " following parameter: 'client_assertion' or 'client_secret'."}
    return 200, {"token_type": "Bearer", "expires_in": 3599, "ext_expires_in": 3599, "access_token": token(form)}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def okta(form, _):
    if form.get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer":
        return 401, {"error": "invalid_client", "error_description": "Client authentication must use private_key_jwt."}
    signed, _, signature = form["client_assertion"].rpartition(".")
    if hmac.new(KEY, signed.encode(), hashlib.sha256).digest() != decoded(signature):
        return 401, {"error": "invalid_client", "error_description": "The client_assertion signature is invalid."}
    claims = json.loads(decoded(signed.split(".")[1]))
    if claims["iss"] != "me" or claims["sub"] != "me" or not claims["aud"].endswith("/okta/token"):
        return 401, {"error": "invalid_client", "error_description": "The claims are invalid."}
    if not claims["iat"] <= time.time() + 5 < claims["exp"] <= claims["iat"] + 3600 or not claims["jti"]:
        return 401, {"error": "invalid_client", "error_description": "The assertion is expired."}
    if not set(form.get("scope", "").split()) & {"read", "write", "admin"}:
        return refusal("invalid_scope", "The authorization server resource does not have any configured default scopes,"
                       " 'scope' must be provided.")
    return 200, {"token_type": "Bearer", "expires_in": "3600", "access_token": token(form), "scope": form["scope"]}


def auth0(form, _):
    if form.get("audience") != "https://api.example.com":
        return 403, {"error": "access_denied", "error_description": "No audience parameter was provided, and no default"
                     " audience has been configured"}
    return 200, {"access_token": token(form), "expires_in": 86400, "token_type": "bearer"}


def plain(form, authorization):
    if base64.b64decode(authorization.removeprefix("Basic ")) != b"me:s3cret":
        return 401, {"error": "invalid_client"}
    return 200, {"access_token": token(form), "token_type": "BEARER", "expires_in": 3600, "refresh_token": f"r{count}"}


def refresh(form, _):
    if form.get("grant_type") != "refresh_token" or form.get("refresh_token") != f"r{count}":
        return refusal("invalid_grant", "The refresh token is used.")
    return 200, {"access_token": token(form), "token_type": "bEaReR", "refresh_token": f"r{count}"}


def token(form):
    global count
    count += 1
    return f"t{count}/{form.get('scope', '')}/{form.get('resource', '')}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The head and the body of a response are written apart.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(200, [self.headers.get("authorization", ""), self.headers.get("user-agent", "")])

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if self.path == "/things":
            self.send_response(204)
            self.send_header("x-authorization", self.headers.get("authorization", ""))
            self.end_headers()
            return
        form = dict(parse_qsl(body, strict_parsing=True))
        print(json.dumps({"path": self.path, "form": form}), flush=True)
        service = self.path.split("/")[1]
        grant = form.get("grant_type")
        if grant != ("refresh_token" if service == "refresh" else "client_credentials"):
            status, content = refusal("unsupported_grant_type", grant)
        else:
            authorization = self.headers.get("authorization", "")
            status, content = globals()[service](form, authorization)
        self.answer(status, content)

    def answer(self, status, content):
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
