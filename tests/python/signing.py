"""Signatures of webhooks, made with nothing but the standard library."""

import base64
import hashlib
import hmac
import json

# An RSA key of 2048 bits that was made for these tests and signs nothing else.
KEY_ID = "key-2026-1"
E = 65537
N = int(
    "cd920f30fce1281a626cf15ab2721ce2865058976f291d3bbd640731446ff463e27028c6cd33219607b37654"
    "92d7cfc5e72315ab01e79484045c34723c7be0557dfe185a254a39647b373e40538d8eaae8c9bf7362a8a686"
    "d5154f6a044a0b9523e93e2b055374b75cff7d19367cf4fefacc17160ecc44903f48e004514eb7d996f3863e"
    "75f0c5562cfb86ee10889f5f72d002b9f2c2893ae5908c2de6b44a34dad1ccb5bb5b548b25e07951b0757e90"
    "102fdbf409446bc1d6fb73a700fb4bde7ce4bbd129c4b2ecb0527c0a3f57843a628ebf60e6f6e81af449e564"
    "a4b7532c4eea5e5d7a520b5c7a8679244f45260154cf2e05a9ac02588e4bb6e5948a32cd"
    , 16)
D = int(
    "38078bd16fd35491606b4e1b48d0d6739d652fc8529973a8d1357eca5c5b61528a28c4cc6ea8758a855dd22e"
    "39f9cd5d24e308a85bf409243466073b6da5dbdea1610cb5213dca47cb57a2c578a07816b82d28dbe3b390f3"
    "e60711669575b3137abebb5d916d8e3dde009ad1b0eabd01f44c852c536b3472d674dfedfd5545c170e2d3fb"
    "a60d79d4e7dc206f4471e6e5c67697b7e3dc02a7d35d385879a4a3c831c96cf81ce81d2d2727abcd8c686f79"
    "1d3be999a71c2cc202d2a43864427cd34f2b2c90948ff2c832f409afd9b757c8be5eb89c601a221335fbee1e"
    "5640be5270ce2f3b0c2389a59df4984940fb0ba7fce482d11aa2afa3a47a165c9d76b347"
    , 16)

# The DER prefix of a SHA-256 digest (RFC 8017, section 9.2, note 1).
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token_signature(token, body):
    """HMAC-SHA256 of the body in lower-case hexadecimal."""
    return hmac.new(token.encode(), body, hashlib.sha256).hexdigest()


def rs256(data):
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2.1)."""
    size = (N.bit_length() + 7) // 8
    digest = SHA256 + hashlib.sha256(data).digest()
    padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    return pow(int.from_bytes(padded, "big"), D, N).to_bytes(size, "big")


def jwt(body, key_id=KEY_ID):
    """A JWT in compact form whose payload is the body, byte for byte."""
    header = json.dumps({"alg": "RS256", "kid": key_id, "typ": "JWT"}).encode()
    signed = f"{base64url(header)}.{base64url(body)}"
    return f"{signed}.{base64url(rs256(signed.encode()))}"


def jwks():
    """The public key, as a JWK Set (RFC 7517)."""
    number = lambda value: base64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))
    key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY_ID}
    return json.dumps({"keys": [{**key, "n": number(N), "e": number(E)}]})
