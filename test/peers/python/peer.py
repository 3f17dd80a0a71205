"""Walks all methods of python-keycloak on the service of PEER_BASE. Ends with status 1 when a case fails."""

import os
import sys

from keycloak import KeycloakAdmin

import authorization
import clients
import flows
import realms
import tokens
import users
from checks import Checks, Recorder, refused, report

REALM = "python-peer"


def main():
    admin = Recorder(
        KeycloakAdmin(
            server_url=os.environ["PEER_BASE"] + "/",
            username="admin",
            password=os.environ["PEER_PASSWORD"],
            user_realm_name="master",
            realm_name="master",
        )
    )
    mail = {"host": "127.0.0.1", "port": os.environ["PEER_SMTP_PORT"], "from": "realm@peer.example"}
    admin.create_realm({"realm": REALM, "enabled": True, "smtpServer": mail})
    admin.create_realm({"realm": REALM, "enabled": True}, skip_exists=True)
    admin.change_current_realm(REALM)
    checks = Checks()
    try:
        for part in (realms, users, clients, flows, authorization, tokens):
            for case in part.CASES:
                checks.run(case.__doc__, case, admin)
    finally:
        admin.change_current_realm("master")
        admin.delete_realm(REALM)
    checks.run("the realm is gone", refused, 404, admin.get_realm, REALM)
    report()
    print(f"{checks.passed} cases passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


main()
