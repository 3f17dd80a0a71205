import java.util.Map;
import org.keycloak.admin.client.resource.ClientResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.ClientRepresentation;
import org.keycloak.representations.idm.ClientScopeRepresentation;

/** What clients are connected with: nodes, revocations, client scopes, scope mappings. */
final class ClientUse {
  private ClientUse() {}

  static void cases(RealmResource realm) {
    Check.run("nodes of a client", () -> {
      ClientResource client = realm.clients().get(Clients.create(realm.clients(), "cluster"));
      client.registerNode(Map.of("node", "node-1.example"));
      Check.isTrue(client.toRepresentation().getRegisteredNodes().containsKey("node-1.example"), "no node");
      client.testNodesAvailable();
      client.pushRevocation();
      client.unregisterNode("node-1.example");
      client.remove();
    });

    Check.run("client scopes of a client", () -> {
      ClientResource client = realm.clients().get(Clients.create(realm.clients(), "scoped"));
      String id = ClientScopes.create(realm, "tickets");
      client.addDefaultClientScope(id);
      Check.contains(client.getDefaultClientScopes(), ClientScopeRepresentation::getName, "tickets");
      client.removeDefaultClientScope(id);
      client.addOptionalClientScope(id);
      Check.contains(client.getOptionalClientScopes(), ClientScopeRepresentation::getName, "tickets");
      client.removeOptionalClientScope(id);
      Check.lacks(client.getOptionalClientScopes(), ClientScopeRepresentation::getName, "tickets");
      realm.clientScopes().get(id).remove();
      client.remove();
    });

    Check.run("scope mappings of a client", () -> {
      ClientResource client = realm.clients().get(Clients.create(realm.clients(), "limited"));
      ClientRepresentation limited = client.toRepresentation();
      limited.setFullScopeAllowed(false);
      client.update(limited);
      Groups.roleMappings(realm, client.getScopeMappings());
      client.remove();
    });
  }
}
