"""Sends webhooks as a service would that knows nothing of bothends: signed with the standard library, and
for JWTs with the `openssl` command.

    webhooks.py keys DIR                   makes an RSA key in DIR and prints it as a JWK Set
    webhooks.py send URL < lines           sends a request for each line of JSON on standard input:
        {"path", "body", "scheme", "secret", "headers", "method", "forge", "key"}
    and prints for each a line of JSON: {"status", "type", "body"}
"""

import base64
import hashlib
import hmac
import http.client
import json
import subprocess
import sys
import time
import urllib.parse


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def keys(folder):
    key = folder + "/key.pem"
    run = lambda *words: subprocess.run(["openssl", *words], check=True, capture_output=True).stdout
    run("genrsa", "-out", key, "2048")
    modulus = run("rsa", "-in", key, "-noout", "-modulus").decode().strip().split("=")[1]
    jwk = {"kty": "RSA", "kid": "k1", "use": "sig", "alg": "RS256", "e": "AQAB"}
    jwk["n"] = base64url(bytes.fromhex(modulus))
    print(json.dumps({"keys": [jwk]}))


def jwt(key, body):
    header = base64url(json.dumps({"alg": "RS256", "kid": "k1"}).encode())
    message = header + "." + base64url(body)
    command = ["openssl", "dgst", "-sha256", "-sign", key]
    signature = subprocess.run(command, input=message.encode(), check=True, capture_output=True).stdout
    return message + "." + base64url(signature)


def mac(secret, *parts):
    return hmac.new(secret, b"".join(parts), hashlib.sha256)


def signature(request, body):
    """The headers that a sender of this scheme adds."""
    scheme, secret = request.get("scheme"), request.get("secret", "").encode()
    signed = body + b" " if request.get("forge") else body
    now = str(int(time.time()) - request.get("age", 0))
    if scheme == "token":
        return {"X-Token-Signature": mac(secret, signed).hexdigest()}
    if scheme == "key":
        return {"X-Signature": jwt(request["key"], signed), "X-Signing-ID": "k1"}
    if scheme == "github":
        return {"X-Hub-Signature-256": "sha256=" + mac(secret, signed).hexdigest()}
    if scheme == "base64":
        return {"X-Shopify-Hmac-Sha256": base64.b64encode(mac(secret, signed).digest()).decode()}
    if scheme == "stripe":
        good = mac(secret, now.encode(), b".", signed).hexdigest()
        return {"Stripe-Signature": "t=%s,v1=%s,v1=%s,v0=%s" % (now, "0" * 64, good, "1" * 64)}
    if scheme == "slack":
        good = mac(secret, b"v0:", now.encode(), b":", signed).hexdigest()
        return {"X-Slack-Signature": "v0=" + good, "X-Slack-Request-Timestamp": now}
    if scheme in ("webhook", "svix"):
        key = base64.b64decode(request["secret"].removeprefix("whsec_"))
        good = base64.b64encode(mac(key, b"msg_1.", now.encode(), b".", signed).digest()).decode()
        other = base64.b64encode(bytes(32)).decode()
        return {
            scheme + "-id": "msg_1",
            scheme + "-timestamp": now,
            scheme + "-signature": "v1,%s v2,x v1,%s" % (other, good),
        }
    return {}


def send(url):
    at = urllib.parse.urlsplit(url)
    for line in sys.stdin:
        request = json.loads(line)
        body = request.get("body", "").encode()
        headers = {"Content-Type": "application/json"}
        headers.update(signature(request, body))
        headers.update(request.get("headers", {}))
        connection = http.client.HTTPConnection(at.hostname, at.port)
        connection.request(request.get("method", "POST"), request["path"], body, headers)
        response = connection.getresponse()
        answer = {"status": response.status, "type": response.getheader("content-type")}
        answer["body"] = response.read().decode()
        connection.close()
        print(json.dumps(answer), flush=True)


if sys.argv[1] == "keys":
    keys(sys.argv[2])
else:
    send(sys.argv[2])
