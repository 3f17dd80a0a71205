"""A client as a resource server."""

from checks import equal, has, refused


def resource_server(admin):
    """a resource server: scopes, resources, policies and permissions"""
    api = admin.create_client(
        {"clientId": "library-api", "serviceAccountsEnabled": True, "authorizationServicesEnabled": True}
    )
    equal("ENFORCING", admin.get_client_authz_settings(api)["policyEnforcementMode"])
    admin.import_client_authz_config(api, {"policyEnforcementMode": "PERMISSIVE", "scopes": [{"name": "lend"}]})
    admin.create_client_authz_scopes(api, {"name": "read"})
    read = has(admin.get_client_authz_scopes(api), name="read")

    book = admin.create_client_authz_resource(api, {"name": "Book", "scopes": [{"name": "read"}]})["_id"]
    admin.create_client_authz_resource(api, {"name": "Book"}, skip_exists=True)
    admin.update_client_authz_resource(api, book, {"name": "Book", "displayName": "A book", "scopes": [{"name": "read"}]})
    equal("A book", admin.get_client_authz_resource(api, book)["displayName"])
    has(admin.get_client_authz_resources(api), name="Book")

    clerks = [{"id": admin.get_realm_role("offline_access")["id"]}]
    by_role = admin.create_client_authz_role_based_policy(api, {"name": "by role", "roles": clerks})["id"]
    hours = {"name": "hours", "type": "time", "config": {"hour": "8", "hourEnd": "17"}}
    admin.create_client_authz_policy(api, hours)
    admin.create_client_authz_policy(api, hours, skip_exists=True)
    admin.create_client_authz_client_policy({"name": "by client", "clients": [api]}, api)
    has(admin.get_client_authz_policies(api), name="hours")
    has(admin.get_client_authz_client_policies(api), name="by client")
    equal("by role", admin.get_client_authz_policy(api, by_role)["name"])

    lend = {"name": "lending", "resources": [book], "policies": [by_role]}
    permission = admin.create_client_authz_resource_based_permission(api, lend)["id"]
    admin.update_client_authz_resource_permission({**lend, "id": permission, "description": "changed"}, api, permission)
    has(admin.get_client_authz_permissions(api), description="changed")
    has(admin.get_client_authz_permission_associated_policies(api, permission), name="by role")
    has(admin.get_client_authz_policy_resources(api, permission), name="Book")
    reading = {"name": "reading", "scopes": [read["id"]], "policies": [by_role]}
    scoped = admin.create_client_authz_scope_permission(reading, api)["id"]
    admin.update_client_authz_scope_permission({**reading, "id": scoped, "description": "by scope"}, api, scoped)
    equal("by scope", admin.get_client_authz_scope_permission(api, scoped)["description"])
    has(admin.get_client_authz_policy_scopes(api, scoped), name="read")

    admin.delete_client_authz_policy(api, by_role)
    refused(404, admin.get_client_authz_policy, api, by_role)
    admin.delete_client_authz_resource(api, book)
    refused(404, admin.get_client_authz_resource, api, book)
    admin.delete_client(api)


CASES = (resource_server,)
