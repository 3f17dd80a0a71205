// Walks the methods of gocloak on the service of PEER_BASE. Ends with status 1 when a case fails.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/Nerzal/gocloak/v13"
)

const realm = "go-peer"

var (
	ctx   = context.Background()
	g     *gocloak.GoCloak
	token string
)

func main() {
	base, password := os.Getenv("PEER_BASE"), os.Getenv("PEER_PASSWORD")
	g = gocloak.NewClient(base, gocloak.SetAuthRealms("realms"), gocloak.SetAuthAdminRealms("admin/realms"))
	g.SetRestyClient(g.RestyClient().SetHeader("User-Agent", "gocloak"))
	lasting := gocloak.RealmRepresentation{Realm: p("master"), AccessTokenLifespan: p(3600)}
	ok(g.UpdateRealm(ctx, must(g.LoginAdmin(ctx, "admin", password, "master")).AccessToken, lasting))
	token = must(g.LoginAdmin(ctx, "admin", password, "master")).AccessToken
	mail := map[string]string{"host": "127.0.0.1", "port": os.Getenv("PEER_SMTP_PORT"), "from": "realm@peer.example"}
	must(g.CreateRealm(ctx, token, gocloak.RealmRepresentation{Realm: p(realm), Enabled: p(true), SMTPServer: &mail}))
	for _, part := range [][]testCase{realmCases, userCases, clientCases, flowCases, authorizationCases} {
		for _, one := range part {
			run(one)
		}
	}
	run(testCase{"the realm is gone", func() {
		ok(g.DeleteRealm(ctx, token, realm))
		refused(404, second(g.GetRealm(ctx, token, realm)))
	}})
	report()
	fmt.Printf("%d cases passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
