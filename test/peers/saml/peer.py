"""pysaml2 as a service provider, and then as an identity provider: it reads the realm's metadata, the server reads its metadata, and users log in and out."""

import tempfile
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import Config
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

from identity_provider import check_identity_provider
from shared import admin, base, form_on, key_pair, realm

entity = "http://sp.example/metadata"
consumer = "http://sp.example/acs"
slo = "http://sp.example/slo"


def provider(folder, descriptor):
    """the configuration of the service provider"""
    key, cert = key_pair(folder)
    sp = {
        "endpoints": {
            "assertion_consumer_service": [(consumer, BINDING_HTTP_POST)],
            "single_logout_service": [(slo, BINDING_HTTP_REDIRECT), (slo, BINDING_HTTP_POST)],
        },
        "authn_requests_signed": True,
        "logout_requests_signed": True,
        "want_assertions_signed": True,
        "want_response_signed": True,
        "allow_unsolicited": False,
        "name_id_format": [NAMEID_FORMAT_PERSISTENT],
        "signing_algorithm": SIG_RSA_SHA256,
        "digest_algorithm": DIGEST_SHA256,
    }
    return Config().load(
        {
            "entityid": entity,
            "service": {"sp": sp},
            "allow_unknown_attributes": True,
            "key_file": key,
            "cert_file": cert,
            "encryption_keypairs": [{"key_file": key, "cert_file": cert}],
            "metadata": {"inline": [descriptor]},
        }
    )


def send(browser, info):
    """what the server answers to a message of the provider"""
    if info["method"] == "GET":
        return browser.get(dict(info["headers"])["Location"], allow_redirects=False)
    action, fields = form_on(info["data"])
    return browser.post(action, data=fields, allow_redirects=False)


def log_in(client, binding):
    """logs a user in by a request in this binding, and returns the browser with the assertion"""
    browser = requests.Session()
    request, info = client.prepare_for_authenticate(
        entityid=realm, relay_state="state", binding=binding, response_binding=BINDING_HTTP_POST, sign=True
    )
    page = send(browser, info)
    action, _ = form_on(page.text)
    done = browser.post(urljoin(page.url, action), data={"username": "ann", "password": "pw"}, allow_redirects=False)
    action, fields = form_on(done.text)
    assert (action, fields["RelayState"]) == (consumer, "state"), done.text
    response = client.parse_authn_request_response(fields["SAMLResponse"], BINDING_HTTP_POST, outstanding={request: "/"})
    assert response.ava["mail"] == ["ann@example.org"], response.ava
    assert "offline_access" in response.ava["Role"], response.ava
    assert response.name_id.text.startswith("G-"), response.name_id
    return browser, response


def log_out(client, browser, response):
    """logs the user out, and reads the answer"""
    asked = client.global_logout(response.name_id)
    ((binding, info),) = asked.values()
    done = send(browser, info)
    if done.is_redirect:
        message, answer = parse_qs(urlsplit(done.headers["Location"]).query)["SAMLResponse"][0], BINDING_HTTP_REDIRECT
    else:
        message, answer = form_on(done.text)[1]["SAMLResponse"], BINDING_HTTP_POST
    assert client.parse_logout_request_response(message, answer).status_ok()
    assert "KEYCLOAK_IDENTITY" not in browser.cookies, binding


def main():
    api = admin()
    user = {"username": "ann", "enabled": True, "email": "ann@example.org", "firstName": "Ann", "lastName": "Tester"}
    user |= {"credentials": [{"type": "password", "value": "pw"}], "realmRoles": ["offline_access"]}
    made = api.post(f"{base}/admin/realms", json={"realm": "saml", "enabled": True, "users": [user]})
    assert made.status_code == 201, made.text
    descriptor = requests.get(f"{realm}/protocol/saml/descriptor", headers={"accept": "application/xml"}).text
    with tempfile.TemporaryDirectory() as folder:
        config = provider(folder, descriptor)
        metadata = str(entity_descriptor(config))
        kind = {"content-type": "application/xml"}
        read = api.post(f"{base}/admin/realms/saml/client-description-converter", data=metadata, headers=kind)
        assert read.status_code == 200, read.text
        mapper = {"user.attribute": "email", "attribute.name": "urn:oid:0.9.2342.19200300.100.1.3"}
        mapper |= {"attribute.nameformat": "URI Reference", "friendly.name": "mail"}
        mail = {"name": "mail", "protocol": "saml", "protocolMapper": "saml-user-property-mapper", "config": mapper}
        client = read.json()
        assert client["attributes"]["saml.encrypt"] == "true", client
        client["protocolMappers"] = [*client.get("protocolMappers", []), mail]
        made = api.post(f"{base}/admin/realms/saml/clients", json=client)
        assert made.status_code == 201, made.text
        for binding in (BINDING_HTTP_REDIRECT, BINDING_HTTP_POST):
            log_out(sp := Saml2Client(config=config), *log_in(sp, binding))
    check_identity_provider(api)
    print("logins and logouts by redirect and POST, with metadata of both sides, and encrypted assertions, as service and identity provider")


main()
