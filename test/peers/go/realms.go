package main

import (
	"os"
	"strings"

	"github.com/Nerzal/gocloak/v13"
)

var realmCases = []testCase{
	{"the server", func() {
		must(g.GetServerInfo(ctx, token))
		must(g.GetCerts(ctx, realm))
		equal(realm, *must(g.GetIssuer(ctx, realm)).Realm)
	}},
	{"a realm", func() {
		ok(g.UpdateRealm(ctx, token, gocloak.RealmRepresentation{Realm: p(realm), DisplayName: p("Peer"), EventsEnabled: p(true)}))
		equal("Peer", *must(g.GetRealm(ctx, token, realm)).DisplayName)
		has(must(g.GetRealms(ctx, token)), func(one *gocloak.RealmRepresentation) bool { return *one.Realm == realm })
		ok(g.ClearRealmCache(ctx, token, realm))
		ok(g.ClearUserCache(ctx, token, realm))
		ok(g.ClearKeysCache(ctx, token, realm))
		equal(true, len(*must(g.GetKeyStoreConfig(ctx, token, realm)).Key) > 0)
		must(g.GetEvents(ctx, token, realm, gocloak.GetEventsParams{Max: p(int32(5))}))
		refused(409, second(g.CreateRealm(ctx, token, gocloak.RealmRepresentation{Realm: p(realm)})))
	}},
	{"components", func() {
		config := map[string][]string{"priority": {"5"}, "keySize": {"2048"}}
		id := must(g.CreateComponent(ctx, token, realm, gocloak.Component{
			Name: p("spare"), ProviderID: p("rsa-generated"), ProviderType: p("org.keycloak.keys.KeyProvider"),
			ComponentConfig: &config,
		}))
		one := must(g.GetComponent(ctx, token, realm, id))
		one.Name = p("renamed")
		ok(g.UpdateComponent(ctx, token, realm, *one))
		isIt := func(other *gocloak.Component) bool { return *other.ID == id && *other.Name == "renamed" }
		has(must(g.GetComponents(ctx, token, realm)), isIt)
		has(must(g.GetComponentsWithParams(ctx, token, realm, gocloak.GetComponentsParams{Name: p("renamed")})), isIt)
		ok(g.DeleteComponent(ctx, token, realm, id))
		refused(404, second(g.GetComponent(ctx, token, realm, id)))
	}},
	{"groups", func() {
		parent := must(g.CreateGroup(ctx, token, realm, gocloak.Group{Name: p("choir")}))
		child := must(g.CreateChildGroup(ctx, token, realm, parent, gocloak.Group{Name: p("altos")}))
		equal("/choir/altos", *must(g.GetGroup(ctx, token, realm, child)).Path)
		equal(child, *must(g.GetGroupByPath(ctx, token, realm, "/choir/altos")).ID)
		ok(g.UpdateGroup(ctx, token, realm, gocloak.Group{ID: &parent, Name: p("singers")}))
		isParent := func(one *gocloak.Group) bool { return *one.ID == parent }
		equal("singers", *has(must(g.GetGroups(ctx, token, realm, gocloak.GetGroupsParams{})), isParent).Name)
		equal(2, must(g.GetGroupsCount(ctx, token, realm, gocloak.GetGroupsParams{})))
		equal(0, len(must(g.GetGroupMembers(ctx, token, realm, parent, gocloak.GetGroupsParams{}))))
		ok(g.AddDefaultGroup(ctx, token, realm, parent))
		has(must(g.GetDefaultGroups(ctx, token, realm)), isParent)
		ok(g.RemoveDefaultGroup(ctx, token, realm, parent))
		permissions := gocloak.ManagementPermissionRepresentation{Enabled: p(true)}
		equal(true, *must(g.UpdateGroupManagementPermissions(ctx, token, realm, parent, permissions)).Enabled)
		equal(true, *must(g.GetGroupManagementPermissions(ctx, token, realm, parent)).Enabled)
		ok(g.DeleteGroup(ctx, token, realm, parent))
		refused(404, second(g.GetGroup(ctx, token, realm, child)))
	}},
	{"roles of the realm", func() {
		for _, name := range []string{"reader", "writer"} {
			equal(name, must(g.CreateRealmRole(ctx, token, realm, gocloak.Role{Name: p(name)})))
		}
		ok(g.UpdateRealmRole(ctx, token, realm, "reader", gocloak.Role{Name: p("reader"), Description: p("reads")}))
		reader, writer := must(g.GetRealmRole(ctx, token, realm, "reader")), must(g.GetRealmRole(ctx, token, realm, "writer"))
		equal("reads", *reader.Description)
		writer.Description = p("writes")
		ok(g.UpdateRealmRoleByID(ctx, token, realm, *writer.ID, *writer))
		equal("writes", *must(g.GetRealmRoleByID(ctx, token, realm, *writer.ID)).Description)
		has(must(g.GetRealmRoles(ctx, token, realm, gocloak.GetRoleParams{})), role("reader"))
		ok(g.AddRealmRoleComposite(ctx, token, realm, "writer", []gocloak.Role{*reader}))
		has(must(g.GetCompositeRealmRoles(ctx, token, realm, "writer")), role("reader"))
		has(must(g.GetCompositeRolesByRoleID(ctx, token, realm, *writer.ID)), role("reader"))
		has(must(g.GetCompositeRealmRolesByRoleID(ctx, token, realm, *writer.ID)), role("reader"))
		ok(g.DeleteRealmRoleComposite(ctx, token, realm, "writer", []gocloak.Role{*reader}))
		lacks(must(g.GetCompositeRealmRoles(ctx, token, realm, "writer")), role("reader"))
		group := must(g.CreateGroup(ctx, token, realm, gocloak.Group{Name: p("readers")}))
		has(must(g.GetAvailableRealmRolesByGroupID(ctx, token, realm, group)), role("reader"))
		ok(g.AddRealmRoleToGroup(ctx, token, realm, group, []gocloak.Role{*reader}))
		has(must(g.GetRealmRolesByGroupID(ctx, token, realm, group)), role("reader"))
		has(must(g.GetCompositeRealmRolesByGroupID(ctx, token, realm, group)), role("reader"))
		equal("reader", *(*must(g.GetRoleMappingByGroupID(ctx, token, realm, group)).RealmMappings)[0].Name)
		equal(group, *must(g.GetGroupsByRole(ctx, token, realm, "reader"))[0].ID)
		ok(g.DeleteRealmRoleFromGroup(ctx, token, realm, group, []gocloak.Role{*reader}))
		ok(g.DeleteGroup(ctx, token, realm, group))
		ok(g.DeleteRealmRole(ctx, token, realm, "writer"))
		refused(404, second(g.GetRealmRole(ctx, token, realm, "writer")))
	}},
	{"identity providers", func() {
		alias := "elsewhere"
		config := map[string]string{
			"clientId": "peer", "clientSecret": "s", "authorizationUrl": "https://elsewhere.example/auth",
			"tokenUrl": "https://elsewhere.example/token",
		}
		provider := gocloak.IdentityProviderRepresentation{Alias: &alias, ProviderID: p("oidc"), Enabled: p(true), Config: &config}
		must(g.CreateIdentityProvider(ctx, token, realm, provider))
		provider.DisplayName = p("Elsewhere")
		ok(g.UpdateIdentityProvider(ctx, token, realm, alias, provider))
		equal("Elsewhere", *must(g.GetIdentityProvider(ctx, token, realm, alias)).DisplayName)
		equal(1, len(must(g.GetIdentityProviders(ctx, token, realm))))
		settings := map[string]string{"claim": "mail", "user.attribute": "email", "syncMode": "INHERIT"}
		mapper := gocloak.IdentityProviderMapper{
			Name: p("mail"), IdentityProviderMapper: p("oidc-user-attribute-idp-mapper"), IdentityProviderAlias: &alias, Config: &settings,
		}
		id := must(g.CreateIdentityProviderMapper(ctx, token, realm, alias, mapper))
		mapper.ID = &id
		settings["claim"] = "e-mail"
		ok(g.UpdateIdentityProviderMapper(ctx, token, realm, alias, mapper))
		equal("e-mail", (*must(g.GetIdentityProviderMapper(ctx, token, realm, alias, id)).Config)["claim"])
		equal("mail", *must(g.GetIdentityProviderMapperByID(ctx, token, realm, alias, id)).Name)
		equal(1, len(must(g.GetIdentityProviderMappers(ctx, token, realm, alias))))
		ok(g.DeleteIdentityProviderMapper(ctx, token, realm, alias, id))
		ok(g.DeleteIdentityProvider(ctx, token, realm, alias))
		address := os.Getenv("PEER_BASE") + "/realms/" + realm
		read := must(g.ImportIdentityProviderConfig(ctx, token, realm, address+"/.well-known/openid-configuration", "oidc"))
		equal(address+"/protocol/openid-connect/token", read["tokenUrl"])
		metadata := must(g.RestyClient().R().Get(address + "/protocol/saml/descriptor")).String()
		fromFile := must(g.ImportIdentityProviderConfigFromFile(ctx, token, realm, "saml", "metadata.xml", strings.NewReader(metadata)))
		equal(true, strings.HasPrefix(fromFile["singleSignOnServiceUrl"], address))
		broker := gocloak.IdentityProviderRepresentation{Alias: p("saml"), ProviderID: p("saml"), Config: &fromFile}
		must(g.CreateIdentityProvider(ctx, token, realm, broker))
		equal(true, strings.Contains(*must(g.ExportIDPPublicBrokerConfig(ctx, token, realm, "saml")), "EntityDescriptor"))
		ok(g.DeleteIdentityProvider(ctx, token, realm, "saml"))
	}},
}
