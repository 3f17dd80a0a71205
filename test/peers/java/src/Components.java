import java.util.List;
import org.keycloak.admin.client.resource.ComponentResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.common.util.MultivaluedHashMap;
import org.keycloak.representations.idm.ComponentRepresentation;
import org.keycloak.representations.idm.TestLdapConnectionRepresentation;
import org.keycloak.representations.idm.UserRepresentation;

/** Components: key providers and a directory of users. */
final class Components {
  private Components() {}

  static void cases(RealmResource realm) {
    Check.run("components", () -> {
      String parent = realm.toRepresentation().getId();
      ComponentRepresentation made = component("more keys", "rsa-generated", "org.keycloak.keys.KeyProvider", parent);
      made.getConfig().putSingle("priority", "50");
      ComponentResource keys = realm.components().component(Check.created(realm.components().add(made)));
      ComponentRepresentation found = keys.toRepresentation();
      found.getConfig().putSingle("priority", "40");
      keys.update(found);
      Check.equal(List.of("40"), keys.toRepresentation().getConfig().get("priority"));
      Check.contains(realm.components().query(), ComponentRepresentation::getName, "more keys");
      Check.contains(realm.components().query(parent), ComponentRepresentation::getName, "more keys");
      Check.contains(realm.components().query(parent, found.getProviderType()), ComponentRepresentation::getName, "more keys");
      Check.equal(1, realm.components().query(parent, found.getProviderType(), "more keys").size());
      keys.remove();
      Check.refused(404, keys::toRepresentation);
    });
    Check.run("tests of a directory that does not answer", () -> {
      TestLdapConnectionRepresentation test = connection("ldap://127.0.0.1:1");
      Check.status(400, realm.testLDAPConnection(test));
      Check.status(400, realm.testLDAPConnection("testConnection", "ldap://127.0.0.1:1", "", "", "ldapsOnly", "1000"));
      Check.equal(List.of(), realm.ldapServerCapabilities(test));
    });
    String url = System.getenv("PEER_LDAP_URL");
    if (url == null) System.out.println("slapd is not installed: no case with a directory of users");
    else Check.run("a directory of users", () -> directory(realm, url));
  }

  private static void directory(RealmResource realm, String url) throws Exception {
    TestLdapConnectionRepresentation test = connection(url);
    Check.status(204, realm.testLDAPConnection(test));
    test.setAction("queryServerCapabilities");
    Check.isTrue(!realm.ldapServerCapabilities(test).isEmpty(), "no capabilities");
    ComponentRepresentation made = component("people", "ldap", "org.keycloak.storage.UserStorageProvider", realm.toRepresentation().getId());
    made.getConfig().putSingle("connectionUrl", url);
    made.getConfig().putSingle("usersDn", "ou=people,dc=example,dc=org");
    made.getConfig().putSingle("bindDn", test.getBindDn());
    made.getConfig().putSingle("bindCredential", test.getBindCredential());
    made.getConfig().putSingle("authType", "simple");
    made.getConfig().putSingle("vendor", "other");
    made.getConfig().putSingle("editMode", "READ_ONLY");
    made.getConfig().putSingle("usernameLDAPAttribute", "uid");
    made.getConfig().putSingle("rdnLDAPAttribute", "uid");
    made.getConfig().putSingle("uuidLDAPAttribute", "entryUUID");
    made.getConfig().putSingle("userObjectClasses", "inetOrgPerson");
    String id = Check.created(realm.components().add(made));
    Check.isTrue(!realm.components().component(id).getSubcomponentConfig("org.keycloak.storage.ldap.mappers.LDAPStorageMapper").isEmpty(), "no mapper types");
    ComponentRepresentation groups = component("groups", "group-ldap-mapper", "org.keycloak.storage.ldap.mappers.LDAPStorageMapper", id);
    groups.getConfig().putSingle("groups.dn", "ou=groups,dc=example,dc=org");
    groups.getConfig().putSingle("group.name.ldap.attribute", "cn");
    groups.getConfig().putSingle("group.object.classes", "groupOfNames");
    groups.getConfig().putSingle("membership.ldap.attribute", "member");
    groups.getConfig().putSingle("membership.attribute.type", "DN");
    groups.getConfig().putSingle("membership.user.ldap.attribute", "uid");
    groups.getConfig().putSingle("mode", "READ_ONLY");
    groups.getConfig().putSingle("user.roles.retrieve.strategy", "LOAD_GROUPS_BY_MEMBER_ATTRIBUTE");
    String mapper = Check.created(realm.components().add(groups));
    Check.equal(1, realm.userStorage().syncMapperData(id, mapper, "fedToKeycloak").getAdded());
    Check.equal(1, realm.userStorage().syncUsers(id, "triggerFullSync").getAdded());
    Check.contains(realm.users().search("paula"), UserRepresentation::getFederationLink, id);
    realm.userStorage().unlink(id);
    realm.userStorage().removeImportedUsers(id);
    realm.components().component(id).remove();
  }

  private static TestLdapConnectionRepresentation connection(String url) {
    TestLdapConnectionRepresentation test = new TestLdapConnectionRepresentation();
    test.setAction("testConnection");
    test.setConnectionUrl(url);
    test.setAuthType("simple");
    test.setBindDn("cn=admin,dc=example,dc=org");
    test.setBindCredential("directory-secret");
    test.setUseTruststoreSpi("ldapsOnly");
    test.setConnectionTimeout("5000");
    return test;
  }

  private static ComponentRepresentation component(String name, String provider, String type, String parent) {
    ComponentRepresentation component = new ComponentRepresentation();
    component.setName(name);
    component.setProviderId(provider);
    component.setProviderType(type);
    component.setParentId(parent);
    component.setConfig(new MultivaluedHashMap<>());
    return component;
  }
}
