import { writeXml } from '../core/xml.js';
import { quoted } from './quoted.js';
import type { InstalledClient } from './source.js';

type Credential = string | Record<string, string | number>;

/** The client's credentials in the form of adapters; undefined for a client without authentication. */
function credentialsOf(client: InstalledClient): Record<string, Credential> | undefined {
  const { publicClient, bearerOnly, nodeReRegistrationTimeout, authorizationServicesEnabled } = client;
  if (publicClient) return undefined;
  if (bearerOnly && !authorizationServicesEnabled && nodeReRegistrationTimeout <= 0) return undefined;
  switch (client.clientAuthenticatorType) {
    case 'client-jwt':
      return {
        jwt: {
          'client-key-password': 'REPLACE WITH THE KEY PASSWORD IN KEYSTORE',
          'client-keystore-file': 'REPLACE WITH THE LOCATION OF YOUR KEYSTORE FILE',
          'client-keystore-password': 'REPLACE WITH THE KEYSTORE PASSWORD',
          'client-key-alias': client.clientId,
          'token-timeout': 10,
          'client-keystore-type': 'jks',
        },
      };
    case 'client-secret-jwt': {
      const algorithm = client.attributes['token.endpoint.auth.signing.alg'];
      return { 'secret-jwt': { secret: client.secret ?? '', ...(algorithm && { algorithm }) } };
    }
    case 'client-x509':
      return {};
    default:
      return { secret: client.secret ?? '' };
  }
}

/** keycloak.json: the configuration of OpenID Connect adapters. */
export function keycloakJson(client: InstalledClient): string {
  const { realm, baseUrl, clientId, bearerOnly, publicClient, hasRoles, isAudience } = client;
  const credentials = credentialsOf(client);
  const settings = {
    realm: realm.name,
    ...(bearerOnly && { 'bearer-only': true }),
    'auth-server-url': `${baseUrl}/`,
    'ssl-required': realm.sslRequired.toLowerCase(),
    resource: clientId,
    ...(publicClient && !bearerOnly && { 'public-client': true }),
    ...((hasRoles || isAudience) && { 'verify-token-audience': true }),
    ...(credentials && { credentials }),
    ...(hasRoles && { 'use-resource-role-mappings': true }),
    'confidential-port': 0,
    ...(client.authorizationServicesEnabled && { 'policy-enforcer': {} }),
  };
  return JSON.stringify(settings, undefined, 2);
}

/** The deployment in the configuration of a server with the adapter as a subsystem. */
export function oidcSubsystem(client: InstalledClient): Promise<string> {
  const { realm, baseUrl, clientId, bearerOnly, publicClient, hasRoles } = client;
  const credential = Object.entries(credentialsOf(client) ?? {}).map(([name, value]) => ({
    '@name': name,
    ...(typeof value === 'string' ? { '#': value } : value),
  }));
  return writeXml({
    'secure-deployment': {
      '@name': 'WAR MODULE NAME.war',
      realm: realm.name,
      'auth-server-url': `${baseUrl}/`,
      ...(bearerOnly ? { 'bearer-only': 'true' } : publicClient && { 'public-client': 'true' }),
      'ssl-required': realm.sslRequired.toUpperCase(),
      resource: clientId,
      ...(credential.length > 0 && { credential }),
      ...(hasRoles && { 'use-resource-role-mappings': 'true' }),
    },
  });
}

/** The settings as commands for the console of the server. */
export function oidcSubsystemCli(client: InstalledClient): string {
  const { realm, baseUrl, clientId, bearerOnly, publicClient, hasRoles } = client;
  const deployment = '/subsystem=keycloak/secure-deployment="WAR MODULE NAME.war"';
  const settings = [
    `realm=${quoted(realm.name)}`,
    `resource=${quoted(clientId)}`,
    `auth-server-url=${quoted(`${baseUrl}/`)}`,
    ...(bearerOnly ? ['bearer-only=true'] : publicClient ? ['public-client=true'] : []),
    `ssl-required=${realm.sslRequired.toUpperCase()}`,
    ...(hasRoles ? ['use-resource-role-mappings=true'] : []),
  ];
  const credentials = Object.entries(credentialsOf(client) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[name, value]]
      : Object.entries(value).map(([key, inner]) => [`${name}.${key}`, String(inner)]),
  );
  return [
    `${deployment}/:add( \\\n${settings.map((setting) => `    ${setting}`).join(', \\\n')})`,
    ...credentials.map(([name = '', value = '']) => `${deployment}/credential=${name}:add(value=${quoted(value)})`),
    '',
  ].join('\n');
}
