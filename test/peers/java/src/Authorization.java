import java.util.List;
import java.util.Set;
import org.keycloak.admin.client.resource.AuthorizationResource;
import org.keycloak.admin.client.resource.ClientResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.ResourceResource;
import org.keycloak.admin.client.resource.ResourceScopeResource;
import org.keycloak.representations.idm.ClientRepresentation;
import org.keycloak.representations.idm.authorization.DecisionEffect;
import org.keycloak.representations.idm.authorization.PolicyEnforcementMode;
import org.keycloak.representations.idm.authorization.PolicyEvaluationRequest;
import org.keycloak.representations.idm.authorization.ResourceRepresentation;
import org.keycloak.representations.idm.authorization.ResourceServerRepresentation;
import org.keycloak.representations.idm.authorization.ScopeRepresentation;
import org.keycloak.representations.idm.authorization.UserPolicyRepresentation;

/** A client as a resource server: settings, resources, scopes, evaluation. */
final class Authorization {
  private Authorization() {}

  static void cases(RealmResource realm) {
    Check.run("a resource server", () -> on(realm, Authorization::settings));
    Check.run("scopes of a resource server", () -> on(realm, server -> scopes(server.authorization())));
    Check.run("resources of a resource server", () -> on(realm, server -> resources(server.authorization())));
    Check.run("evaluation of permissions", () -> on(realm, server -> evaluation(realm, server)));
  }

  interface Story {
    void tell(ClientResource server) throws Exception;
  }

  /** Tells a story on a client with authorization services, and deletes the client. */
  static void on(RealmResource realm, Story story) throws Exception {
    ClientRepresentation client = new ClientRepresentation();
    client.setClientId("library-api");
    client.setServiceAccountsEnabled(true);
    client.setAuthorizationServicesEnabled(true);
    ClientResource server = realm.clients().get(Check.created(realm.clients().create(client)));
    try {
      story.tell(server);
    } finally {
      server.remove();
    }
  }

  private static void settings(ClientResource client) {
    AuthorizationResource server = client.authorization();
    ResourceServerRepresentation settings = server.getSettings();
    settings.setPolicyEnforcementMode(PolicyEnforcementMode.PERMISSIVE);
    server.update(settings);
    Check.equal(PolicyEnforcementMode.PERMISSIVE, server.getSettings().getPolicyEnforcementMode());
    ResourceServerRepresentation exported = server.exportSettings();
    exported.setScopes(List.of(new ScopeRepresentation("lend")));
    server.importSettings(exported);
    Check.contains(server.scopes().scopes(), ScopeRepresentation::getName, "lend");
  }

  private static void scopes(AuthorizationResource server) throws Exception {
    Check.status(201, server.scopes().create(new ScopeRepresentation("read")));
    ScopeRepresentation found = server.scopes().findByName("read");
    ResourceScopeResource scope = server.scopes().scope(found.getId());
    found.setDisplayName("Read books");
    scope.update(found);
    Check.equal("Read books", scope.toRepresentation().getDisplayName());
    Check.equal(1, server.scopes().scopes().size());
    Check.equal(List.of(), scope.permissions());
    scope.remove();
    Check.refused(404, scope::toRepresentation);
  }

  private static void resources(AuthorizationResource server) throws Exception {
    ResourceRepresentation book = new ResourceRepresentation("Book", "read", "write");
    book.setUris(Set.of("/books/*"));
    book.setType("urn:library:book");
    Check.status(201, server.resources().create(book));
    ResourceRepresentation found = server.resources().findByName("Book").get(0);
    ResourceResource resource = server.resources().resource(found.getId());
    found.setDisplayName("A book");
    found.setAttributes(java.util.Map.of("shelf", List.of("3")));
    resource.update(found);
    Check.equal("A book", resource.toRepresentation().getDisplayName());
    Check.equal(List.of("3"), resource.toRepresentation().getAttributes().get("shelf"));
    Check.equal(2, resource.toRepresentation().getScopes().size());
    Check.equal(1, server.resources().find("Book", "/books/*", null, "urn:library:book", "read", 0, 5).size());
    Check.equal(0, server.resources().findByName("Book", "nobody").size());
    Check.contains(server.resources().resources(), ResourceRepresentation::getName, "Book");
    Check.equal(List.of(), resource.permissions());
    resource.remove();
    Check.refused(404, resource::toRepresentation);
  }

  private static void evaluation(RealmResource realm, ClientResource client) {
    AuthorizationResource server = client.authorization();
    String user = Users.create(realm.users(), "reader");
    Check.status(201, server.resources().create(new ResourceRepresentation("Journal", "read")));
    UserPolicyRepresentation reader = new UserPolicyRepresentation();
    reader.setName("Readers");
    reader.addUser(user);
    Check.status(201, server.policies().user().create(reader));
    var permission = new org.keycloak.representations.idm.authorization.ResourcePermissionRepresentation();
    permission.setName("Journals for readers");
    permission.addResource("Journal");
    permission.addPolicy("Readers");
    Check.status(201, server.permissions().resource().create(permission));
    PolicyEvaluationRequest request = new PolicyEvaluationRequest();
    request.setUserId(user);
    request.addResource("Journal", "read");
    Check.equal(DecisionEffect.PERMIT, server.policies().evaluate(request).getStatus());
    realm.users().get(user).remove();
  }
}
