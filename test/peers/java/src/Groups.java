import java.util.List;
import java.util.Map;
import org.keycloak.admin.client.resource.GroupResource;
import org.keycloak.admin.client.resource.GroupsResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.RoleMappingResource;
import org.keycloak.admin.client.resource.RoleScopeResource;
import org.keycloak.representations.idm.GroupRepresentation;
import org.keycloak.representations.idm.ManagementPermissionRepresentation;
import org.keycloak.representations.idm.RoleRepresentation;
import org.keycloak.representations.idm.UserRepresentation;

/** Groups, their members, and role mappings of groups and of others. */
final class Groups {
  private Groups() {}

  static void cases(RealmResource realm) {
    Check.run("groups", () -> cycle(realm));
    Check.run("default groups", () -> {
      String id = Check.created(realm.groups().add(named("visitors")));
      realm.addDefaultGroup(id);
      Check.contains(realm.getDefaultGroups(), GroupRepresentation::getName, "visitors");
      realm.removeDefaultGroup(id);
      Check.equal(0, realm.getDefaultGroups().size());
      realm.groups().group(id).remove();
    });
  }

  private static void cycle(RealmResource realm) throws Exception {
    GroupsResource groups = realm.groups();
    String id = Check.created(groups.add(named("staff")));
    GroupResource staff = groups.group(id);
    String nightId = Check.created(staff.subGroup(named("night")));
    GroupRepresentation found = staff.toRepresentation();
    Check.equal("night", found.getSubGroups().get(0).getName());
    found.setAttributes(Map.of("floor", List.of("2", "3")));
    staff.update(found);
    Check.equal(List.of("2", "3"), staff.toRepresentation().getAttributes().get("floor"));
    Check.equal(nightId, realm.getGroupByPath("/staff/night").getId());

    Check.equal(1, groups.groups().size());
    Check.equal(1, groups.groups(0, 5).size());
    Check.equal(1, groups.groups("nigh", 0, 5).size());
    Check.equal(Map.of("floor", List.of("2", "3")), groups.groups("staff", 0, 5, false).get(0).getAttributes());
    Check.equal(2L, groups.count().get("count"));
    Check.equal(1L, groups.count("nigh").get("count"));
    Check.equal(1L, groups.count(true).get("count"));

    UserRepresentation member = new UserRepresentation();
    member.setUsername("member");
    member.setGroups(List.of("/staff"));
    String memberId = Check.created(realm.users().create(member));
    Check.equal("member", staff.members().get(0).getUsername());
    Check.equal(1, staff.members(0, 5).size());
    Check.equal(1, staff.members(0, 5, true).size());

    roleMappings(realm, staff.roles());
    Check.equal(true, staff.setPermissions(new ManagementPermissionRepresentation(true)).isEnabled());
    Check.equal(true, staff.getPermissions().isEnabled());
    Check.equal(false, staff.setPermissions(new ManagementPermissionRepresentation(false)).isEnabled());

    Check.status(204, realm.users().delete(memberId));
    staff.remove();
    Check.refused(404, () -> groups.group(nightId).toRepresentation());
  }

  /** Adds and removes a role of the realm and one of a client. */
  static void roleMappings(RealmResource realm, RoleMappingResource mappings) {
    String management = realm.clients().findByClientId("realm-management").get(0).getId();
    realm.roles().create(new RoleRepresentation("mapped", "of a mapping", false));
    levels(mappings.realmLevel(), realm.roles().get("mapped").toRepresentation());
    levels(mappings.clientLevel(management), realm.clients().get(management).roles().get("view-users").toRepresentation());
    mappings.realmLevel().add(List.of(realm.roles().get("mapped").toRepresentation()));
    Check.contains(mappings.getAll().getRealmMappings(), RoleRepresentation::getName, "mapped");
    realm.roles().deleteRole("mapped");
  }

  private static void levels(RoleScopeResource level, RoleRepresentation role) {
    Check.contains(level.listAvailable(), RoleRepresentation::getName, role.getName());
    level.add(List.of(role));
    Check.contains(level.listAll(), RoleRepresentation::getName, role.getName());
    Check.contains(level.listEffective(), RoleRepresentation::getName, role.getName());
    Check.contains(level.listEffective(false), RoleRepresentation::getName, role.getName());
    level.remove(List.of(role));
    Check.lacks(level.listAll(), RoleRepresentation::getName, role.getName());
  }

  static GroupRepresentation named(String name) {
    GroupRepresentation group = new GroupRepresentation();
    group.setName(name);
    return group;
  }
}
