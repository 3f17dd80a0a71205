import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.ws.rs.core.Response;
import org.keycloak.admin.client.resource.AuthorizationResource;
import org.keycloak.admin.client.resource.PoliciesResource;
import org.keycloak.admin.client.resource.PolicyResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.authorization.AbstractPolicyRepresentation;
import org.keycloak.representations.idm.authorization.AggregatePolicyRepresentation;
import org.keycloak.representations.idm.authorization.ClientPolicyRepresentation;
import org.keycloak.representations.idm.authorization.ClientScopePolicyRepresentation;
import org.keycloak.representations.idm.authorization.GroupPolicyRepresentation;
import org.keycloak.representations.idm.authorization.JSPolicyRepresentation;
import org.keycloak.representations.idm.authorization.Logic;
import org.keycloak.representations.idm.authorization.PolicyProviderRepresentation;
import org.keycloak.representations.idm.authorization.PolicyRepresentation;
import org.keycloak.representations.idm.authorization.RegexPolicyRepresentation;
import org.keycloak.representations.idm.authorization.ResourcePermissionRepresentation;
import org.keycloak.representations.idm.authorization.ResourceRepresentation;
import org.keycloak.representations.idm.authorization.RolePolicyRepresentation;
import org.keycloak.representations.idm.authorization.ScopePermissionRepresentation;
import org.keycloak.representations.idm.authorization.ScopeRepresentation;
import org.keycloak.representations.idm.authorization.TimePolicyRepresentation;
import org.keycloak.representations.idm.authorization.UserPolicyRepresentation;

/** Every kind of policy and permission. The client's interfaces for them are alike, without a common type. */
final class Policies {
  private Policies() {}

  static void cases(RealmResource realm) {
    Check.run("policies of any type", () -> Authorization.on(realm, server -> untyped(server.authorization())));
    Check.run("role policies", () -> Authorization.on(realm, server -> {
      RolePolicyRepresentation policy = new RolePolicyRepresentation();
      policy.addRole("offline_access", true);
      cycle(server.authorization().policies().role(), policy);
    }));
    Check.run("user policies", () -> Authorization.on(realm, server -> {
      String user = Users.create(realm.users(), "judge");
      UserPolicyRepresentation policy = new UserPolicyRepresentation();
      policy.addUser(user);
      cycle(server.authorization().policies().user(), policy);
      realm.users().get(user).remove();
    }));
    Check.run("group policies", () -> Authorization.on(realm, server -> {
      String group = Check.created(realm.groups().add(Groups.named("jury")));
      GroupPolicyRepresentation policy = new GroupPolicyRepresentation();
      policy.addGroup(group, true);
      cycle(server.authorization().policies().group(), policy);
      realm.groups().group(group).remove();
    }));
    Check.run("client policies of a resource server", () -> Authorization.on(realm, server -> {
      ClientPolicyRepresentation policy = new ClientPolicyRepresentation();
      policy.addClient("library-api");
      cycle(server.authorization().policies().client(), policy);
    }));
    Check.run("client scope policies", () -> Authorization.on(realm, server -> {
      ClientScopePolicyRepresentation policy = new ClientScopePolicyRepresentation();
      policy.addClientScope("email", false);
      cycle(server.authorization().policies().clientScope(), policy);
    }));
    Check.run("time policies", () -> Authorization.on(realm, server -> {
      TimePolicyRepresentation policy = new TimePolicyRepresentation();
      policy.setHour("8");
      policy.setHourEnd("17");
      cycle(server.authorization().policies().time(), policy);
    }));
    Check.run("aggregate policies", () -> Authorization.on(realm, server -> {
      TimePolicyRepresentation part = new TimePolicyRepresentation();
      part.setName("until 2100");
      part.setNotOnOrAfter("2100-01-01 00:00:00");
      Check.status(201, server.authorization().policies().time().create(part));
      AggregatePolicyRepresentation policy = new AggregatePolicyRepresentation();
      policy.addPolicy("until 2100");
      cycle(server.authorization().policies().aggregate(), policy);
    }));
    Check.run("regex policies", () -> Authorization.on(realm, server -> {
      RegexPolicyRepresentation policy = new RegexPolicyRepresentation();
      policy.setName("staff by name");
      policy.setTargetClaim("preferred_username");
      policy.setPattern("^staff-.*$");
      Check.status(201, server.authorization().policies().regex().create(policy));
      Check.equal("regex", server.authorization().policies().findByName("staff by name").getType());
    }));
    Check.run("script policies, which a realm may not upload", () -> Authorization.on(realm, server -> {
      JSPolicyRepresentation policy = new JSPolicyRepresentation();
      policy.setName("script");
      policy.setCode("$evaluation.grant()");
      try (Response answer = server.authorization().policies().js().create(policy)) {
        Check.isTrue(answer.getStatus() >= 400, "a script was accepted");
      }
    }));
    Check.run("resource permissions", () -> Authorization.on(realm, server -> {
      Check.status(201, server.authorization().resources().create(new ResourceRepresentation("Shelf")));
      ResourcePermissionRepresentation permission = new ResourcePermissionRepresentation();
      permission.addResource("Shelf");
      cycle(server.authorization().permissions().resource(), permission);
    }));
    Check.run("scope permissions", () -> Authorization.on(realm, server -> {
      Check.status(201, server.authorization().scopes().create(new ScopeRepresentation("borrow")));
      ScopePermissionRepresentation permission = new ScopePermissionRepresentation();
      permission.addScope("borrow");
      cycle(server.authorization().permissions().scope(), permission);
    }));
  }

