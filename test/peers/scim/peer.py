"""scim2-tester, which checks every resource and attribute that a SCIM server describes."""

import json
import os
import sys
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

base = os.environ["PEER_BASE"]
realm = "provisioned"


def token(name, **form):
    address = f"{base}/realms/{name}/protocol/openid-connect/token"
    with urlopen(Request(address, urlencode(form).encode())) as answer:
        return json.load(answer)["access_token"]


def send(method, path, body=None):
    request = Request(f"{base}/admin/realms{path}", None if body is None else json.dumps(body).encode(), method=method)
    request.add_header("authorization", f"Bearer {administrator}")
    request.add_header("content-type", "application/json")
    with urlopen(request) as answer:
        text = answer.read()
        return json.loads(text) if text else None


administrator = token(
    "master", grant_type="password", client_id="admin-cli", username="admin", password=os.environ["PEER_PASSWORD"]
)
send("POST", "", {"realm": realm, "enabled": True, "editUsernameAllowed": True})
send(
    "POST",
    f"/{realm}/clients",
    {"clientId": "provisioning", "secret": "provisioning", "serviceAccountsEnabled": True, "standardFlowEnabled": False},
)
client = send("GET", f"/{realm}/clients?clientId=provisioning")[0]["id"]
account = send("GET", f"/{realm}/clients/{client}/service-account-user")["id"]
manager = send("GET", f"/{realm}/clients?clientId=realm-management")[0]["id"]
role = send("GET", f"/{realm}/clients/{manager}/roles/manage-users")
send("POST", f"/{realm}/users/{account}/role-mappings/clients/{manager}", [role])

access = token(realm, grant_type="client_credentials", client_id="provisioning", client_secret="provisioning")
http = Client(base_url=f"{base}/realms/{realm}/scim/v2", headers={"authorization": f"Bearer {access}"}, timeout=60)
results = check_server(SyncSCIMClient(http))

good = {Status.SUCCESS, Status.SKIPPED}
for result in results:
    if result.status not in good or "-v" in sys.argv:
        reason = " ".join(str(result.reason).split())
        print(f"{result.status.name} {result.title}: {reason} {str(result.data)[:2000]}")
passed = sum(result.status == Status.SUCCESS for result in results)
skipped = sum(result.status == Status.SKIPPED for result in results)
failed = len(results) - passed - skipped
print(f"{passed} checks passed, {failed} failed, {skipped} skipped")
sys.exit(0 if passed > 0 and failed == 0 else 1)
