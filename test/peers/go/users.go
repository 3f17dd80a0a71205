package main

import "github.com/Nerzal/gocloak/v13"

func newUser(name string) string {
	return must(g.CreateUser(ctx, token, realm, gocloak.User{
		Username: p(name), Email: p(name + "@peer.example"), FirstName: p(name), LastName: p("Peer"), Enabled: p(true),
	}))
}

var userCases = []testCase{
	{"users", func() {
		ann := newUser("ann")
		one := must(g.GetUserByID(ctx, token, realm, ann))
		one.FirstName = p("Ann")
		one.Attributes = &map[string][]string{"badge": {"7"}}
		ok(g.UpdateUser(ctx, token, realm, *one))
		equal("Ann", *must(g.GetUsers(ctx, token, realm, gocloak.GetUsersParams{Username: p("ann"), Exact: p(true)}))[0].FirstName)
		equal(1, must(g.GetUserCount(ctx, token, realm, gocloak.GetUsersParams{})))
		group := must(g.CreateGroup(ctx, token, realm, gocloak.Group{Name: p("guests")}))
		ok(g.AddUserToGroup(ctx, token, realm, ann, group))
		equal(group, *must(g.GetUserGroups(ctx, token, realm, ann, gocloak.GetGroupsParams{}))[0].ID)
		equal(ann, *must(g.GetGroupMembers(ctx, token, realm, group, gocloak.GetGroupsParams{}))[0].ID)
		ok(g.DeleteUserFromGroup(ctx, token, realm, ann, group))
		ok(g.DeleteGroup(ctx, token, realm, group))
		equal(0, *must(g.GetUserBruteForceDetectionStatus(ctx, token, realm, ann)).NumFailures)
		permissions := gocloak.ManagementPermissionRepresentation{Enabled: p(true)}
		equal(true, *must(g.UpdateUsersManagementPermissions(ctx, token, realm, permissions)).Enabled)
		equal(true, *must(g.GetUsersManagementPermissions(ctx, token, realm)).Enabled)
		ok(g.DeleteUser(ctx, token, realm, ann))
		refused(404, second(g.GetUserByID(ctx, token, realm, ann)))
	}},
	{"credentials and mails", func() {
		bob := newUser("bob")
		ok(g.SetPassword(ctx, token, bob, realm, "pw-bob", false))
		one := must(g.GetCredentials(ctx, token, realm, bob))[0]
		ok(g.UpdateCredentialUserLabel(ctx, token, realm, bob, *one.ID, "mine"))
		ok(g.MoveCredentialToFirst(ctx, token, realm, bob, *one.ID))
		ok(g.MoveCredentialBehind(ctx, token, realm, bob, *one.ID, *one.ID))
		must(g.GetConfiguredUserStorageCredentialTypes(ctx, token, realm, bob))
		must(g.GetCredentialRegistrators(ctx, token, realm))
		ok(g.DisableAllCredentialsByType(ctx, token, realm, bob, []string{"password"}))
		ok(g.SetPassword(ctx, token, bob, realm, "pw-bob", false))
		ok(g.ExecuteActionsEmail(ctx, token, realm, gocloak.ExecuteActionsEmail{UserID: &bob, Actions: &[]string{"UPDATE_PASSWORD"}}))
		ok(g.SendVerifyEmail(ctx, token, bob, realm))
		one = must(g.GetCredentials(ctx, token, realm, bob))[0]
		ok(g.DeleteCredentials(ctx, token, realm, bob, *one.ID))
		ok(g.DeleteUser(ctx, token, realm, bob))
	}},
	{"roles of a user", func() {
		carl := newUser("carl")
		must(g.CreateRealmRole(ctx, token, realm, gocloak.Role{Name: p("singer")}))
		singer := must(g.GetRealmRole(ctx, token, realm, "singer"))
		has(must(g.GetAvailableRealmRolesByUserID(ctx, token, realm, carl)), role("singer"))
		ok(g.AddRealmRoleToUser(ctx, token, realm, carl, []gocloak.Role{*singer}))
		has(must(g.GetRealmRolesByUserID(ctx, token, realm, carl)), role("singer"))
		has(must(g.GetCompositeRealmRolesByUserID(ctx, token, realm, carl)), role("singer"))
		equal(carl, *must(g.GetUsersByRoleName(ctx, token, realm, "singer", gocloak.GetUsersByRoleParams{}))[0].ID)
		equal(true, len(*must(g.GetRoleMappingByUserID(ctx, token, realm, carl)).RealmMappings) > 0)
		ok(g.DeleteRealmRoleFromUser(ctx, token, realm, carl, []gocloak.Role{*singer}))
		lacks(must(g.GetRealmRolesByUserID(ctx, token, realm, carl)), role("singer"))
		ok(g.DeleteRealmRole(ctx, token, realm, "singer"))
		ok(g.DeleteUser(ctx, token, realm, carl))
	}},
	{"links with identity providers", func() {
		dora := newUser("dora")
		config := map[string]string{"clientId": "a", "clientSecret": "b", "authorizationUrl": "https://a.example/a", "tokenUrl": "https://a.example/t"}
		provider := gocloak.IdentityProviderRepresentation{Alias: p("linked"), ProviderID: p("oidc"), Config: &config}
		must(g.CreateIdentityProvider(ctx, token, realm, provider))
		link := gocloak.FederatedIdentityRepresentation{UserID: p("d"), UserName: p("dora"), IdentityProvider: p("linked")}
		ok(g.CreateUserFederatedIdentity(ctx, token, realm, dora, "linked", link))
		equal("d", *must(g.GetUserFederatedIdentities(ctx, token, realm, dora))[0].UserID)
		ok(g.DeleteUserFederatedIdentity(ctx, token, realm, dora, "linked"))
		ok(g.DeleteIdentityProvider(ctx, token, realm, "linked"))
		ok(g.DeleteUser(ctx, token, realm, dora))
	}},
}
