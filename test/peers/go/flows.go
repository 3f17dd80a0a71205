package main

import "github.com/Nerzal/gocloak/v13"

var flowCases = []testCase{
	{"authentication flows", func() {
		flow := gocloak.AuthenticationFlowRepresentation{Alias: p("own"), ProviderID: p("basic-flow"), TopLevel: p(true), BuiltIn: p(false)}
		ok(g.CreateAuthenticationFlow(ctx, token, realm, flow))
		isOwn := func(one *gocloak.AuthenticationFlowRepresentation) bool { return *one.Alias == "own" }
		own := has(must(g.GetAuthenticationFlows(ctx, token, realm)), isOwn)
		own.Description = p("described")
		must(g.UpdateAuthenticationFlow(ctx, token, realm, *own, *own.ID))
		equal("described", *must(g.GetAuthenticationFlow(ctx, token, realm, *own.ID)).Description)
		ok(g.CreateAuthenticationExecution(ctx, token, realm, "own", gocloak.CreateAuthenticationExecutionRepresentation{Provider: p("auth-cookie")}))
		ok(g.CreateAuthenticationExecutionFlow(ctx, token, realm, "own", gocloak.CreateAuthenticationExecutionFlowRepresentation{
			Alias: p("below"), Type: p("basic-flow"), Provider: p("registration-page-form"), Description: p("below own"),
		}))
		executions := must(g.GetAuthenticationExecutions(ctx, token, realm, "own"))
		equal(2, len(executions))
		executions[0].Requirement = p("REQUIRED")
		ok(g.UpdateAuthenticationExecution(ctx, token, realm, "own", *executions[0]))
		equal("REQUIRED", *must(g.GetAuthenticationExecutions(ctx, token, realm, "own"))[0].Requirement)
		ok(g.DeleteAuthenticationExecution(ctx, token, realm, *executions[0].ID))
		ok(g.DeleteAuthenticationFlow(ctx, token, realm, *own.ID))
		refused(404, second(g.GetAuthenticationFlow(ctx, token, realm, *own.ID)))
	}},
	{"required actions", func() {
		has(must(g.GetRequiredActions(ctx, token, realm)), func(one *gocloak.RequiredActionProviderRepresentation) bool {
			return *one.Alias == "VERIFY_EMAIL"
		})
		action := must(g.GetRequiredAction(ctx, token, realm, "VERIFY_EMAIL"))
		action.DefaultAction = p(true)
		ok(g.UpdateRequiredAction(ctx, token, realm, *action))
		equal(true, *must(g.GetRequiredAction(ctx, token, realm, "VERIFY_EMAIL")).DefaultAction)
		ok(g.DeleteRequiredAction(ctx, token, realm, "VERIFY_EMAIL"))
		again := gocloak.RequiredActionProviderRepresentation{ProviderID: p("VERIFY_EMAIL"), Name: p("Verify Email")}
		ok(g.RegisterRequiredAction(ctx, token, realm, again))
		must(g.GetRequiredAction(ctx, token, realm, "VERIFY_EMAIL"))
	}},
}
