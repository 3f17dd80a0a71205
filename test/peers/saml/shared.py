"""The server, its administrator, and helpers of both sides."""

import html
import os
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

base = os.environ["PEER_BASE"]
realm = f"{base}/realms/saml"


def admin():
    """a session with a token of the administrator"""
    form = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": os.environ["PEER_PASSWORD"]}
    token = requests.post(f"{base}/realms/master/protocol/openid-connect/token", data=form).json()["access_token"]
    session = requests.Session()
    session.headers["authorization"] = f"Bearer {token}"
    return session


def key_pair(folder):
    """files with a key and its certificate"""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sp")])
    now = datetime.now(timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    certificate = builder.sign(key, hashes.SHA256())
    pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    Path(folder, "key.pem").write_bytes(key.private_bytes(pem, private, serialization.NoEncryption()))
    Path(folder, "cert.pem").write_bytes(certificate.public_bytes(pem))
    return str(Path(folder, "key.pem")), str(Path(folder, "cert.pem"))


def form_on(page):
    """address and fields of the form on a page"""
    action = html.unescape(re.search(r'<form[^>]* action="([^"]+)"', page).group(1))
    fields = re.findall(r'name="([^"]+)" value="([^"]*)"', page)
    return action, {name: html.unescape(value) for name, value in fields}
