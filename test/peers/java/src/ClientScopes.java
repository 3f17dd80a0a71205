import java.util.Map;
import org.keycloak.admin.client.resource.ClientScopeResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.ClientScopeRepresentation;

/** Client scopes, and those that new clients get. */
final class ClientScopes {
  private ClientScopes() {}

  static void cases(RealmResource realm) {
    Check.run("client scopes", () -> {
      ClientScopeResource scope = realm.clientScopes().get(create(realm, "library"));
      ClientScopeRepresentation found = scope.toRepresentation();
      found.setDescription("Books");
      found.setAttributes(Map.of("consent.screen.text", "Your books"));
      scope.update(found);
      Check.equal("Books", scope.toRepresentation().getDescription());
      Check.contains(realm.clientScopes().findAll(), ClientScopeRepresentation::getName, "library");
      Clients.protocolMappers(scope.getProtocolMappers());
      Groups.roleMappings(realm, scope.getScopeMappings());
      scope.remove();
      Check.refused(404, scope::toRepresentation);
    });

    Check.run("default client scopes", () -> {
      String id = create(realm, "everywhere");
      realm.addDefaultDefaultClientScope(id);
      Check.contains(realm.getDefaultDefaultClientScopes(), ClientScopeRepresentation::getName, "everywhere");
      realm.removeDefaultDefaultClientScope(id);
      realm.addDefaultOptionalClientScope(id);
      Check.contains(realm.getDefaultOptionalClientScopes(), ClientScopeRepresentation::getName, "everywhere");
      realm.removeDefaultOptionalClientScope(id);
      Check.lacks(realm.getDefaultOptionalClientScopes(), ClientScopeRepresentation::getName, "everywhere");
      realm.clientScopes().get(id).remove();
    });
  }

  static String create(RealmResource realm, String name) {
    ClientScopeRepresentation scope = new ClientScopeRepresentation();
    scope.setName(name);
    scope.setProtocol("openid-connect");
    return Check.created(realm.clientScopes().create(scope));
  }
}
