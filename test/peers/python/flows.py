"""Authentication flows, executions with their configuration, and required actions."""

from checks import equal, has, refused

FLOW = {"providerId": "basic-flow", "topLevel": True, "builtIn": False}


def flow_id(admin, alias):
    return has(admin.get_authentication_flows(), alias=alias)["id"]


def flows(admin):
    """authentication flows"""
    admin.create_authentication_flow({**FLOW, "alias": "two steps"})
    admin.create_authentication_flow({**FLOW, "alias": "two steps"}, skip_exists=True)
    made = flow_id(admin, "two steps")
    admin.update_authentication_flow(made, {**FLOW, "id": made, "alias": "two steps", "description": "changed"})
    equal("changed", admin.get_authentication_flow_for_id(made)["description"])
    admin.copy_authentication_flow({"newName": "browser copy"}, "browser")
    admin.delete_authentication_flow(flow_id(admin, "browser copy"))
    admin.delete_authentication_flow(made)
    refused(404, admin.get_authentication_flow_for_id, made)


def executions(admin):
    """executions of a flow and their configuration"""
    admin.create_authentication_flow({**FLOW, "alias": "steps"})
    admin.create_authentication_flow_execution({"provider": "auth-cookie"}, "steps")
    admin.create_authentication_flow_execution({"provider": "identity-provider-redirector"}, "steps")
    subflow = {"alias": "steps forms", "type": "basic-flow", "provider": "registration-page-form", "description": ""}
    admin.create_authentication_flow_subflow(subflow, "steps")
    cookie, redirector, _ = admin.get_authentication_flow_executions("steps")
    admin.update_authentication_flow_executions({**cookie, "requirement": "ALTERNATIVE"}, "steps")
    equal("ALTERNATIVE", admin.get_authentication_flow_execution(cookie["id"])["requirement"])
    admin.change_execution_priority(cookie["id"], -1)
    equal(redirector["id"], admin.get_authentication_flow_executions("steps")[0]["id"])
    config = {"alias": "to the company", "config": {"defaultProvider": "company"}}
    admin.create_execution_config(redirector["id"], config)
    found = admin.get_authentication_flow_execution(redirector["id"])["authenticatorConfig"]
    admin.update_authenticator_config({**config, "config": {"defaultProvider": "partner"}}, found)
    equal({"defaultProvider": "partner"}, admin.get_authenticator_config(found)["config"])
    admin.delete_authenticator_config(found)
    refused(404, admin.get_authenticator_config, found)
    admin.delete_authentication_flow_execution(cookie["id"])
    admin.delete_authentication_flow(flow_id(admin, "steps"))


def providers(admin):
    """providers of authentication"""
    has(admin.get_authenticator_providers(), id="auth-cookie")
    described = admin.get_authenticator_provider_config_description("identity-provider-redirector")
    equal("identity-provider-redirector", described["providerId"])


def required_actions(admin):
    """required actions"""
    terms = admin.get_required_action_by_alias("terms_and_conditions")
    admin.update_required_action("terms_and_conditions", {**terms, "enabled": True})
    equal(True, has(admin.get_required_actions(), alias="terms_and_conditions")["enabled"])


CASES = (flows, executions, providers, required_actions)
