"""Authlib, joserfc, and PyJWT as a client of OAuth 2.0 and OpenID Connect, and as a resource server."""

import html
import json
import os
import re
import time
import uuid
from urllib.parse import parse_qs, urljoin, urlsplit

import jwt
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import ClientSecretJWT, PrivateKeyJWT
from joserfc import jwe
from joserfc import jwt as jose
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

base = os.environ["PEER_BASE"]
issuer = f"{base}/realms/oauth"
callback = "http://app.example/callback"
secret = "a-secret-that-both-sides-know-and-that-is-long-enough-for-HS512-0123456789"
files = "https://files.example/api"
exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
signatures = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
by_secret = ["HS256", "HS384", "HS512"]
key_encryptions = ["RSA-OAEP", "RSA-OAEP-256"]
contents = ["A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"]

own = RSAKey.generate_key(2048, {"kid": "own", "use": "sig", "alg": "RS256"})
encryption = RSAKey.generate_key(2048, {"kid": "enc", "use": "enc"})
stranger = RSAKey.generate_key(2048)
passed = 0


def check(condition, what):
    global passed
    assert condition, what
    passed += 1


def fails(kinds, action):
    """that an action fails in one of these ways"""
    global passed
    try:
        action()
    except kinds:
        passed += 1
        return
    raise AssertionError(f"{action} has not failed")


def admin():
    """a session with a token of the administrator"""
    form = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": os.environ["PEER_PASSWORD"]}
    token = requests.post(f"{base}/realms/master/protocol/openid-connect/token", data=form).json()["access_token"]
    session = requests.Session()
    session.headers["authorization"] = f"Bearer {token}"
    return session


