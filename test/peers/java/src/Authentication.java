import java.util.List;
import java.util.Map;
import javax.ws.rs.client.ResponseProcessingException;
import org.keycloak.admin.client.resource.AuthenticationManagementResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.AuthenticationExecutionInfoRepresentation;
import org.keycloak.representations.idm.AuthenticationExecutionRepresentation;
import org.keycloak.representations.idm.AuthenticationFlowRepresentation;
import org.keycloak.representations.idm.AuthenticatorConfigRepresentation;
import org.keycloak.representations.idm.RequiredActionProviderRepresentation;
import org.keycloak.representations.idm.RequiredActionProviderSimpleRepresentation;

/** Authentication flows, executions with their configuration, and required actions. */
final class Authentication {
  private Authentication() {}

  static void cases(RealmResource realm) {
    AuthenticationManagementResource flows = realm.flows();
    Check.run("providers of authentication", () -> {
      for (var list : List.of(flows.getFormProviders(), flows.getAuthenticatorProviders(), flows.getClientAuthenticatorProviders(),
          flows.getFormActionProviders())) {
        Check.isTrue(!list.isEmpty(), "no providers");
      }
      Check.equal("Identity Provider Redirector", flows.getAuthenticatorConfigDescription("identity-provider-redirector").getName());
      Check.isTrue(flows.getPerClientConfigDescription().containsKey("client-secret"), "no client-secret");
    });
    Check.run("authentication flows", () -> flows(flows));
    Check.run("executions of a flow", () -> executions(flows));
    Check.run("configuration of an execution", () -> configuration(flows));
    Check.run("required actions", () -> requiredActions(flows));
  }

  private static void flows(AuthenticationManagementResource flows) throws Exception {
    String id = create(flows, "two steps");
    AuthenticationFlowRepresentation found = flows.getFlow(id);
    found.setDescription("in two steps");
    flows.updateFlow(id, found);
    Check.equal("in two steps", flows.getFlow(id).getDescription());
    Check.contains(flows.getFlows(), AuthenticationFlowRepresentation::getAlias, "two steps");
    Check.status(201, flows.copy("browser", Map.of("newName", "browser copy")));
    AuthenticationFlowRepresentation copy =
        flows.getFlows().stream().filter(flow -> flow.getAlias().equals("browser copy")).findFirst().orElseThrow();
    flows.deleteFlow(copy.getId());
    flows.deleteFlow(id);
    Check.refused(404, () -> flows.getFlow(id));
  }

  private static String create(AuthenticationManagementResource flows, String alias) {
    AuthenticationFlowRepresentation flow = new AuthenticationFlowRepresentation();
    flow.setAlias(alias);
    flow.setProviderId("basic-flow");
    flow.setTopLevel(true);
    flow.setBuiltIn(false);
    return Check.created(flows.createFlow(flow));
  }

  private static void executions(AuthenticationManagementResource flows) throws Exception {
    String flow = create(flows, "steps");
    flows.addExecution("steps", Map.of("provider", "auth-cookie"));
    flows.addExecutionFlow("steps", Map.of("alias", "steps forms", "type", "basic-flow", "description", "", "provider", "registration-page-form"));
    AuthenticationExecutionRepresentation made = new AuthenticationExecutionRepresentation();
    made.setParentFlow(flow);
    made.setAuthenticator("auth-otp-form");
    made.setRequirement("DISABLED");
    made.setPriority(5);
    String id = Check.created(flows.addExecution(made));
    // the reference's answer has fields that its own client cannot read, such as `alternative`
    try {
      flows.getExecution(id);
      throw new AssertionError("the client reads an execution");
    } catch (ResponseProcessingException expected) {
      Check.isTrue(expected.getMessage().contains("alternative"), expected.getMessage());
    }
    AuthenticationExecutionInfoRepresentation cookie = flows.getExecutions("steps").get(0);
    Check.equal("auth-cookie", cookie.getProviderId());
    cookie.setRequirement("ALTERNATIVE");
    flows.updateExecutions("steps", cookie);
    Check.equal("ALTERNATIVE", flows.getExecutions("steps").get(0).getRequirement());
    flows.lowerPriority(cookie.getId());
    Check.equal(1, flows.getExecutions("steps").stream().filter(step -> step.getId().equals(cookie.getId())).findFirst().orElseThrow().getIndex());
    flows.raisePriority(cookie.getId());
    Check.equal(cookie.getId(), flows.getExecutions("steps").get(0).getId());
    flows.removeExecution(id);
    Check.lacks(flows.getExecutions("steps"), AuthenticationExecutionInfoRepresentation::getId, id);
    flows.deleteFlow(flow);
  }

  private static void configuration(AuthenticationManagementResource flows) throws Exception {
    String flow = create(flows, "configured");
    flows.addExecution("configured", Map.of("provider", "identity-provider-redirector"));
    String execution = flows.getExecutions("configured").get(0).getId();
    AuthenticatorConfigRepresentation config = new AuthenticatorConfigRepresentation();
    config.setAlias("to the company");
    config.setConfig(Map.of("defaultProvider", "company"));
    String id = Check.created(flows.newExecutionConfig(execution, config));
    AuthenticatorConfigRepresentation found = flows.getAuthenticatorConfig(id);
    found.setConfig(Map.of("defaultProvider", "partner"));
    flows.updateAuthenticatorConfig(id, found);
    Check.equal(Map.of("defaultProvider", "partner"), flows.getAuthenticatorConfig(id).getConfig());
    Check.equal(id, flows.getExecutions("configured").get(0).getAuthenticationConfig());
    flows.removeAuthenticatorConfig(id);
    Check.refused(404, () -> flows.getAuthenticatorConfig(id));
    flows.deleteFlow(flow);
  }

  private static void requiredActions(AuthenticationManagementResource flows) throws Exception {
    RequiredActionProviderRepresentation terms = flows.getRequiredAction("terms_and_conditions");
    terms.setEnabled(true);
    flows.updateRequiredAction(terms.getAlias(), terms);
    Check.equal(true, flows.getRequiredAction(terms.getAlias()).isEnabled());
    flows.raiseRequiredActionPriority(terms.getAlias());
    flows.lowerRequiredActionPriority(terms.getAlias());
    flows.removeRequiredAction(terms.getAlias());
    Check.lacks(flows.getRequiredActions(), RequiredActionProviderRepresentation::getAlias, terms.getAlias());
    RequiredActionProviderSimpleRepresentation unregistered =
        flows.getUnregisteredRequiredActions().stream().filter(action -> action.getProviderId().equals("terms_and_conditions")).findFirst().orElseThrow();
    flows.registerRequiredAction(unregistered);
    Check.contains(flows.getRequiredActions(), RequiredActionProviderRepresentation::getAlias, "terms_and_conditions");
  }
}
