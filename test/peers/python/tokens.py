"""The clients for applications: OpenID Connect and user-managed access."""

import json
import os
import time

import requests
from jwcrypto import jwe, jwk, jwt
from keycloak import KeycloakOpenID, KeycloakOpenIDConnection, KeycloakUMA
from keycloak.uma_permissions import UMAPermission

import users
from checks import Recorder, equal, has, refused

SECRET = "s3cret"


def openid(admin):
    """tokens of an application"""
    realm = admin.get_current_realm()
    ann = users.create(admin, "ann")
    app = admin.create_client(
        {
            "clientId": "app",
            "secret": SECRET,
            "redirectUris": ["https://app.example/*"],
            "directAccessGrantsEnabled": True,
            "serviceAccountsEnabled": True,
            "attributes": {"oauth2.device.authorization.grant.enabled": "true"},
        }
    )
    client = Recorder(KeycloakOpenID(os.environ["PEER_BASE"] + "/", realm, "app", SECRET))
    assert client.well_known()["issuer"].endswith(f"/realms/{realm}")
    assert client.certs()["keys"] and client.public_key()
    assert "code_challenge" in client.auth_url("https://app.example/", code_challenge="x", code_challenge_method="S256")
    assert client.device()["device_code"]
    tokens = client.token("ann", "welcome-1")
    equal("ann", client.userinfo(tokens["access_token"])["preferred_username"])
    equal(ann, client.decode_token(tokens["access_token"])["sub"])
    equal(True, client.introspect(tokens["access_token"])["active"])
    renewed = client.refresh_token(tokens["refresh_token"])
    equal(1, len(admin.get_sessions(ann)))
    client.logout(renewed["refresh_token"])
    refused(400, client.refresh_token, renewed["refresh_token"])
    refused(401, client.userinfo, renewed["access_token"])
    assert client.token(grant_type="client_credentials")["access_token"]

    initial = admin.create_initial_access_token(count=1, expiration=60)["token"]
    made = client.register_client(initial, {"clientId": "registered"})
    changed = client.update_client(made["registrationAccessToken"], "registered", {"clientId": "registered", "name": "R"})
    equal("R", changed["name"])
    admin.delete_client(made["id"])
    admin.delete_client(app)
    admin.delete_user(ann)


def uma(admin):
    """resources of users: user-managed access"""
    realm = admin.get_current_realm()
    bert = users.create(admin, "bert")
    server = {"clientId": "uma-api", "secret": SECRET, "serviceAccountsEnabled": True, "directAccessGrantsEnabled": True}
    api = admin.create_client({**server, "authorizationServicesEnabled": True})
    base = os.environ["PEER_BASE"] + "/"
    connection = KeycloakOpenIDConnection(
        server_url=base, realm_name=realm, client_id="uma-api", client_secret_key=SECRET
    )
    client = Recorder(KeycloakUMA(connection))
    album = {"name": "Album", "resource_scopes": ["view"], "type": "urn:album", "ownerManagedAccess": True}
    made = client.resource_set_create(album)["_id"]
    client.resource_set_update(made, {**album, "_id": made, "displayName": "Album of Bert"})
    equal("Album of Bert", client.resource_set_read(made)["displayName"])
    equal([made], client.resource_set_list_ids(name="Album", exact_name=True, scope="view"))
    has(list(client.resource_set_list()), name="Album")
    policy = client.policy_resource_create(made, {"name": "friends", "scopes": ["view"], "roles": ["offline_access"]})
    client.policy_update(policy["id"], {**policy, "description": "all of them"})
    equal("all of them", client.policy_query(name="friends")[0]["description"])
    permission = UMAPermission(resource="Album", scope="view")
    assert client.permission_ticket_create([permission])["ticket"]
    openid_client = Recorder(KeycloakOpenID(base, realm, "uma-api", SECRET))
    token = openid_client.token("bert", "welcome-1")["access_token"]
    equal(True, client.permissions_check(token, [permission]))
    has(openid_client.uma_permissions(token), rsname="Album")
    equal(True, openid_client.has_uma_access(token, f"{made}#view").is_authorized)
    client.policy_delete(policy["id"])
    equal([], client.policy_query(name="friends"))
    client.resource_set_delete(made)
    refused(404, client.resource_set_read, made)
    admin.delete_client(api)
    admin.delete_user(bert)


def protected(admin):
    """encrypted ID tokens, user info, and request objects, by jwcrypto"""
    realm = admin.get_current_realm()
    base = os.environ["PEER_BASE"] + f"/realms/{realm}"
    cora = users.create(admin, "cora")
    own = jwk.JWK.generate(kty="RSA", size=2048, kid="own", use="enc")
    signer = jwk.JWK.generate(kty="EC", crv="P-256", kid="signer", use="sig")
    keys = {"keys": [key.export_public(as_dict=True) for key in (own, signer)]}
    attributes = {
        "use.jwks.string": "true",
        "jwks.string": json.dumps(keys),
        "id.token.encrypted.response.alg": "RSA-OAEP-256",
        "id.token.encrypted.response.enc": "A256GCM",
        "user.info.response.signature.alg": "RS256",
        "user.info.encrypted.response.alg": "RSA-OAEP",
        "request.object.encryption.alg": "RSA-OAEP-256",
    }
    redirect = "https://app.example/in"
    client = {"clientId": "protected", "secret": SECRET, "redirectUris": [redirect], "directAccessGrantsEnabled": True}
    app = admin.create_client({**client, "attributes": attributes})
    realm_keys = jwk.JWKSet.from_json(requests.get(base + "/protocol/openid-connect/certs", timeout=10).text)

    def content(text):
        """The claims of a token that is encrypted for the client and signed by the realm."""
        outer = jwe.JWE()
        outer.deserialize(text, own)
        inner = jwt.JWT(jwt=outer.payload.decode(), key=realm_keys, algs=["RS256"])
        return json.loads(inner.claims)

    tokens = KeycloakOpenID(os.environ["PEER_BASE"] + "/", realm, "protected", SECRET).token("cora", "welcome-1")
    equal(("protected", cora), tuple(content(tokens["id_token"])[name] for name in ("aud", "sub")))
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    info = requests.get(base + "/protocol/openid-connect/userinfo", headers=bearer, timeout=10)
    equal("application/jwt", info.headers["content-type"].split(";")[0])
    equal("cora", content(info.text)["preferred_username"])

    def push(request):
        form = {"client_id": "protected", "client_secret": SECRET, "request": request}
        return requests.post(base + "/protocol/openid-connect/ext/par/request", data=form, timeout=10).status_code

    asked = {"iss": "protected", "aud": base, "client_id": "protected", "response_type": "code", "redirect_uri": redirect}
    signed = jwt.JWT(header={"alg": "ES256", "kid": "signer"}, claims={**asked, "exp": int(time.time()) + 60})
    signed.make_signed_token(signer)
    [theirs] = [key for key in realm_keys if key.get("use") == "enc"]
    public = {name: theirs.export_public(as_dict=True)[name] for name in ("kty", "n", "e")}
    header = {"alg": "RSA-OAEP-256", "enc": "A128GCM", "cty": "JWT", "kid": theirs.get("kid")}
    sealed = jwe.JWE(signed.serialize().encode(), json.dumps(header), recipient=jwk.JWK(**public))
    equal(201, push(sealed.serialize(compact=True)))
    equal(400, push(signed.serialize()))
    admin.delete_client(app)
    admin.delete_user(cora)


CASES = (openid, uma, protected)
