"""pysaml2 as an identity provider: users of the realm log in with it, and logouts go both ways.

It encrypts with Triple DES, which the server refuses, so its assertions are signed only.
"""

import base64
import tempfile
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import Config
from saml2.metadata import entity_descriptor
from saml2.s_utils import success_status_factory
from saml2.saml import NAME_FORMAT_URI, NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

from shared import base, form_on, key_pair, realm

entity = "http://idp.example/metadata"
sso = "https://idp.example/sso"
slo = "https://idp.example/slo"
application = "http://app.example/callback"
endpoint = f"{realm}/broker/py/endpoint"
both = (BINDING_HTTP_POST, BINDING_HTTP_REDIRECT)


def configuration(key, cert, descriptors):
    """the configuration of the identity provider"""
    idp = {
        "endpoints": {
            "single_sign_on_service": [(sso, binding) for binding in both],
            "single_logout_service": [(slo, binding) for binding in both],
        },
        "want_authn_requests_signed": True,
        "name_id_format": [NAMEID_FORMAT_PERSISTENT],
        "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_URI}},
    }
    files = {"key_file": key, "cert_file": cert}
    algorithms = {"signing_algorithm": SIG_RSA_SHA256, "digest_algorithm": DIGEST_SHA256}
    metadata = {"inline": descriptors}
    return Config().load({"entityid": entity, "service": {"idp": idp}, "metadata": metadata, **files, **algorithms})


def message_in(page):
    """the message that a browser takes to the provider, its relay state, and the binding"""
    if page.is_redirect:
        fields = {name: value for name, (value, *_) in parse_qs(urlsplit(page.headers["Location"]).query).items()}
        return fields, BINDING_HTTP_REDIRECT
    return form_on(page.text)[1], BINDING_HTTP_POST


def followed(browser, page):
    """the page that a browser comes to, or the redirect that leaves the server"""
    while page.is_redirect and page.headers["Location"].startswith((base, "/")):
        page = browser.get(urljoin(page.url, page.headers["Location"]), allow_redirects=False)
    return page


def posted(browser, message, relay_state, parameter="SAMLResponse"):
    """where the browser is after it has brought a message back"""
    form = {parameter: base64.b64encode(str(message).encode()).decode()}
    form |= {"RelayState": relay_state} if relay_state else {}
    return followed(browser, browser.post(endpoint, data=form, allow_redirects=False))


def log_in(idp, protection):
    """logs a user in with the provider, and returns the browser with the name of the user"""
    browser = requests.Session()
    asked = {"client_id": "app", "redirect_uri": application, "response_type": "code", "scope": "openid"}
    asked |= {"kc_idp_hint": "py"}
    page = browser.get(f"{realm}/protocol/openid-connect/auth", params=asked, allow_redirects=False)
    fields, binding = message_in(followed(browser, page))
    request = idp.parse_authn_request(fields["SAMLRequest"], binding)
    name = NameID(format=NAMEID_FORMAT_PERSISTENT, text="ann-of-py")
    user = {"mail": ["anna@py.example"], "givenName": ["Anna"], "sn": ["Python"], "uid": [str(at) for at in range(300)]}
    authn = {"class_ref": PASSWORDPROTECTEDTRANSPORT, "authn_auth": entity}
    to = idp.response_args(request.message, [BINDING_HTTP_POST])
    to.pop("name_id_policy", None)
    to.pop("binding", None)
    response = idp.create_authn_response(user, userid="ann", authn=authn, name_id=name, **to, **protection)
    done = posted(browser, response, fields["RelayState"])
    assert done.is_redirect and "code=" in done.headers["Location"], done.text
    return browser, name


def sessions(api):
    """the number of sessions of the user"""
    (user,) = api.get(f"{base}/admin/realms/saml/users?email=anna@py.example").json()
    assert (user["firstName"], user["lastName"], user["username"]) == ("Anna", "Python", "ann-of-py"), user
    return len(api.get(f"{base}/admin/realms/saml/users/{user['id']}/sessions").json())


def log_out_here(idp, browser):
    """logs the user out at the realm, which tells the provider"""
    page = browser.get(f"{realm}/protocol/openid-connect/logout")
    action, fields = form_on(page.text)
    page = browser.post(urljoin(page.url, action), data=fields, allow_redirects=False)
    fields, binding = message_in(followed(browser, page))
    request = idp.parse_logout_request(fields["SAMLRequest"], binding)
    answer = idp.create_logout_response(request.message, [BINDING_HTTP_POST], success_status_factory(), sign=True)
    assert "logged out" in posted(browser, answer, fields["RelayState"]).text


def log_out_there(idp, browser, name):
    """has the provider end the session"""
    _, request = idp.create_logout_request(endpoint, entity, name_id=name, sign=True)
    fields, binding = message_in(posted(browser, request, None, "SAMLRequest"))
    assert idp.parse_logout_request_response(fields["SAMLResponse"], binding).status_ok()


def check_identity_provider(api):
    """logs users of the realm in and out with pysaml2"""
    admin = f"{base}/admin/realms/saml"
    client = {"clientId": "app", "publicClient": True, "redirectUris": [application]}
    assert api.post(f"{admin}/clients", json=client).status_code == 201
    with tempfile.TemporaryDirectory() as folder:
        key, cert = key_pair(folder)
        metadata = str(entity_descriptor(configuration(key, cert, [])))
        file = {"file": ("metadata.xml", metadata, "text/xml")}
        read = api.post(f"{admin}/identity-provider/import-config", data={"providerId": "saml"}, files=file)
        assert read.status_code == 200 and read.json()["idpEntityId"] == entity, read.text
        config = read.json() | {"wantAuthnRequestsSigned": "true"}
        provider = {"alias": "py", "providerId": "saml", "trustEmail": True, "config": config}
        made = api.post(f"{admin}/identity-provider/instances", json=provider)
        assert made.status_code == 201, made.text
        idp = Server(config=configuration(key, cert, [requests.get(f"{endpoint}/descriptor").text]))
        browser, _ = log_in(idp, {"sign_assertion": True})
        assert sessions(api) == 1
        log_out_here(idp, browser)
        assert sessions(api) == 0
        browser, name = log_in(idp, {"sign_response": True, "sign_assertion": True})
        assert sessions(api) == 1
        log_out_there(idp, browser, name)
        assert sessions(api) == 0
