"""Users, groups, and their roles."""

import os

from checks import equal, has, lacks, refused


def create(admin, name):
    """Creates a user with a password."""
    return admin.create_user(
        {
            "username": name,
            "enabled": True,
            "email": f"{name}@peer.example",
            "firstName": "Vera",
            "lastName": name.upper(),
            "credentials": [{"type": "password", "value": "welcome-1"}],
        }
    )


def user(admin):
    """users"""
    vera = create(admin, "vera")
    equal(vera, admin.create_user({"username": "vera", "enabled": True}, exist_ok=True))
    equal(vera, admin.get_user_id("vera"))
    admin.update_user(vera, {"attributes": {"badge": ["V-1"]}, "firstName": "Véra"})
    equal({"badge": ["V-1"]}, admin.get_user(vera)["attributes"])
    equal("Véra", admin.get_user(vera, user_profile_metadata=True)["firstName"])
    has(admin.get_users({"search": "vera"}), username="vera")
    equal(len(admin.get_users({})), admin.users_count())
    equal(1, admin.users_count({"username": "vera"}))
    admin.disable_user(vera)
    equal(False, admin.get_user(vera)["enabled"])
    admin.enable_user(vera)
    admin.disable_all_users()
    admin.enable_all_users()
    equal(True, admin.get_user(vera)["enabled"])
    admin.set_user_password(vera, "welcome-2", temporary=False)
    password = has(admin.get_credentials(vera), type="password")
    admin.delete_credential(vera, password["id"])
    equal([], admin.get_credentials(vera))
    equal([], admin.get_sessions(vera))
    equal([], admin.user_consents(vera))
    refused(404, admin.revoke_consent, vera, "account")
    admin.user_logout(vera)
    equal(False, admin.get_bruteforce_detection_status(vera)["disabled"])
    admin.clear_bruteforce_attempts_for_user(vera)
    admin.clear_all_bruteforce_attempts()
    admin.send_verify_email(vera)
    page = f"{os.environ['PEER_BASE']}/realms/{admin.get_current_realm()}/account/"
    admin.send_update_account(vera, ["UPDATE_PASSWORD"], client_id="account", lifespan=600, redirect_uri=page)
    admin.delete_user(vera)
    refused(404, admin.get_user, vera)


def profile(admin):
    """user profile, which a realm does not configure"""
    own = admin.get_realm_users_profile()
    has(own["attributes"], name="username")
    equal(own, admin.update_realm_users_profile({"attributes": []}))


def searches(admin):
    """searches by attributes"""
    vera = create(admin, "vera")
    admin.update_user(vera, {"attributes": {"badge": ["V-1"]}})
    equal([vera], [one["id"] for one in admin.get_users({"q": "badge:v-1"})])
    equal(1, admin.users_count({"q": "badge:V-1"}))
    equal(0, admin.users_count({"q": "badge:V-2"}))
    admin.delete_user(vera)
    staff = admin.create_group({"name": "staff", "attributes": {"floor": ["2"]}})
    equal([staff], [one["id"] for one in admin.get_groups({"q": "floor:2"})])
    equal([], admin.get_groups({"search": "sta", "exact": "true"}))
    admin.delete_group(staff)


def groups(admin):
    """groups and their members"""
    staff = admin.create_group({"name": "staff"})
    equal(None, admin.create_group({"name": "staff"}, skip_exists=True))
    night = admin.create_group({"name": "night"}, parent=staff)
    admin.update_group(staff, {"name": "staff", "attributes": {"floor": ["2"]}})
    found = admin.get_group(staff)
    equal({"floor": ["2"]}, found["attributes"])
    equal("night", found["subGroups"][0]["name"])
    equal(night, admin.get_subgroups(found, "/staff/night")["id"])
    equal(night, admin.get_group_by_path("/staff/night")["id"])
    has(admin.get_groups({"search": "sta"}), name="staff")
    equal(2, admin.groups_count()["count"])
    [child] = admin.get_group_children(staff)
    equal((night, staff, 0), (child["id"], child["parentId"], child["subGroupCount"]))
    equal([], admin.get_group_children(staff, {"search": "day"}))
    member = create(admin, "member")
    admin.group_user_add(member, staff)
    has(admin.get_group_members(staff), username="member")
    has(admin.get_user_groups(member), path="/staff")
    admin.group_user_remove(member, staff)
    equal([], admin.get_group_members(staff))
    equal(True, admin.group_set_permissions(staff, True)["enabled"])
    admin.group_set_permissions(staff, False)
    admin.create_realm_role({"name": "guard"})
    guard = admin.get_realm_role("guard")
    admin.assign_group_realm_roles(staff, [guard])
    has(admin.get_group_realm_roles(staff), name="guard")
    admin.delete_group_realm_roles(staff, [guard])
    equal([], admin.get_group_realm_roles(staff))
    management = admin.get_client_id("realm-management")
    viewer = admin.get_client_role(management, "view-users")
    admin.assign_group_client_roles(staff, management, [viewer])
    has(admin.get_group_client_roles(staff, management), name="view-users")
    has(admin.get_composite_client_roles_of_group(management, staff), name="query-users")
    admin.delete_group_client_roles(staff, management, [viewer])
    equal([], admin.get_group_client_roles(staff, management))
    admin.delete_realm_role("guard")
    admin.delete_user(member)
    admin.delete_group(staff)
    refused(404, admin.get_group, night)


def roles_of_a_user(admin):
    """roles of a user"""
    xenia = create(admin, "xenia")
    admin.create_realm_role({"name": "guide"})
    guide = admin.get_realm_role("guide")
    has(admin.get_available_realm_roles_of_user(xenia), name="guide")
    admin.assign_realm_roles(xenia, [guide])
    has(admin.get_realm_roles_of_user(xenia), name="guide")
    has(admin.get_composite_realm_roles_of_user(xenia), name="guide")
    has(admin.get_realm_role_members("guide"), username="xenia")
    has(admin.get_all_roles_of_user(xenia)["realmMappings"], name="guide")
    admin.delete_realm_roles_of_user(xenia, [guide])
    lacks(admin.get_realm_roles_of_user(xenia), name="guide")
    management = admin.get_client_id("realm-management")
    viewer = admin.get_client_role(management, "view-users")
    has(admin.get_available_client_roles_of_user(xenia, management), name="view-users")
    admin.assign_client_role(xenia, management, [viewer])
    has(admin.get_client_roles_of_user(xenia, management), name="view-users")
    has(admin.get_composite_client_roles_of_user(xenia, management), name="query-users")
    admin.delete_client_roles_of_user(xenia, management, [viewer])
    equal([], admin.get_client_roles_of_user(xenia, management))
    admin.delete_realm_role("guide")
    admin.delete_user(xenia)


CASES = (user, profile, searches, groups, roles_of_a_user)
