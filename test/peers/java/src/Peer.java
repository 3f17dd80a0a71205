import static java.util.Map.entry;

import java.util.Map;
import org.keycloak.admin.client.Keycloak;
import org.keycloak.admin.client.KeycloakBuilder;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.RealmsResource;
import org.keycloak.admin.client.resource.ServerInfoResource;
import org.keycloak.representations.idm.RealmRepresentation;

/** Walks all resources of keycloak-admin-client on the service of `PEER_BASE`. Ends with status 1 when a case fails. */
public final class Peer {
  static final String BASE = System.getenv("PEER_BASE");
  static final String REALM = "java-peer";

  private Peer() {}

  public static void main(String[] arguments) {
    try (Keycloak client = KeycloakBuilder.builder().serverUrl(BASE).realm("master").clientId("admin-cli")
        .username("admin").password(System.getenv("PEER_PASSWORD")).build()) {
      walk(client);
    }
    Recorder.report(RealmsResource.class, ServerInfoResource.class);
    System.out.println(Check.passed + " cases passed, " + Check.failed + " failed");
    System.exit(Check.failed > 0 ? 1 : 0);
  }

  private static void walk(Keycloak client) {
    RealmsResource realms = Recorder.wrap(RealmsResource.class, client.realms());
    ServerInfoResource serverInfo = Recorder.wrap(ServerInfoResource.class, client.serverInfo());
    RealmRepresentation made = new RealmRepresentation();
    made.setRealm(REALM);
    made.setEnabled(true);
    made.setSmtpServer(mailServer());
    realms.create(made);
    RealmResource realm = realms.realm(REALM);
    try {
      Check.run("server information", () -> Check.isTrue(!serverInfo.getInfo().getProviders().isEmpty(), "no providers"));
      Realms.cases(realms, realm);
      Roles.cases(realm);
      Groups.cases(realm);
      Users.cases(realm);
      Accounts.cases(realm);
      Clients.cases(realm);
      ClientUse.cases(realm);
      ClientScopes.cases(realm);
      Authorization.cases(realm);
      Policies.cases(realm);
      IdentityProviders.cases(realm);
      Authentication.cases(realm);
      Components.cases(realm);
      Pool.cases(realm);
    } finally {
      realm.remove();
    }
    Check.run("the realm is gone", () -> Check.refused(404, realm::toRepresentation));
  }

  static Map<String, String> mailServer() {
    return Map.ofEntries(
        entry("host", "127.0.0.1"), entry("port", System.getenv("PEER_SMTP_PORT")), entry("from", "realm@peer.example"));
  }
}
