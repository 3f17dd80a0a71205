import java.util.List;
import java.util.Map;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.RoleByIdResource;
import org.keycloak.admin.client.resource.RoleResource;
import org.keycloak.admin.client.resource.RolesResource;
import org.keycloak.representations.idm.ClientRepresentation;
import org.keycloak.representations.idm.ManagementPermissionRepresentation;
import org.keycloak.representations.idm.RoleRepresentation;

/** Roles of a realm and of a client, by name and by ID. */
final class Roles {
  private Roles() {}

  static void cases(RealmResource realm) {
    Check.run("realm roles", () -> cycle(realm, realm.roles()));
    Check.run("client roles", () -> {
      ClientRepresentation client = new ClientRepresentation();
      client.setClientId("with-roles");
      String id = Check.created(realm.clients().create(client));
      cycle(realm, realm.clients().get(id).roles());
      realm.clients().get(id).remove();
    });
    Check.run("roles by ID", () -> byId(realm));
  }

  private static void cycle(RealmResource realm, RolesResource roles) {
    roles.create(new RoleRepresentation("clerk", "sells", false));
    roles.create(new RoleRepresentation("cashier", "counts", false));
    RoleResource clerk = roles.get("clerk");
    RoleRepresentation found = clerk.toRepresentation();
    found.setDescription("sells tickets");
    found.setAttributes(Map.of("desk", List.of("7")));
    clerk.update(found);
    Check.equal("sells tickets", clerk.toRepresentation().getDescription());
    Check.equal(Map.of("desk", List.of("7")), clerk.toRepresentation().getAttributes());

    Check.contains(roles.list(), RoleRepresentation::getName, "clerk");
    Check.contains(roles.list(false), RoleRepresentation::getAttributes, Map.of("desk", List.of("7")));
    Check.equal(1, roles.list(0, 1).size());
    Check.equal(1, roles.list(0, 1, false).size());
    Check.equal(1, roles.list("cler", true).size());
    Check.equal(1, roles.list("cler", 0, 5).size());
    Check.equal(1, roles.list("cler", 0, 5, false).size());

    RoleRepresentation cashier = roles.get("cashier").toRepresentation();
    String management = realm.clients().findByClientId("realm-management").get(0).getId();
    RoleRepresentation viewer = realm.clients().get(management).roles().get("view-users").toRepresentation();
    RoleRepresentation everyday = realm.roles().get("offline_access").toRepresentation();
    clerk.addComposites(List.of(cashier, viewer, everyday));
    Check.equal(3, clerk.getRoleComposites().size());
    Check.contains(clerk.getRealmRoleComposites(), RoleRepresentation::getName, "offline_access");
    Check.contains(clerk.getClientRoleComposites(management), RoleRepresentation::getName, "view-users");
    clerk.deleteComposites(List.of(cashier, viewer, everyday));
    Check.equal(0, clerk.getRoleComposites().size());

    Check.equal(0, clerk.getRoleUserMembers().size());
    Check.equal(0, clerk.getRoleUserMembers(0, 5).size());
    Check.equal(0, clerk.getRoleGroupMembers().size());
    Check.equal(0, clerk.getRoleGroupMembers(0, 5).size());
    Check.equal(true, clerk.setPermissions(new ManagementPermissionRepresentation(true)).isEnabled());
    Check.equal(true, clerk.getPermissions().isEnabled());
    clerk.setPermissions(new ManagementPermissionRepresentation(false));

    clerk.remove();
    roles.deleteRole("cashier");
    Check.lacks(roles.list(), RoleRepresentation::getName, "clerk");
    Check.lacks(roles.list(), RoleRepresentation::getName, "cashier");
  }

  private static void byId(RealmResource realm) throws Exception {
    realm.roles().create(new RoleRepresentation("guide", "shows", false));
    String id = realm.roles().get("guide").toRepresentation().getId();
    RoleByIdResource roles = realm.rolesById();
    RoleRepresentation found = roles.getRole(id);
    found.setDescription("shows around");
    roles.updateRole(id, found);
    Check.equal("shows around", roles.getRole(id).getDescription());
    String management = realm.clients().findByClientId("realm-management").get(0).getId();
    RoleRepresentation viewer = realm.clients().get(management).roles().get("view-users").toRepresentation();
    RoleRepresentation everyday = realm.roles().get("offline_access").toRepresentation();
    roles.addComposites(id, List.of(viewer, everyday));
    Check.equal(2, roles.getRoleComposites(id).size());
    Check.equal(1, roles.getRealmRoleComposites(id).size());
    Check.equal(1, roles.getClientRoleComposites(id, management).size());
    roles.deleteComposites(id, List.of(viewer, everyday));
    Check.equal(0, roles.getRoleComposites(id).size());
    roles.deleteRole(id);
    Check.refused(404, () -> roles.getRole(id));
  }
}
