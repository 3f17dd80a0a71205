package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"time"

	"github.com/Nerzal/gocloak/v13"
	"github.com/golang-jwt/jwt/v5"
)

func newClient(name string) string {
	return must(g.CreateClient(ctx, token, realm, gocloak.Client{
		ClientID: p(name), Secret: p("secret"), ServiceAccountsEnabled: p(true), DirectAccessGrantsEnabled: p(true), FullScopeAllowed: p(false),
	}))
}

var badge = map[string]string{"claim.name": "badge", "user.attribute": "badge", "access.token.claim": "true"}

var clientCases = []testCase{
	{"clients", func() {
		shop := newClient("shop")
		ok(g.UpdateClient(ctx, token, realm, gocloak.Client{ID: &shop, ClientID: p("shop"), Name: p("Shop")}))
		equal("Shop", *must(g.GetClient(ctx, token, realm, shop)).Name)
		equal(1, len(must(g.GetClients(ctx, token, realm, gocloak.GetClientsParams{ClientID: p("shop")}))))
		equal("secret", *must(g.GetClientSecret(ctx, token, realm, shop)).Value)
		equal(true, *must(g.RegenerateClientSecret(ctx, token, realm, shop)).Value != "secret")
		equal("service-account-shop", *must(g.GetClientServiceAccount(ctx, token, realm, shop)).Username)
		equal(0, len(must(g.GetClientUserSessions(ctx, token, realm, shop))))
		equal(0, len(must(g.GetClientOfflineSessions(ctx, token, realm, shop))))
		permissions := gocloak.ManagementPermissionRepresentation{Enabled: p(true)}
		equal(true, *must(g.UpdateClientManagementPermissions(ctx, token, realm, shop, permissions)).Enabled)
		equal(true, *must(g.GetClientManagementPermissions(ctx, token, realm, shop)).Enabled)
		mapper := gocloak.ProtocolMapperRepresentation{
			Name: p("badge"), Protocol: p("openid-connect"), ProtocolMapper: p("oidc-usermodel-attribute-mapper"), Config: &badge,
		}
		id := must(g.CreateClientProtocolMapper(ctx, token, realm, shop, mapper))
		mapper.ID, mapper.Name = &id, p("number")
		ok(g.UpdateClientProtocolMapper(ctx, token, realm, shop, id, mapper))
		ok(g.DeleteClientProtocolMapper(ctx, token, realm, shop, id))
		ok(g.DeleteClient(ctx, token, realm, shop))
		refused(404, second(g.GetClient(ctx, token, realm, shop)))
	}},
	{"clients that are registered", func() {
		registrar := newClient("registrar")
		management := *must(g.GetClients(ctx, token, realm, gocloak.GetClientsParams{ClientID: p("realm-management")}))[0].ID
		account := *must(g.GetClientServiceAccount(ctx, token, realm, registrar)).ID
		manages := []gocloak.Role{*must(g.GetClientRole(ctx, token, realm, management, "manage-clients"))}
		ok(g.AddClientRolesToUser(ctx, token, realm, management, account, manages))
		ok(g.UpdateClient(ctx, token, realm, gocloak.Client{ID: &registrar, ClientID: p("registrar"), FullScopeAllowed: p(true)}))
		bearer := must(g.LoginClient(ctx, "registrar", "secret", realm)).AccessToken
		made := must(g.CreateClientRepresentation(ctx, bearer, realm, gocloak.Client{ClientID: p("registered")}))
		one := *must(g.GetClientRepresentation(ctx, *made.RegistrationAccessToken, realm, "registered"))
		equal("registered", *must(g.GetAdapterConfiguration(ctx, bearer, realm, "registered")).Resource)
		// gocloak wants an id here, but does not use it
		change := gocloak.Client{ID: p("registered"), ClientID: p("registered"), Name: p("Registered")}
		changed := must(g.UpdateClientRepresentation(ctx, *one.RegistrationAccessToken, realm, change))
		equal("Registered", *changed.Name)
		ok(g.DeleteClientRepresentation(ctx, *changed.RegistrationAccessToken, realm, "registered"))
		ok(g.DeleteClient(ctx, token, realm, registrar))
	}},
	{"roles of clients", func() {
		shop, ann := newClient("with-roles"), newUser("ann")
		group := must(g.CreateGroup(ctx, token, realm, gocloak.Group{Name: p("sellers")}))
		for _, name := range []string{"sell", "count"} {
			must(g.CreateClientRole(ctx, token, realm, shop, gocloak.Role{Name: p(name)}))
		}
		sell, count := must(g.GetClientRole(ctx, token, realm, shop, "sell")), must(g.GetClientRole(ctx, token, realm, shop, "count"))
		sell.Description = p("sells")
		ok(g.UpdateRole(ctx, token, realm, shop, *sell))
		equal("sells", *must(g.GetClientRoleByID(ctx, token, realm, *sell.ID)).Description)
		has(must(g.GetClientRoles(ctx, token, realm, shop, gocloak.GetRoleParams{})), role("count"))
		ok(g.AddClientRoleComposite(ctx, token, realm, *sell.ID, []gocloak.Role{*count}))
		has(must(g.GetCompositeClientRolesByRoleID(ctx, token, realm, shop, *sell.ID)), role("count"))
		ok(g.DeleteClientRoleComposite(ctx, token, realm, *sell.ID, []gocloak.Role{*count}))
		both := []gocloak.Role{*sell, *count}
		has(must(g.GetAvailableClientRolesByUserID(ctx, token, realm, shop, ann)), role("sell"))
		ok(g.AddClientRolesToUser(ctx, token, realm, shop, ann, both))
		has(must(g.GetClientRolesByUserID(ctx, token, realm, shop, ann)), role("sell"))
		has(must(g.GetCompositeClientRolesByUserID(ctx, token, realm, shop, ann)), role("sell"))
		equal(ann, *must(g.GetUsersByClientRoleName(ctx, token, realm, shop, "sell", gocloak.GetUsersByRoleParams{}))[0].ID)
		ok(g.DeleteClientRolesFromUser(ctx, token, realm, shop, ann, both))
		ok(g.AddClientRoleToUser(ctx, token, realm, shop, ann, []gocloak.Role{*sell}))
		ok(g.DeleteClientRoleFromUser(ctx, token, realm, shop, ann, []gocloak.Role{*sell}))
		lacks(must(g.GetClientRolesByUserID(ctx, token, realm, shop, ann)), role("sell"))
		has(must(g.GetAvailableClientRolesByGroupID(ctx, token, realm, shop, group)), role("sell"))
		ok(g.AddClientRolesToGroup(ctx, token, realm, shop, group, []gocloak.Role{*count}))
		ok(g.AddClientRoleToGroup(ctx, token, realm, shop, group, []gocloak.Role{*sell}))
		has(must(g.GetClientRolesByGroupID(ctx, token, realm, shop, group)), role("sell"))
		has(must(g.GetCompositeClientRolesByGroupID(ctx, token, realm, shop, group)), role("count"))
		equal(group, *must(g.GetGroupsByClientRole(ctx, token, realm, "sell", shop))[0].ID)
		ok(g.DeleteClientRoleFromGroup(ctx, token, realm, shop, group, both))
		ok(g.DeleteClientRole(ctx, token, realm, shop, "count"))
		refused(404, second(g.GetClientRole(ctx, token, realm, shop, "count")))
		ok(g.DeleteGroup(ctx, token, realm, group))
		ok(g.DeleteUser(ctx, token, realm, ann))
		ok(g.DeleteClient(ctx, token, realm, shop))
	}},
	{"scopes of a client", func() {
		shop := newClient("scoped")
		tickets := must(g.CreateClientScope(ctx, token, realm, gocloak.ClientScope{Name: p("tickets"), Protocol: p("openid-connect")}))
		ok(g.AddDefaultScopeToClient(ctx, token, realm, shop, tickets))
		has(must(g.GetClientsDefaultScopes(ctx, token, realm, shop)), scope("tickets"))
		ok(g.RemoveDefaultScopeFromClient(ctx, token, realm, shop, tickets))
		ok(g.AddOptionalScopeToClient(ctx, token, realm, shop, tickets))
		has(must(g.GetClientsOptionalScopes(ctx, token, realm, shop)), scope("tickets"))
		ok(g.RemoveOptionalScopeFromClient(ctx, token, realm, shop, tickets))
		lacks(must(g.GetClientsOptionalScopes(ctx, token, realm, shop)), scope("tickets"))
		offline := []gocloak.Role{*must(g.GetRealmRole(ctx, token, realm, "offline_access"))}
		has(must(g.GetClientScopeMappingsRealmRolesAvailable(ctx, token, realm, shop)), role("offline_access"))
		ok(g.CreateClientScopeMappingsRealmRoles(ctx, token, realm, shop, offline))
		has(must(g.GetClientScopeMappingsRealmRoles(ctx, token, realm, shop)), role("offline_access"))
		equal(1, len(*must(g.GetClientScopeMappings(ctx, token, realm, shop)).RealmMappings))
		ok(g.DeleteClientScopeMappingsRealmRoles(ctx, token, realm, shop, offline))
		other := newClient("other")
		must(g.CreateClientRole(ctx, token, realm, other, gocloak.Role{Name: p("sell")}))
		sell := []gocloak.Role{*must(g.GetClientRole(ctx, token, realm, other, "sell"))}
		has(must(g.GetClientScopeMappingsClientRolesAvailable(ctx, token, realm, shop, other)), role("sell"))
		ok(g.CreateClientScopeMappingsClientRoles(ctx, token, realm, shop, other, sell))
		has(must(g.GetClientScopeMappingsClientRoles(ctx, token, realm, shop, other)), role("sell"))
		ok(g.DeleteClientScopeMappingsClientRoles(ctx, token, realm, shop, other, sell))
		has(must(g.GetClientScopesScopeMappingsRealmRolesAvailable(ctx, token, realm, tickets)), role("offline_access"))
		ok(g.CreateClientScopesScopeMappingsRealmRoles(ctx, token, realm, tickets, offline))
		has(must(g.GetClientScopesScopeMappingsRealmRoles(ctx, token, realm, tickets)), role("offline_access"))
		ok(g.DeleteClientScopesScopeMappingsRealmRoles(ctx, token, realm, tickets, offline))
		has(must(g.GetClientScopesScopeMappingsClientRolesAvailable(ctx, token, realm, tickets, other)), role("sell"))
		ok(g.CreateClientScopesScopeMappingsClientRoles(ctx, token, realm, tickets, other, sell))
		has(must(g.GetClientScopesScopeMappingsClientRoles(ctx, token, realm, tickets, other)), role("sell"))
		ok(g.DeleteClientScopesScopeMappingsClientRoles(ctx, token, realm, tickets, other, sell))
		ok(g.DeleteClientScope(ctx, token, realm, tickets))
		ok(g.DeleteClient(ctx, token, realm, other))
		ok(g.DeleteClient(ctx, token, realm, shop))
	}},
	{"client scopes", func() {
		library := must(g.CreateClientScope(ctx, token, realm, gocloak.ClientScope{Name: p("library"), Protocol: p("openid-connect")}))
		ok(g.UpdateClientScope(ctx, token, realm, gocloak.ClientScope{ID: &library, Name: p("library"), Description: p("Books")}))
		equal("Books", *must(g.GetClientScope(ctx, token, realm, library)).Description)
		has(must(g.GetClientScopes(ctx, token, realm)), scope("library"))
		has(must(g.GetDefaultDefaultClientScopes(ctx, token, realm)), scope("email"))
		has(must(g.GetDefaultOptionalClientScopes(ctx, token, realm)), scope("phone"))
		mapper := gocloak.ProtocolMappers{
			Name: p("badge"), Protocol: p("openid-connect"), ProtocolMapper: p("oidc-usermodel-attribute-mapper"),
			ProtocolMappersConfig: &gocloak.ProtocolMappersConfig{ClaimName: p("badge"), UserAttribute: p("badge")},
		}
		id := must(g.CreateClientScopeProtocolMapper(ctx, token, realm, library, mapper))
		mapper.ID, mapper.ProtocolMappersConfig.ClaimName = &id, p("number")
		ok(g.UpdateClientScopeProtocolMapper(ctx, token, realm, library, mapper))
		equal("number", *must(g.GetClientScopeProtocolMapper(ctx, token, realm, library, id)).ProtocolMappersConfig.ClaimName)
		equal(1, len(must(g.GetClientScopeProtocolMappers(ctx, token, realm, library))))
		ok(g.DeleteClientScopeProtocolMapper(ctx, token, realm, library, id))
		ok(g.DeleteClientScope(ctx, token, realm, library))
		refused(404, second(g.GetClientScope(ctx, token, realm, library)))
	}},
	{"tokens and sessions", func() {
		shop, ann := newClient("tokens"), newUser("ann")
		ok(g.SetPassword(ctx, token, ann, realm, "pw-ann", false))
		login := func() *gocloak.JWT { return must(g.Login(ctx, "tokens", "secret", realm, "ann", "pw-ann")) }
		one := login()
		equal("ann", *must(g.GetUserInfo(ctx, must(g.GetToken(ctx, realm, gocloak.TokenOptions{
			ClientID: p("tokens"), ClientSecret: p("secret"), GrantType: p("password"), Username: p("ann"), Password: p("pw-ann"), Scope: p("openid"),
		})).AccessToken, realm)).PreferredUsername)
		must(g.GetRawUserInfo(ctx, one.AccessToken, realm))
		equal(true, *must(g.RetrospectToken(ctx, one.AccessToken, "tokens", "secret", realm)).Active)
		_, claims, err := g.DecodeAccessToken(ctx, one.AccessToken, realm)
		ok(err)
		equal("tokens", (*claims)["azp"].(string))
		must(g.DecodeAccessTokenCustomClaims(ctx, one.AccessToken, realm, &jwt.RegisteredClaims{}))
		one = must(g.RefreshToken(ctx, one.RefreshToken, "tokens", "secret", realm))
		must(g.LoginOtp(ctx, "tokens", "secret", realm, "ann", "pw-ann", ""))
		equal(true, len(must(g.GetUserSessions(ctx, token, realm, ann))) > 0)
		equal(0, len(must(g.GetUserOfflineSessionsForClient(ctx, token, realm, ann, shop))))
		ok(g.Logout(ctx, "tokens", "secret", realm, one.RefreshToken))
		ok(g.RevokeToken(ctx, realm, "tokens", "secret", login().RefreshToken))
		login()
		ok(g.LogoutUserSession(ctx, token, realm, *must(g.GetUserSessions(ctx, token, realm, ann))[0].ID))
		login()
		ok(g.LogoutAllSessions(ctx, token, realm, ann))
		equal(0, len(must(g.GetUserSessions(ctx, token, realm, ann))))
		refused(404, g.RevokeUserConsents(ctx, token, realm, ann, "tokens"))
		must(g.LoginClient(ctx, "tokens", "secret", realm))
		public := must(g.CreateClient(ctx, token, realm, gocloak.Client{ClientID: p("public"), PublicClient: p(true), DirectAccessGrantsEnabled: p(true)}))
		open := must(g.Login(ctx, "public", "", realm, "ann", "pw-ann"))
		ok(g.LogoutPublicClient(ctx, "public", realm, open.AccessToken, open.RefreshToken))
		ok(g.DeleteClient(ctx, token, realm, public))
		ok(g.DeleteUser(ctx, token, realm, ann))
		ok(g.DeleteClient(ctx, token, realm, shop))
	}},
	{"a client that signs its assertions", func() {
		key := must(rsa.GenerateKey(rand.Reader, 2048))
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "signs"}, NotAfter: time.Now().Add(time.Hour)}
		certificate := base64.StdEncoding.EncodeToString(must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)))
		id := must(g.CreateClient(ctx, token, realm, gocloak.Client{
			ClientID: p("signs"), ServiceAccountsEnabled: p(true), ClientAuthenticatorType: p("client-jwt"),
			Attributes: &map[string]string{"jwt.credential.certificate": certificate},
		}))
		expires := jwt.NewNumericDate(time.Now().Add(time.Minute))
		must(g.LoginClientSignedJWT(ctx, "signs", realm, key, jwt.SigningMethodRS256, expires))
		ok(g.DeleteClient(ctx, token, realm, id))
	}},
}
