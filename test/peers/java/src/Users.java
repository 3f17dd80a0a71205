import java.util.List;
import java.util.Map;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.UserResource;
import org.keycloak.admin.client.resource.UsersResource;
import org.keycloak.representations.idm.CredentialRepresentation;
import org.keycloak.representations.idm.GroupRepresentation;
import org.keycloak.representations.idm.UserRepresentation;

/** Users: their fields, searches, groups, roles and credentials. */
final class Users {
  private Users() {}

  static void cases(RealmResource realm) {
    Check.run("users", () -> cycle(realm.users()));
    Check.run("searches of users", () -> searches(realm.users()));
    Check.run("groups and roles of a user", () -> memberships(realm));
    Check.run("credentials", () -> credentials(realm.users()));
  }

  static String create(UsersResource users, String name) {
    UserRepresentation user = new UserRepresentation();
    user.setUsername(name);
    user.setEnabled(true);
    user.setEmail(name + "@peer.example");
    user.setFirstName("Vera");
    user.setLastName(name.toUpperCase());
    user.setCredentials(List.of(password("welcome-1")));
    return Check.created(users.create(user));
  }

  static CredentialRepresentation password(String value) {
    CredentialRepresentation password = new CredentialRepresentation();
    password.setType(CredentialRepresentation.PASSWORD);
    password.setValue(value);
    password.setTemporary(false);
    return password;
  }

  private static void cycle(UsersResource users) throws Exception {
    UserResource user = users.get(create(users, "vera"));
    UserRepresentation found = user.toRepresentation();
    found.setAttributes(Map.of("badge", List.of("V-1", "V-2")));
    found.setRequiredActions(List.of("UPDATE_PROFILE"));
    user.update(found);
    Check.equal(List.of("V-1", "V-2"), user.toRepresentation().getAttributes().get("badge"));
    Check.equal(List.of("UPDATE_PROFILE"), user.toRepresentation().getRequiredActions());
    UserRepresentation again = new UserRepresentation();
    again.setUsername("vera");
    Check.status(409, users.create(again));
    user.remove();
    Check.refused(404, user::toRepresentation);
  }

  private static void searches(UsersResource users) {
    String id = create(users, "walter");
    Check.equal(1, users.search("walter", "Vera", "WALTER", "walter@peer.example", 0, 5).size());
    Check.equal(1, users.search("walter", null, null, null, 0, 5, true, true).size());
    Check.equal(0, users.search("walter", null, null, null, true, null, null, 0, 5, true, false).size());
    Check.equal(1, users.search("walter", null, null, null, false, 0, 5, true, true).size());
    Check.equal(1, users.search(false, 0, 1, true, true).size());
    Check.equal(1, users.search("walter").size());
    Check.equal(1, users.search("walter", true).size());
    Check.equal(1, users.search("walter", 0, 5).size());
    Check.equal(1, users.search("walter", 0, 5, true).size());
    Check.contains(users.list(), UserRepresentation::getUsername, "walter");
    Check.equal(1, users.list(0, 1).size());
    Check.equal(users.list().size(), users.count());
    Check.equal(1, users.count("walter"));
    Check.equal(1, users.count("WALTER", "Vera", "walter@peer.example", "walter"));
    Check.equal(1, users.count("WALTER", "Vera", "walter@peer.example", false, "walter"));
    Check.equal(0, users.countEmailVerified(true));
    Check.status(204, users.delete(id));
  }

  private static void memberships(RealmResource realm) {
    UserResource user = realm.users().get(create(realm.users(), "xenia"));
    String group = Check.created(realm.groups().add(Groups.named("choir")));
    user.joinGroup(group);
    Check.contains(user.groups(), GroupRepresentation::getPath, "/choir");
    Check.equal(1, user.groups(0, 5).size());
    Check.equal(1, user.groups("cho", 0, 5).size());
    Check.equal(1, user.groups(0, 5, false).size());
    Check.equal(1, user.groups("cho", 0, 5, false).size());
    Check.equal(1L, user.groupsCount("cho").get("count"));
    user.leaveGroup(group);
    Check.equal(0, user.groups().size());
    realm.groups().group(group).remove();
    Groups.roleMappings(realm, user.roles());
    user.remove();
  }

  private static void credentials(UsersResource users) {
    UserResource user = users.get(create(users, "yves"));
    user.resetPassword(password("welcome-2"));
    String id = user.credentials().get(0).getId();
    user.setCredentialUserLabel(id, "from the office");
    Check.equal("from the office", user.credentials().get(0).getUserLabel());
    user.moveCredentialToFirst(id);
    user.moveCredentialAfter(id, id);
    Check.equal(List.of(), user.getConfiguredUserStorageCredentialTypes());
    user.disableCredentialType(List.of("otp"));
    user.removeCredential(id);
    Check.equal(List.of(), user.credentials());
    user.remove();
  }
}
