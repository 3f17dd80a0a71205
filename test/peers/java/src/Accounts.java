import java.util.List;
import java.util.Map;
import org.keycloak.admin.client.Keycloak;
import org.keycloak.admin.client.KeycloakBuilder;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.UserResource;
import org.keycloak.representations.idm.ClientRepresentation;
import org.keycloak.representations.idm.ClientScopeRepresentation;
import org.keycloak.representations.idm.FederatedIdentityRepresentation;
import org.keycloak.representations.idm.IdentityProviderRepresentation;
import org.keycloak.representations.idm.UserSessionRepresentation;

/** What happens to accounts: mails, sessions, consents, impersonation, linked identities, brute force. */
final class Accounts {
  private Accounts() {}

  static void cases(RealmResource realm) {
    Check.run("mails to a user", () -> mails(realm));
    Check.run("sessions and consents of a user", () -> sessions(realm));
    Check.run("identities at other providers", () -> identities(realm));
    Check.run("user profile, which a realm does not configure", () -> {
      Check.isTrue(realm.users().userProfile().getConfiguration().contains("username"), "no profile");
      Check.status(200, realm.users().userProfile().update("{}"));
    });
  }

  private static void mails(RealmResource realm) {
    UserResource user = realm.users().get(Users.create(realm.users(), "zoe"));
    List<String> actions = List.of("UPDATE_PASSWORD");
    user.sendVerifyEmail();
    user.sendVerifyEmail("account");
    user.executeActionsEmail(actions);
    user.executeActionsEmail(actions, 600);
    user.executeActionsEmail("account", Peer.BASE + "/realms/" + Peer.REALM + "/account/", 600, actions);
    user.executeActionsEmail("account", Peer.BASE + "/realms/" + Peer.REALM + "/account/", actions);
    user.resetPasswordEmail();
    user.resetPasswordEmail("account");
    user.remove();
  }

  private static void sessions(RealmResource realm) throws Exception {
    ClientRepresentation client = new ClientRepresentation();
    client.setClientId("desk");
    client.setPublicClient(true);
    client.setDirectAccessGrantsEnabled(true);
    String clientId = Check.created(realm.clients().create(client));
    String id = Users.create(realm.users(), "anna");
    UserResource user = realm.users().get(id);
    // the client cannot ask for a scope, so that its offline session comes from a default client scope
    ClientScopeRepresentation offline = realm.clientScopes().findAll().stream()
        .filter(scope -> scope.getName().equals("offline_access")).findFirst().orElseThrow();
    realm.clients().get(clientId).removeOptionalClientScope(offline.getId());
    realm.clients().get(clientId).addDefaultClientScope(offline.getId());
    try (Keycloak anna = KeycloakBuilder.builder().serverUrl(Peer.BASE).realm(Peer.REALM).clientId("desk")
        .username("anna").password("welcome-1").build()) {
      Check.isTrue(anna.tokenManager().getAccessToken().getRefreshToken() != null, "no refresh token");
    }
    realm.clients().get(clientId).removeDefaultClientScope(offline.getId());
    try (Keycloak anna = KeycloakBuilder.builder().serverUrl(Peer.BASE).realm(Peer.REALM).clientId("desk")
        .username("anna").password("welcome-1").build()) {
      anna.tokenManager().getAccessToken();
      Check.isTrue(anna.tokenManager().refreshToken().getToken() != null, "no token after the refresh");
      List<UserSessionRepresentation> sessions = user.getUserSessions();
      Check.isTrue(!sessions.isEmpty(), "no session");
      Check.equal(1, user.getOfflineSessions(clientId).size());
      Check.equal(1, realm.clients().get(clientId).getUserSessions(0, 1).size());
      Check.equal(1, realm.clients().get(clientId).getOfflineUserSessions(0, 5).size());
      Check.equal(1L, realm.clients().get(clientId).getOfflineSessionCount().get("count"));
      Check.isTrue(realm.clients().get(clientId).getApplicationSessionCount().get("count") > 0, "no session counted");
      Check.equal("desk", realm.getClientSessionStats().get(0).get("clientId"));
      realm.deleteSession(sessions.get(0).getId());
      user.logout();
      Check.equal(0, user.getUserSessions().size());
    }
    Check.equal("desk", user.getConsents().get(0).get("clientId"));
    user.revokeConsent("desk");
    Check.equal(List.of(), user.getConsents());
    Check.isTrue(user.impersonate().containsKey("redirect"), "no redirect");
    Check.equal(false, realm.attackDetection().bruteForceUserStatus(id).get("disabled"));
    realm.attackDetection().clearBruteForceForUser(id);
    user.remove();
    realm.clients().get(clientId).remove();
  }

  private static void identities(RealmResource realm) {
    IdentityProviderRepresentation provider = new IdentityProviderRepresentation();
    provider.setAlias("partner");
    provider.setProviderId("oidc");
    provider.setConfig(Map.of("clientId", "us", "clientSecret", "secret", "authorizationUrl", "https://partner.example/auth",
        "tokenUrl", "https://partner.example/token"));
    Check.status(201, realm.identityProviders().create(provider));
    UserResource user = realm.users().get(Users.create(realm.users(), "bert"));
    FederatedIdentityRepresentation identity = new FederatedIdentityRepresentation();
    identity.setUserId("b-1");
    identity.setUserName("bert@partner.example");
    Check.status(204, user.addFederatedIdentity("partner", identity));
    Check.equal("b-1", user.getFederatedIdentity().get(0).getUserId());
    user.removeFederatedIdentity("partner");
    Check.equal(0, user.getFederatedIdentity().size());
    user.remove();
    realm.identityProviders().get("partner").remove();
  }
}
