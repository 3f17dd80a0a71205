"""Realms and what belongs to a whole realm: events, keys, identity providers, components."""

import os

from checks import equal, has, lacks, refused


def realm(admin):
    """realms"""
    name = admin.get_current_realm()
    has(admin.get_realms(), realm=name)
    admin.update_realm(name, {"realm": name, "displayName": "Python peer", "attributes": {"team": "peers"}})
    found = admin.get_realm(name)
    equal("Python peer", found["displayName"])
    equal("peers", found["attributes"]["team"])
    admin.import_realm({"realm": "python-import", "enabled": True, "users": [{"username": "ines"}]})
    admin.change_current_realm("python-import")
    has(admin.get_users(), username="ines")
    admin.change_current_realm(name)
    admin.delete_realm("python-import")
    admin.partial_import_realm(name, {"ifResourceExists": "SKIP", "roles": {"realm": [{"name": "imported"}]}})
    has(admin.export_realm(True, True)["roles"]["realm"], name="imported")
    assert admin.get_server_info()["providers"]
    assert admin.get_keys()["keys"]
    equal([], admin.get_client_sessions_stats())
    admin.clear_keys_cache()
    admin.clear_realm_cache()
    admin.clear_user_cache()


def events(admin):
    """events"""
    admin.set_events({"eventsEnabled": True, "adminEventsEnabled": True})
    admin.create_realm_role({"name": "audited"})
    has(admin.get_admin_events({"operationTypes": "CREATE"}), resourcePath="roles/audited")
    equal([], admin.get_events({"type": "LOGIN"}))
    admin.delete_realm_role("audited")


def realm_roles(admin):
    """realm roles"""
    equal("clerk", admin.create_realm_role({"name": "clerk"}))
    admin.create_realm_role({"name": "clerk"}, skip_exists=True)
    admin.create_realm_role({"name": "cashier"})
    admin.update_realm_role("clerk", {"name": "clerk", "description": "sells"})
    clerk = admin.get_realm_role("clerk")
    equal("sells", clerk["description"])
    equal("clerk", admin.get_realm_role_by_id(clerk["id"])["name"])
    equal("clerk", admin.get_role_by_id(clerk["id"])["name"])
    admin.update_role_by_id(clerk["id"], {**clerk, "attributes": {"desk": ["7"]}})
    equal({"desk": ["7"]}, has(admin.get_realm_roles(brief_representation=False), name="clerk")["attributes"])
    equal(["clerk"], [role["name"] for role in admin.get_realm_roles(search_text="cler")])
    cashier = admin.get_realm_role("cashier")
    admin.add_composite_realm_roles_to_role("clerk", [cashier])
    equal(["cashier"], [role["name"] for role in admin.get_composite_realm_roles_of_role("clerk")])
    has(admin.get_role_composites_by_id(clerk["id"]), name="cashier")
    management = admin.get_client_id("realm-management")
    equal([], admin.get_role_client_level_children(management, clerk["id"]))
    admin.remove_composite_realm_roles_to_role("clerk", [cashier])
    equal([], admin.get_realm_role_members("clerk"))
    equal([], admin.get_realm_role_groups("clerk"))
    assert admin.get_default_realm_role_id()
    admin.add_realm_default_roles([cashier])
    has(admin.get_realm_default_roles(), name="cashier")
    admin.remove_realm_default_roles([cashier])
    lacks(admin.get_realm_default_roles(), name="cashier")
    admin.delete_realm_role("clerk")
    admin.delete_role_by_id(cashier["id"])
    refused(404, admin.get_realm_role, "cashier")


def identity_providers(admin):
    """identity providers and their mappers"""
    config = {
        "clientId": "us",
        "clientSecret": "secret",
        "authorizationUrl": "https://company.example/auth",
        "tokenUrl": "https://company.example/token",
    }
    admin.create_idp({"alias": "company", "providerId": "oidc", "config": config})
    admin.update_idp("company", {**admin.get_idp("company"), "displayName": "Company"})
    equal("Company", has(admin.get_idps(), alias="company")["displayName"])
    mapper = {
        "name": "origin",
        "identityProviderAlias": "company",
        "identityProviderMapper": "hardcoded-attribute-idp-mapper",
        "config": {"attribute": "origin", "attribute.value": "company"},
    }
    admin.add_mapper_to_idp("company", mapper)
    found = has(admin.get_idp_mappers("company"), name="origin")
    found["config"]["attribute.value"] = "group"
    admin.update_mapper_in_idp("company", found["id"], found)
    equal("group", admin.get_idp_mappers("company")[0]["config"]["attribute.value"])
    user = admin.create_user({"username": "linked", "enabled": True})
    admin.add_user_social_login(user, "company", "b-1", "linked@company.example")
    equal("b-1", admin.get_user_social_logins(user)[0]["userId"])
    admin.delete_user_social_login(user, "company")
    equal([], admin.get_user_social_logins(user))
    admin.delete_user(user)
    admin.delete_idp("company")
    equal([], admin.get_idps())


def components(admin):
    """components, and a directory of users"""
    parent = admin.get_realm(admin.get_current_realm())["id"]
    kind = "org.keycloak.keys.KeyProvider"
    made = {"name": "more keys", "providerId": "rsa-generated", "providerType": kind, "parentId": parent}
    keys = admin.create_component({**made, "config": {"priority": ["50"]}})
    found = admin.get_component(keys)
    found["config"]["priority"] = ["40"]
    admin.update_component(keys, found)
    equal(["40"], has(admin.get_components({"type": kind}), name="more keys")["config"]["priority"])
    admin.delete_component(keys)
    refused(404, admin.get_component, keys)
    url = os.environ.get("PEER_LDAP_URL")
    if url is None:
        print("slapd is not installed: no case with a directory of users")
        return
    config = {
        "connectionUrl": url,
        "usersDn": "ou=people,dc=example,dc=org",
        "bindDn": "cn=admin,dc=example,dc=org",
        "bindCredential": "directory-secret",
        "authType": "simple",
        "vendor": "other",
        "editMode": "READ_ONLY",
        "usernameLDAPAttribute": "uid",
        "rdnLDAPAttribute": "uid",
        "uuidLDAPAttribute": "entryUUID",
        "userObjectClasses": "inetOrgPerson",
    }
    storage = {"name": "people", "providerId": "ldap", "providerType": "org.keycloak.storage.UserStorageProvider"}
    directory = admin.create_component(
        {**storage, "parentId": parent, "config": {name: [value] for name, value in config.items()}}
    )
    equal(1, admin.sync_users(directory, "triggerFullSync")["added"])
    admin.delete_component(directory)


def later_versions(admin):
    """resources of later versions are not there: organizations, and groups below a group as a list"""
    nowhere = "no-such-organization"
    refused(404, admin.get_organizations)
    refused(404, admin.get_organization, nowhere)
    refused(404, admin.create_organization, {"name": "acme", "domains": [{"name": "acme.example"}]})
    refused(404, admin.update_organization, nowhere, {"name": "acme"})
    refused(404, admin.delete_organization, nowhere)
    refused(404, admin.get_organization_idps, nowhere)
    refused(404, admin.organization_idp_add, nowhere, "company")
    refused(404, admin.organization_idp_remove, nowhere, "company")
    refused(404, admin.get_organization_members, nowhere)
    refused(404, admin.get_organization_members_count, nowhere)
    refused(404, admin.organization_user_add, nowhere, nowhere)
    refused(404, admin.organization_user_remove, nowhere, nowhere)
    refused(404, admin.get_user_organizations, nowhere)


CASES = (realm, events, realm_roles, identity_providers, components, later_versions)