  private static void untyped(AuthorizationResource server) throws Exception {
    PoliciesResource policies = server.policies();
    Check.contains(policies.policyProviders(), PolicyProviderRepresentation::getType, "role");
    PolicyRepresentation made = new PolicyRepresentation();
    made.setName("office hours");
    made.setType("time");
    made.setConfig(Map.of("hour", "8", "hourEnd", "17"));
    Check.status(201, policies.create(made));
    PolicyResource policy = policies.policy(policies.findByName("office hours").getId());
    PolicyRepresentation found = policy.toRepresentation();
    Check.equal(Map.of("hour", "8", "hourEnd", "17"), found.getConfig());
    found.setLogic(Logic.NEGATIVE);
    policy.update(found);
    Check.equal(Logic.NEGATIVE, policy.toRepresentation("*").getLogic());
    Check.contains(policies.policies(), PolicyRepresentation::getName, "office hours");
    Check.equal(1, policies.policies(null, "office", "time", null, null, false, null, null, 0, 5).size());
    Check.equal(List.of(), policy.associatedPolicies());
    Check.equal(List.of(), policy.dependentPolicies());
    Check.equal(List.of(), policy.scopes());
    Check.equal(List.of(), policy.resources());
    policy.remove();
    Check.refused(404, policy::toRepresentation);
  }

  /** Creates, finds, changes and deletes a policy; calls every method that the client has for its kind. */
  private static void cycle(Object policies, AbstractPolicyRepresentation policy) throws Exception {
    policy.setName("the policy");
    Check.status(201, (Response) call(policies, "create", policy));
    AbstractPolicyRepresentation found = (AbstractPolicyRepresentation) call(policies, "findByName", "the policy");
    if (!has(policies, "findById")) return;
    Object resource = call(policies, "findById", found.getId());
    found = (AbstractPolicyRepresentation) call(resource, "toRepresentation");
    found.setDescription("changed");
    call(resource, "update", found);
    Check.equal("changed", ((AbstractPolicyRepresentation) call(resource, "toRepresentation")).getDescription());
    for (String list : List.of("associatedPolicies", "dependentPolicies", "resources", "scopes")) {
      if (has(resource, list)) Check.isTrue(call(resource, list) instanceof List, list + " is no list");
    }
    call(resource, "remove");
    Check.refused(404, () -> call(resource, "toRepresentation"));
  }

  private static boolean has(Object resource, String name) {
    return Arrays.stream(resource.getClass().getInterfaces()[0].getMethods()).anyMatch(method -> method.getName().equals(name));
  }

  private static Object call(Object resource, String name, Object... arguments) throws Exception {
    for (Method method : resource.getClass().getInterfaces()[0].getMethods()) {
      if (!method.getName().equals(name) || method.getParameterCount() != arguments.length) continue;
      try {
        return method.invoke(resource, arguments);
      } catch (InvocationTargetException failure) {
        if (failure.getCause() instanceof Exception cause) throw cause;
        throw failure;
      }
    }
    throw new AssertionError("no method " + name);
  }
}
