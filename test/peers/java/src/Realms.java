import java.util.List;
import java.util.Map;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.admin.client.resource.RealmsResource;
import org.keycloak.admin.client.resource.UserResource;
import org.keycloak.representations.idm.ClientInitialAccessCreatePresentation;
import org.keycloak.representations.idm.ClientInitialAccessPresentation;
import org.keycloak.representations.idm.ClientPoliciesRepresentation;
import org.keycloak.representations.idm.ClientPolicyRepresentation;
import org.keycloak.representations.idm.ClientProfileRepresentation;
import org.keycloak.representations.idm.ClientProfilesRepresentation;
import org.keycloak.representations.idm.PartialImportRepresentation;
import org.keycloak.representations.idm.RealmEventsConfigRepresentation;
import org.keycloak.representations.idm.RealmRepresentation;
import org.keycloak.representations.idm.RoleRepresentation;
import org.keycloak.representations.idm.RolesRepresentation;
import org.keycloak.representations.idm.UserRepresentation;
import org.keycloak.util.JsonSerialization;

/** Realms and what belongs to a whole realm. */
final class Realms {
  private Realms() {}

  static void cases(RealmsResource realms, RealmResource realm) {
    Check.run("realms", () -> {
      Check.contains(realms.findAll(), RealmRepresentation::getRealm, Peer.REALM);
      RealmRepresentation found = realm.toRepresentation();
      found.setDisplayName("Java peer");
      found.setAttributes(Map.of("team", "peers"));
      found.setAccessTokenLifespan(120);
      realm.update(found);
      RealmRepresentation again = realm.toRepresentation();
      Check.equal("Java peer", again.getDisplayName());
      Check.equal("peers", again.getAttributes().get("team"));
      Check.equal(120, again.getAccessTokenLifespan());
      realm.update(again);
      Check.equal(JsonSerialization.mapper.valueToTree(again), JsonSerialization.mapper.valueToTree(realm.toRepresentation()));
    });

    Check.run("events", () -> {
      RealmEventsConfigRepresentation config = realm.getRealmEventsConfig();
      config.setEventsEnabled(true);
      config.setAdminEventsEnabled(true);
      config.setAdminEventsDetailsEnabled(true);
      realm.updateRealmEventsConfig(config);
      Check.equal(true, realm.getRealmEventsConfig().isAdminEventsDetailsEnabled());
      realm.roles().create(new RoleRepresentation("audited", "seen in events", false));
      Check.isTrue(!realm.getAdminEvents().isEmpty(), "no admin events");
      var roles = realm.getAdminEvents(List.of("CREATE"), realms.realm("master").toRepresentation().getId(), null, null, null, "roles/audited", null, null, 0, 5);
      Check.equal(1, roles.size());
      realm.clearAdminEvents();
      realm.getEvents();
      realm.getEvents(List.of("LOGIN"), null, null, null, null, null, 0, 5);
      realm.clearEvents();
      Check.equal(List.of(), realm.getEvents());
      realm.roles().deleteRole("audited");
    });

    Check.run("partial import and export", () -> {
      PartialImportRepresentation part = new PartialImportRepresentation();
      part.setIfResourceExists("SKIP");
      UserRepresentation user = new UserRepresentation();
      user.setUsername("imported");
      part.setUsers(List.of(user));
      RolesRepresentation roles = new RolesRepresentation();
      roles.setRealm(List.of(new RoleRepresentation("imported", "by a file", false)));
      part.setRoles(roles);
      Check.status(200, realm.partialImport(part));
      RealmRepresentation exported = realm.partialExport(true, true);
      Check.contains(exported.getRoles().getRealm(), RoleRepresentation::getName, "imported");
    });

    Check.run("initial access tokens", () -> {
      ClientInitialAccessPresentation token = realm.clientInitialAccess().create(new ClientInitialAccessCreatePresentation(60, 2));
      Check.isTrue(token.getToken().startsWith("ey"), "no token");
      Check.contains(realm.clientInitialAccess().list(), ClientInitialAccessPresentation::getId, token.getId());
      realm.clientInitialAccess().delete(token.getId());
      Check.equal(List.of(), realm.clientInitialAccess().list());
      Check.isTrue(!realm.clientRegistrationPolicy().getProviders().isEmpty(), "no registration policies");
    });

    Check.run("client policies", () -> {
      ClientProfilesRepresentation profiles = realm.clientPoliciesProfilesResource().getProfiles(true);
      Check.isTrue(!profiles.getGlobalProfiles().isEmpty(), "no global profiles");
      ClientProfileRepresentation profile = new ClientProfileRepresentation();
      profile.setName("strict");
      profile.setExecutors(List.of());
      profiles.setProfiles(List.of(profile));
      profiles.setGlobalProfiles(null);
      realm.clientPoliciesProfilesResource().updateProfiles(profiles);
      ClientPolicyRepresentation policy = new ClientPolicyRepresentation();
      policy.setName("for all");
      policy.setEnabled(false);
      policy.setConditions(List.of());
      policy.setProfiles(List.of("strict"));
      ClientPoliciesRepresentation policies = realm.clientPoliciesPoliciesResource().getPolicies();
      policies.setPolicies(List.of(policy));
      realm.clientPoliciesPoliciesResource().updatePolicies(policies);
      Check.equal("for all", realm.clientPoliciesPoliciesResource().getPolicies().getPolicies().get(0).getName());
      realm.clientPoliciesPoliciesResource().updatePolicies(new ClientPoliciesRepresentation());
      realm.clientPoliciesProfilesResource().updateProfiles(new ClientProfilesRepresentation());
      Check.equal(List.of(), realm.clientPoliciesProfilesResource().getProfiles(false).getProfiles());
    });

    Check.run("localization", () -> {
      realm.localization().saveRealmLocalizationText("en", "greeting", "Good day");
      Check.equal("Good day", realm.localization().getRealmLocalizationText("en", "greeting"));
      Check.equal(Map.of("greeting", "Good day"), realm.localization().getRealmLocalizationTexts("en"));
      Check.equal(List.of("en"), realm.localization().getRealmSpecificLocales());
      realm.localization().deleteRealmLocalizationText("en", "greeting");
      realm.localization().saveRealmLocalizationText("en", "greeting", "Hello");
      realm.localization().deleteRealmLocalizationTexts("en");
      Check.equal(List.of(), realm.localization().getRealmSpecificLocales());
    });

    Check.run("upkeep of a realm", () -> {
      realm.clearRealmCache();
      realm.clearUserCache();
      realm.clearKeysCache();
      realm.pushRevocation();
      realm.logoutAll();
      Check.refused(404, () -> realm.deleteSession("no-session"));
      realm.getClientSessionStats();
      Check.isTrue(!realm.keys().getKeyMetadata().getKeys().isEmpty(), "no keys");
      realm.attackDetection().clearAllBruteForce();
      UserResource self = realms.realm("master").users().get(realms.realm("master").users().search("admin", true).get(0).getId());
      UserRepresentation reachable = self.toRepresentation();
      reachable.setEmail("admin@peer.example");
      self.update(reachable);
      Check.status(204, realm.testSMTPConnection(Peer.mailServer()));
      Check.status(204, realm.testSMTPConnection(JsonSerialization.writeValueAsString(Peer.mailServer())));
    });
  }
}