def client(name, attributes=None, **more):
    audience = {"included.custom.audience": files, "access.token.claim": "true"}
    mapper = {"name": "files", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper", "config": audience}
    shape = {"clientId": name, "secret": secret, "redirectUris": [callback], "directAccessGrantsEnabled": True}
    shape |= {"serviceAccountsEnabled": True, "protocolMappers": [mapper], "attributes": attributes or {}}
    return shape | more


def make_realm(api):
    user = {"username": "ann", "enabled": True, "email": "ann@example.org", "firstName": "Ann", "lastName": "Tester"}
    user |= {"credentials": [{"type": "password", "value": "pw"}]}
    keys = {"use.jwks.string": "true", "jwks.string": json.dumps(KeySet([own, encryption]).as_dict(private=False))}
    clients = [client("app", keys), client("pushing", keys | {"require.pushed.authorization.requests": "true"})]
    clients.append(client("asserting", keys, clientAuthenticatorType="client-jwt"))
    clients.append(client("asserting by secret", {}, clientAuthenticatorType="client-secret-jwt"))
    clients.append(client("bound", {"dpop.bound.access.tokens": "true"}))
    for algorithm in signatures + by_secret:
        signed = {"id.token.signed.response.alg": algorithm, "authorization.signed.response.alg": algorithm}
        clients.append(client(f"signed {algorithm}", signed | {"user.info.response.signature.alg": algorithm}))
    for algorithm in key_encryptions:
        for content in contents:
            wish = {"id.token.encrypted.response.alg": algorithm, "id.token.encrypted.response.enc": content}
            clients.append(client(f"encrypted {algorithm} {content}", keys | wish))
    made = api.post(f"{base}/admin/realms", json={"realm": "oauth", "enabled": True, "users": [user], "clients": clients})
    assert made.status_code == 201, made.text


def metadata():
    return requests.get(f"{issuer}/.well-known/openid-configuration").json()


def key_set():
    return KeySet.import_key_set(requests.get(metadata()["jwks_uri"]).json())


def session(name, **more):
    options = {"client_id": name, "client_secret": secret, "scope": "openid email", "redirect_uri": callback}
    options |= {"token_endpoint_auth_method": "client_secret_post", "code_challenge_method": "S256"}
    return OAuth2Session(**(options | more))


def browse(address):
    """the address to which the server sends the browser after a login, and that of an error before it"""
    browser = requests.Session()
    page = browser.get(address, allow_redirects=False)
    if page.is_redirect:
        return page.headers["Location"]
    action = html.unescape(re.search(r'<form[^>]* action="([^"]+)"', page.text).group(1))
    form = {"username": "ann", "password": "pw"}
    return browser.post(urljoin(page.url, action), data=form, allow_redirects=False).headers["Location"]


def log_in(oauth, **parameters):
    """the tokens of a login with a code, PKCE, a state, and a nonce"""
    places, verifier, nonce = metadata(), uuid.uuid4().hex * 2, uuid.uuid4().hex
    address, state = oauth.create_authorization_url(
        places["authorization_endpoint"], code_verifier=verifier, nonce=nonce, **parameters
    )
    answer = browse(address)
    check(parse_qs(urlsplit(answer).query)["iss"] == [issuer], "the issuer in the response")
    token = oauth.fetch_token(
        places["token_endpoint"], authorization_response=answer, state=state, code_verifier=verifier
    )
    return token, nonce


def expect_claims(claims, audience, nonce=None):
    wanted = {"iss": issuer, "aud": audience} | ({"nonce": nonce} if nonce else {})
    registry = jose.JWTClaimsRegistry(**{name: {"essential": True, "value": value} for name, value in wanted.items()})
    registry.validate(claims)
    other = jose.JWTClaimsRegistry(aud={"essential": True, "value": "somebody else"})
    fails(JoseError, lambda: other.validate(claims))


def signed_tokens():
    """ID tokens and userinfo in every algorithm, verified by both libraries, and not by other keys"""
    places = metadata()
    for algorithm in signatures + by_secret:
        name = f"signed {algorithm}"
        token, nonce = log_in(session(name))
        key = OctKey.import_key(secret) if algorithm in by_secret else key_set()
        decoded = jose.decode(token["id_token"], key, algorithms=[algorithm])
        check(decoded.header["alg"] == algorithm, f"{algorithm}: {decoded.header}")
        expect_claims(decoded.claims, name, nonce)
        wrong = OctKey.import_key("x" * 64) if algorithm in by_secret else KeySet([stranger])
        fails((JoseError, ValueError), lambda: jose.decode(token["id_token"], wrong, algorithms=[algorithm]))
        fails(JoseError, lambda: jose.decode(token["id_token"], key, algorithms=["none"]))

        bearer = {"authorization": f"Bearer {token['access_token']}"}
        answer = requests.get(places["userinfo_endpoint"], headers=bearer)
        check(answer.headers["content-type"].startswith("application/jwt"), answer.headers["content-type"])
        if algorithm in by_secret:
            material = secret
        else:
            material = jwt.PyJWKClient(places["jwks_uri"]).get_signing_key_from_jwt(answer.text).key
        told = jwt.decode(answer.text, material, algorithms=[algorithm], audience=name, issuer=issuer)
        check(told["email"] == "ann@example.org", told)
        options = {"algorithms": [algorithm], "audience": "somebody else", "issuer": issuer}
        fails(jwt.InvalidAudienceError, lambda: jwt.decode(answer.text, material, **options))
        fails(jwt.InvalidTokenError, lambda: jwt.decode(answer.text[:-8] + "AAAAAAAA", material, **options))


def encrypted_tokens():
    """ID tokens in every encryption, which only the key of the client opens"""
    for algorithm in key_encryptions:
        for content in contents:
            name = f"encrypted {algorithm} {content}"
            token, nonce = log_in(session(name))
            algorithms = [algorithm, content]
            opened = jwe.decrypt_compact(token["id_token"], encryption, algorithms=algorithms)
            check(opened.protected["alg"] == algorithm and opened.protected["enc"] == content, opened.protected)
            inner = jose.decode(opened.plaintext.decode(), key_set(), algorithms=["RS256"])
            expect_claims(inner.claims, name, nonce)
            fails((JoseError, ValueError), lambda: jwe.decrypt_compact(token["id_token"], stranger, algorithms=algorithms))


def answers_as_tokens():
    """authorization responses as tokens (JARM), in a query and of an error"""
    places = metadata()
    for mode in ("jwt", "query.jwt"):
        for algorithm in ("RS256", "ES384", "HS512"):
            name = f"signed {algorithm}"
            oauth = session(name)
            address, state = oauth.create_authorization_url(
                places["authorization_endpoint"], code_verifier="v" * 50, response_mode=mode, nonce="n"
            )
            text = parse_qs(urlsplit(browse(address)).query)["response"][0]
            key = OctKey.import_key(secret) if algorithm == "HS512" else key_set()
            claims = jose.decode(text, key, algorithms=[algorithm]).claims
            check(claims["state"] == state and claims["iss"] == issuer and claims["aud"] == name, claims)
            query = {"grant_type": "authorization_code", "code": claims["code"], "redirect_uri": callback}
            query |= {"client_id": name, "client_secret": secret, "code_verifier": "v" * 50}
            check(requests.post(places["token_endpoint"], data=query).status_code == 200, "the code in the token")
    refused = browse(f"{address}&prompt=none")
    claims = jose.decode(parse_qs(urlsplit(refused).query)["response"][0], key, algorithms=[algorithm]).claims
    check(claims["error"] == "login_required", claims)


def assertions():
    """clients that prove themselves by signed assertions"""
    places = metadata()
    cases = [
        ("asserting", own.as_pem(private=True).decode(), PrivateKeyJWT(places["token_endpoint"], headers={"kid": "own"})),
        ("asserting by secret", secret, ClientSecretJWT(places["token_endpoint"])),
    ]
    for name, key, method in cases:
        oauth = session(name, client_secret=key, token_endpoint_auth_method=method)
        token = oauth.fetch_token(places["token_endpoint"], grant_type="client_credentials")
        check("access_token" in token, token)
    claims = {"iss": "asserting", "sub": "asserting", "aud": issuer, "jti": "once", "exp": int(time.time()) + 50}
    kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    def send(key, **changes):
        text = jose.encode({"alg": "RS256", "kid": "own"}, claims | changes, key)
        form = {"grant_type": "client_credentials", "client_assertion_type": kind, "client_assertion": text}
        return requests.post(places["token_endpoint"], data=form).status_code

    check(send(own) == 200, "an assertion")
    check(send(own) == 400, "an assertion that is used again")
    check(send(stranger, jti="key") == 400, "an assertion with another key")
    check(send(own, jti="audience", aud="https://elsewhere.example") == 400, "an assertion for somebody else")
    check(send(own, jti="time", exp=int(time.time()) - 100) == 400, "an assertion that has expired")
    check(send(own, jti="client", sub="app", iss="app") != 200, "an assertion of another client")


def request_objects():
    """signed request objects, in the address and pushed, also with all parameters within"""
    places = metadata()
    claims = {"iss": "app", "aud": issuer, "client_id": "app", "response_type": "code", "redirect_uri": callback}
    claims |= {"scope": "openid", "state": "of-the-object", "exp": int(time.time()) + 50, "resource": [files]}
    text = jose.encode({"alg": "RS256", "kid": "own"}, claims, own)
    answer = browse(f"{places['authorization_endpoint']}?client_id=app&request={text}")
    check(parse_qs(urlsplit(answer).query)["state"] == ["of-the-object"], answer)
    forged = jose.encode({"alg": "RS256", "kid": "own"}, claims, stranger)
    page = requests.get(f"{places['authorization_endpoint']}?client_id=app&request={forged}", allow_redirects=False)
    told = parse_qs(urlsplit(page.headers.get("Location", "")).query)
    check(told.get("error") == ["invalid_request_object"] and "state" not in told, f"a forged request object: {told}")
    form = {"client_id": "pushing", "client_secret": secret, "response_type": "code", "redirect_uri": callback}
    pushed = requests.post(places["pushed_authorization_request_endpoint"], data=form | {"scope": "openid"})
    check(pushed.status_code == 201, pushed.text)
    query = f"client_id=pushing&request_uri={pushed.json()['request_uri']}"
    check("code=" in browse(f"{places['authorization_endpoint']}?{query}"), "a pushed request")
    plain = f"client_id=pushing&response_type=code&redirect_uri={callback}"
    check("error=" in browse(f"{places['authorization_endpoint']}?{plain}"), "a request that had to be pushed")


def tokens_in_use():
    """refreshing, looking up, exchanging, and revoking tokens, for one resource"""
    places, oauth = metadata(), session("app")
    token, _ = log_in(oauth)
    again = oauth.refresh_token(places["token_endpoint"], refresh_token=token["refresh_token"])
    check(again["access_token"] != token["access_token"], "a refreshed token")
    told = oauth.introspect_token(places["introspection_endpoint"], token=again["access_token"]).json()
    check(told["active"] and told["username"] == "ann", told)
    form = {"client_id": "app", "client_secret": secret, "grant_type": exchange, "subject_token": again["access_token"]}
    narrowed = requests.post(places["token_endpoint"], data=form | {"resource": files}).json()
    claims = jose.decode(narrowed["access_token"], key_set(), algorithms=["RS256"]).claims
    check(claims["aud"] == files, claims)
    other = requests.post(places["token_endpoint"], data=form | {"resource": "https://elsewhere.example"})
    check(other.json()["error"] == "invalid_target", other.text)
    check(oauth.revoke_token(places["revocation_endpoint"], token=again["refresh_token"]).ok, "a revocation")
    told = oauth.introspect_token(places["introspection_endpoint"], token=again["access_token"]).json()
    check(told == {"active": False}, told)


def bound_tokens():
    """tokens that are bound to a key (DPoP)"""
    places, key = metadata(), ECKey.generate_key("P-256")

    def proof(method, address, **more):
        claims = {"jti": uuid.uuid4().hex, "htm": method, "htu": address, "iat": int(time.time())} | more
        return jose.encode({"alg": "ES256", "typ": "dpop+jwt", "jwk": key.as_dict(private=False)}, claims, key)

    def ask(text):
        form = {"client_id": "bound", "client_secret": secret, "grant_type": "client_credentials"}
        return requests.post(places["token_endpoint"], data=form, headers={"DPoP": text} if text else {})

    used = proof("POST", places["token_endpoint"])
    token = ask(used).json()
    check(token["token_type"] == "DPoP", token)
    claims = jose.decode(token["access_token"], key_set(), algorithms=["RS256"]).claims
    check(claims["cnf"] == {"jkt": key.thumbprint()}, claims)
    for text in (used, None, proof("GET", places["token_endpoint"]), proof("POST", places["userinfo_endpoint"])):
        check(ask(text).status_code == 400, "a proof that is missing, used again, or for something else")
    check(ask(proof("POST", places["token_endpoint"], iat=int(time.time()) - 600)).status_code == 400, "an old proof")


def main():
    make_realm(admin())
    for part in (signed_tokens, encrypted_tokens, answers_as_tokens, assertions, request_objects, tokens_in_use, bound_tokens):
        before = passed
        part()
        print(f"{part.__name__}: {passed - before} checks")


main()
