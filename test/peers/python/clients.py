"""Clients, client scopes, and their roles."""

from checks import equal, has, lacks, refused

MAPPER = {
    "name": "badge",
    "protocol": "openid-connect",
    "protocolMapper": "oidc-usermodel-attribute-mapper",
    "config": {"claim.name": "badge", "user.attribute": "badge", "access.token.claim": "true"},
}


def client(admin):
    """clients"""
    shop = admin.create_client({"clientId": "shop", "serviceAccountsEnabled": True})
    equal(shop, admin.create_client({"clientId": "shop"}, skip_exists=True))
    equal(shop, admin.get_client_id("shop"))
    admin.update_client(shop, {"clientId": "shop", "name": "Shop"})
    equal("Shop", admin.get_client(shop)["name"])
    has(admin.get_clients(), clientId="shop")
    first = admin.get_client_secrets(shop)["value"]
    second = admin.generate_client_secrets(shop)["value"]
    assert first != second, "the secret is the old one"
    equal("service-account-shop", admin.get_client_service_account_user(shop)["username"])
    equal("shop", admin.get_client_installation_provider(shop, "keycloak-oidc-keycloak-json")["resource"])
    equal(True, admin.update_client_management_permissions({"enabled": True}, shop)["enabled"])
    equal(True, admin.get_client_management_permissions(shop)["enabled"])
    admin.update_client_management_permissions({"enabled": False}, shop)
    equal([], admin.get_client_all_sessions(shop))
    token = admin.create_initial_access_token(count=2, expiration=60)
    equal(2, token["count"])
    admin.delete_client(shop)
    refused(404, admin.get_client, shop)


def certificates(admin):
    """certificates of a client"""
    shop = admin.create_client({"clientId": "certified"})
    key = has(admin.get_keys()["keys"], algorithm="RS256")
    admin.upload_certificate(shop, key["certificate"])
    equal(key["certificate"], admin.get_client_certificate_key_info(shop, "jwt.credential")["certificate"])
    admin.delete_client(shop)


def mappers(admin):
    """protocol mappers of a client"""
    shop = admin.create_client({"clientId": "mapped"})
    admin.add_mapper_to_client(shop, MAPPER)
    found = has(admin.get_mappers_from_client(shop), name="badge")
    found["config"]["claim.name"] = "number"
    admin.update_client_mapper(shop, found["id"], found)
    equal("number", admin.get_mappers_from_client(shop)[0]["config"]["claim.name"])
    admin.remove_client_mapper(shop, found["id"])
    equal([], admin.get_mappers_from_client(shop))
    admin.delete_client(shop)


def roles(admin):
    """roles of a client"""
    shop = admin.create_client({"clientId": "with-roles"})
    equal("sell", admin.create_client_role(shop, {"name": "sell"}))
    admin.create_client_role(shop, {"name": "sell"}, skip_exists=True)
    admin.create_client_role(shop, {"name": "count"})
    admin.update_client_role(shop, "sell", {"name": "sell", "description": "sells"})
    sell = admin.get_client_role(shop, "sell")
    equal("sells", sell["description"])
    equal(sell["id"], admin.get_client_role_id(shop, "sell"))
    equal(2, len(admin.get_client_roles(shop)))
    count = admin.get_client_role(shop, "count")
    admin.add_composite_client_roles_to_role(shop, "sell", [count])
    has(admin.get_composite_client_roles_of_role(shop, "sell"), name="count")
    has(admin.get_role_client_level_children(shop, sell["id"]), name="count")
    admin.remove_composite_client_roles_from_role(shop, "sell", [count])
    equal([], admin.get_composite_client_roles_of_role(shop, "sell"))
    equal([], admin.get_client_role_members(shop, "sell"))
    equal([], admin.get_client_role_groups(shop, "sell"))
    admin.delete_client_role(shop, "count")
    refused(404, admin.get_client_role, shop, "count")
    admin.delete_client(shop)


def scopes_of_a_client(admin):
    """client scopes and scope mappings of a client"""
    shop = admin.create_client({"clientId": "scoped", "fullScopeAllowed": False})
    tickets = admin.create_client_scope({"name": "tickets", "protocol": "openid-connect"})
    admin.add_client_default_client_scope(shop, tickets, {})
    has(admin.get_client_default_client_scopes(shop), name="tickets")
    admin.delete_client_default_client_scope(shop, tickets)
    admin.add_client_optional_client_scope(shop, tickets, {})
    has(admin.get_client_optional_client_scopes(shop), name="tickets")
    admin.delete_client_optional_client_scope(shop, tickets)
    lacks(admin.get_client_optional_client_scopes(shop), name="tickets")
    everyday = admin.get_realm_role("offline_access")
    admin.assign_realm_roles_to_client_scope(shop, [everyday])
    has(admin.get_realm_roles_of_client_scope(shop), name="offline_access")
    admin.delete_realm_roles_of_client_scope(shop, [everyday])
    equal([], admin.get_realm_roles_of_client_scope(shop))
    management = admin.get_client_id("realm-management")
    viewer = admin.get_client_role(management, "view-users")
    admin.assign_client_roles_to_client_scope(shop, management, [viewer])
    has(admin.get_client_roles_of_client_scope(shop, management), name="view-users")
    admin.delete_client_roles_of_client_scope(shop, management, [viewer])
    equal([], admin.get_client_roles_of_client_scope(shop, management))
    admin.delete_client_scope(tickets)
    admin.delete_client(shop)


def client_scopes(admin):
    """client scopes"""
    library = admin.create_client_scope({"name": "library", "protocol": "openid-connect"})
    equal(library, admin.create_client_scope({"name": "library"}, skip_exists=True))
    admin.update_client_scope(library, {"name": "library", "description": "Books"})
    equal("Books", admin.get_client_scope(library)["description"])
    equal(library, admin.get_client_scope_by_name("library")["id"])
    has(admin.get_client_scopes(), name="library")
    admin.add_mapper_to_client_scope(library, MAPPER)
    found = has(admin.get_mappers_from_client_scope(library), name="badge")
    found["config"]["claim.name"] = "number"
    admin.update_mapper_in_client_scope(library, found["id"], found)
    equal("number", admin.get_mappers_from_client_scope(library)[0]["config"]["claim.name"])
    admin.delete_mapper_from_client_scope(library, found["id"])
    equal([], admin.get_mappers_from_client_scope(library))
    management = admin.get_client_id("realm-management")
    viewer = admin.get_client_role(management, "view-users")
    admin.add_client_specific_roles_to_client_scope(library, management, [viewer])
    has(admin.get_client_specific_roles_of_client_scope(library, management), name="view-users")
    assert "realm-management" in admin.get_all_roles_of_client_scope(library)["clientMappings"]
    admin.remove_client_specific_roles_of_client_scope(library, management, [viewer])
    equal([], admin.get_client_specific_roles_of_client_scope(library, management))
    admin.add_default_default_client_scope(library)
    has(admin.get_default_default_client_scopes(), name="library")
    admin.delete_default_default_client_scope(library)
    admin.add_default_optional_client_scope(library)
    has(admin.get_default_optional_client_scopes(), name="library")
    admin.delete_default_optional_client_scope(library)
    admin.delete_client_scope(library)
    refused(404, admin.get_client_scope, library)


CASES = (client, certificates, mappers, roles, scopes_of_a_client, client_scopes)
