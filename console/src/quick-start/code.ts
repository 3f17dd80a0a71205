import { addressPrefix } from '../session/address-prefix.js';

/** The names that the code of a quick start contains. */
interface Names {
  /** origin of the server */
  origin: string;
  realm: string;
  clientId: string;
}

const issuerOf = ({ origin, realm }: Names): string => `${origin}${addressPrefix}/realms/${encodeURIComponent(realm)}`;

/** A text in a program. */
const quoted = (text: string): string => JSON.stringify(text);

/** A text in a command of a shell. */
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Code of an application that uses the client, by the kind of application. */
export const code = {
  browser: ({ origin, realm, clientId }: Names) => `import Keycloak from 'keycloak-js';

const keycloak = new Keycloak({ url: ${quoted(`${origin}${addressPrefix}`)}, realm: ${quoted(realm)}, clientId: ${quoted(clientId)} });
await keycloak.init({ onLoad: 'login-required' });
document.body.append(\`Signed in as \${keycloak.tokenParsed.preferred_username}\`);

export async function fetchAsUser(address) {
  await keycloak.updateToken(30);
  return fetch(address, { headers: { authorization: \`Bearer \${keycloak.token}\` } });
}
`,
  server: (names: Names) => `import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const redirect_uri = 'http://localhost:3000/callback';
const config = await oidc.discovery(
  new URL(${quoted(issuerOf(names))}),
  ${quoted(names.clientId)},
  process.env.CLIENT_SECRET,${names.origin.startsWith('http:') ? '\n  undefined,\n  { execute: [oidc.allowInsecureRequests] },' : ''}
);
const logins = new Map();

createServer(async (request, response) => {
  const url = new URL(request.url, redirect_uri);
  if (url.pathname === '/') {
    const state = oidc.randomState();
    const expectedNonce = oidc.randomNonce();
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    logins.set(state, { expectedState: state, expectedNonce, pkceCodeVerifier });
    const location = oidc.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid',
      state,
      nonce: expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    // only the browser that began the login can end it
    const cookie = \`login=\${state}; HttpOnly; SameSite=Lax\`;
    response.writeHead(302, { location: location.href, 'set-cookie': cookie }).end();
    return;
  }
  const state = /\\blogin=([\\w-]+)/.exec(request.headers.cookie)?.[1];
  const checks = logins.get(state);
  logins.delete(state);
  try {
    if (!checks) throw new Error('Open / to log in.');
    const tokens = await oidc.authorizationCodeGrant(config, url, checks);
    response.end(\`Signed in as \${tokens.claims().preferred_username}\`);
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
}).listen(3000);
`,
  service: (names: Names) => `curl -s ${inShell(`${issuerOf(names)}/protocol/openid-connect/token`)} \\
  -d grant_type=client_credentials --data-urlencode ${inShell(`client_id=${names.clientId}`)} \\
  --data-urlencode "client_secret=$CLIENT_SECRET"
`,
  device: (names: Names) => `ISSUER=${inShell(issuerOf(names))}
CLIENT=${inShell(names.clientId)}
ANSWER=$(curl -s "$ISSUER/protocol/openid-connect/auth/device" --data-urlencode "client_id=$CLIENT" -d scope=openid)
value() { printf '%s' "$ANSWER" | sed -n 's/.*"'$1'":"\\([^"]*\\)".*/\\1/p'; }
CODE=$(value device_code)
echo "Open $(value verification_uri_complete)"
while sleep 5; do
  ANSWER=$(curl -s "$ISSUER/protocol/openid-connect/token" --data-urlencode "client_id=$CLIENT" \\
    -d grant_type=urn:ietf:params:oauth:grant-type:device_code -d "device_code=$CODE")
  case $(value error) in authorization_pending|slow_down) ;; *) break ;; esac
done
echo "$ANSWER"
`,
  api: (names: Names) => `import { createRemoteJWKSet, jwtVerify } from 'jose';

const issuer = ${quoted(issuerOf(names))};
const keys = createRemoteJWKSet(new URL(\`\${issuer}/protocol/openid-connect/certs\`));

export async function verifyRequest(request) {
  const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const { payload } = await jwtVerify(token, keys, { issuer, audience: ${quoted(names.clientId)} });
  return payload;
}
`,
  saml: (names: Names) => `curl -s -o idp-metadata.xml ${inShell(`${issuerOf(names)}/protocol/saml/descriptor`)}
`,
};
