package main

import "github.com/Nerzal/gocloak/v13"

type world struct{ client, ann, bob, ofAnn, ofBob, ofServer string }

func openWorld(name string) world {
	w := world{ann: newUser("ann"), bob: newUser("bob")}
	w.client = must(g.CreateClient(ctx, token, realm, gocloak.Client{
		ClientID: &name, Secret: p("secret"), ServiceAccountsEnabled: p(true), DirectAccessGrantsEnabled: p(true), AuthorizationServicesEnabled: p(true),
	}))
	ok(g.SetPassword(ctx, token, w.ann, realm, "pw", false))
	ok(g.SetPassword(ctx, token, w.bob, realm, "pw", false))
	w.ofAnn = must(g.Login(ctx, name, "secret", realm, "ann", "pw")).AccessToken
	w.ofBob = must(g.Login(ctx, name, "secret", realm, "bob", "pw")).AccessToken
	w.ofServer = must(g.LoginClient(ctx, name, "secret", realm)).AccessToken
	return w
}

func (w world) close() {
	ok(g.DeleteClient(ctx, token, realm, w.client))
	ok(g.DeleteUser(ctx, token, realm, w.ann))
	ok(g.DeleteUser(ctx, token, realm, w.bob))
}

var authorizationCases = []testCase{
	{"a resource server", func() {
		w := openWorld("authorization")
		must(g.GetResourceServer(ctx, token, realm, w.client))
		see := must(g.CreateScope(ctx, token, realm, w.client, gocloak.ScopeRepresentation{Name: p("see")}))
		see.DisplayName = p("See")
		ok(g.UpdateScope(ctx, token, realm, w.client, *see))
		equal("See", *must(g.GetScope(ctx, token, realm, w.client, *see.ID)).DisplayName)
		equal(1, len(must(g.GetScopes(ctx, token, realm, w.client, gocloak.GetScopeParams{}))))
		book := must(g.CreateResource(ctx, token, realm, w.client, gocloak.ResourceRepresentation{
			Name: p("book"), Scopes: &[]gocloak.ScopeRepresentation{{Name: p("see")}},
		}))
		book.DisplayName = p("Book")
		ok(g.UpdateResource(ctx, token, realm, w.client, *book))
		equal("Book", *must(g.GetResource(ctx, token, realm, w.client, *book.ID)).DisplayName)
		equal(1, len(must(g.GetResources(ctx, token, realm, w.client, gocloak.GetResourceParams{Name: p("book")}))))
		policy := must(g.CreatePolicy(ctx, token, realm, w.client, gocloak.PolicyRepresentation{
			Name: p("ann only"), Type: p("user"), Logic: gocloak.POSITIVE, UserPolicyRepresentation: gocloak.UserPolicyRepresentation{Users: &[]string{w.ann}},
		}))
		policy.Description = p("for ann")
		ok(g.UpdatePolicy(ctx, token, realm, w.client, *policy))
		equal("for ann", *must(g.GetPolicy(ctx, token, realm, w.client, *policy.ID)).Description)
		has(must(g.GetPolicies(ctx, token, realm, w.client, gocloak.GetPolicyParams{})), func(one *gocloak.PolicyRepresentation) bool {
			return *one.Name == "ann only"
		})
		permission := must(g.CreatePermission(ctx, token, realm, w.client, gocloak.PermissionRepresentation{
			Name: p("see books"), Type: p("scope"), Resources: &[]string{*book.ID}, Scopes: &[]string{*see.ID}, Policies: &[]string{*policy.ID},
		}))
		permission.Description = p("read them")
		ok(g.UpdatePermission(ctx, token, realm, w.client, *permission))
		equal("read them", *must(g.GetPermission(ctx, token, realm, w.client, *permission.ID)).Description)
		equal(1, len(must(g.GetPermissions(ctx, token, realm, w.client, gocloak.GetPermissionParams{Name: p("see books")}))))
		equal(*book.ID, *must(g.GetPermissionResources(ctx, token, realm, w.client, *permission.ID))[0].ResourceID)
		equal(*see.ID, *must(g.GetPermissionScopes(ctx, token, realm, w.client, *permission.ID))[0].ScopeID)
		equal(*permission.ID, *must(g.GetDependentPermissions(ctx, token, realm, w.client, *policy.ID))[0].ID)
		equal(*policy.ID, *must(g.GetAuthorizationPolicyAssociatedPolicies(ctx, token, realm, w.client, *permission.ID))[0].ID)
		equal(1, len(must(g.GetAuthorizationPolicyResources(ctx, token, realm, w.client, *permission.ID))))
		equal(1, len(must(g.GetAuthorizationPolicyScopes(ctx, token, realm, w.client, *permission.ID))))
		ofScope := must(g.GetPermissionScope(ctx, token, realm, w.client, *permission.ID))
		ofScope.Resources, ofScope.Scopes, ofScope.Policies = &[]string{*book.ID}, &[]string{*see.ID}, &[]string{*policy.ID}
		ok(g.UpdatePermissionScope(ctx, token, realm, w.client, *permission.ID, *ofScope))
		asked := gocloak.RequestingPartyTokenOptions{Audience: p("authorization"), Permissions: &[]string{*book.ID + "#see"}}
		equal(true, must(g.GetRequestingPartyToken(ctx, w.ofAnn, realm, asked)).AccessToken != "")
		equal("book", *(*must(g.GetRequestingPartyPermissions(ctx, w.ofAnn, realm, asked)))[0].ResourceName)
		equal(true, *must(g.GetRequestingPartyPermissionDecision(ctx, w.ofAnn, realm, asked)).Result)
		refused(403, second(g.GetRequestingPartyToken(ctx, w.ofBob, realm, asked)))
		ok(g.DeletePermission(ctx, token, realm, w.client, *permission.ID))
		ok(g.DeletePolicy(ctx, token, realm, w.client, *policy.ID))
		ok(g.DeleteResource(ctx, token, realm, w.client, *book.ID))
		ok(g.DeleteScope(ctx, token, realm, w.client, *see.ID))
		w.close()
	}},
	{"the protection API", func() {
		w := openWorld("protection")
		album := must(g.CreateResourceClient(ctx, w.ofServer, realm, gocloak.ResourceRepresentation{
			Name: p("album"), OwnerManagedAccess: p(true), Owner: &gocloak.ResourceOwnerRepresentation{ID: &w.ann},
			ResourceScopes: &[]gocloak.ScopeRepresentation{{Name: p("look")}},
		}))
		id := *album.ID
		album.DisplayName = p("Album")
		ok(g.UpdateResourceClient(ctx, w.ofServer, realm, *album))
		equal("Album", *must(g.GetResourceClient(ctx, w.ofServer, realm, id)).DisplayName)
		must(g.GetResourcesClient(ctx, w.ofServer, realm, gocloak.GetResourceParams{Name: p("album")}))
		wanted := []gocloak.CreatePermissionTicketParams{{ResourceID: &id, ResourceScopes: &[]string{"look"}}}
		equal(true, *must(g.CreatePermissionTicket(ctx, w.ofServer, realm, wanted)).Ticket != "")
		made := must(g.GrantUserPermission(ctx, w.ofAnn, realm, gocloak.PermissionGrantParams{
			ResourceID: &id, RequesterID: &w.bob, Granted: p(true), ScopeName: p("look"),
		}))
		must(g.UpdateUserPermission(ctx, w.ofAnn, realm, gocloak.PermissionGrantParams{
			TicketID: made.ID, ResourceID: &id, RequesterID: &w.bob, Granted: p(false), ScopeName: p("look"),
		}))
		must(g.GetUserPermissions(ctx, w.ofAnn, realm, gocloak.GetUserPermissionParams{ResourceID: &id}))
		policy := must(g.CreateResourcePolicy(ctx, w.ofAnn, realm, id, gocloak.ResourcePolicyRepresentation{
			Name: p("friends"), Scopes: &[]string{"look"}, Users: &[]string{"bob"},
		}))
		policy.Description = p("of ann")
		ok(g.UpdateResourcePolicy(ctx, w.ofAnn, realm, *policy.ID, *policy))
		equal("of ann", *must(g.GetResourcePolicy(ctx, w.ofAnn, realm, *policy.ID)).Description)
		equal(1, len(must(g.GetResourcePolicies(ctx, w.ofAnn, realm, gocloak.GetResourcePoliciesParams{ResourceID: &id}))))
		ok(g.DeleteResourcePolicy(ctx, w.ofAnn, realm, *policy.ID))
		left := must(g.GetUserPermissions(ctx, w.ofAnn, realm, gocloak.GetUserPermissionParams{ResourceID: &id}))
		for _, one := range left {
			ok(g.DeleteUserPermission(ctx, w.ofAnn, realm, *one.ID))
		}
		ok(g.DeleteResourceClient(ctx, w.ofServer, realm, id))
		w.close()
	}},
}
