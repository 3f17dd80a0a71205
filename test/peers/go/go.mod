module realmgate/peer

go 1.21

require (
	github.com/Nerzal/gocloak/v13 v13.9.0
	github.com/golang-jwt/jwt/v5 v5.0.0
)

require (
	github.com/go-resty/resty/v2 v2.7.0 // indirect
	github.com/opentracing/opentracing-go v1.2.0 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/segmentio/ksuid v1.0.4 // indirect
	golang.org/x/net v0.17.0 // indirect
)
