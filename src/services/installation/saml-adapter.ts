import { type Element, writeXml } from '../core/xml.js';
import { quoted } from './quoted.js';
import { type InstalledClient, isOn, pem, privateKeyPem } from './source.js';

const signs = (client: InstalledClient) => isOn(client, 'saml.client.signature');
const encrypts = (client: InstalledClient) => isOn(client, 'saml.encrypt');

/** A key of the client in PEM, or a placeholder if it is unknown or must not be shown. */
function keyPair({ attributes }: InstalledClient, use: 'signing' | 'encryption') {
  const privateKey = attributes[`saml.${use}.private.key`];
  const certificate = attributes[`saml.${use}.certificate`];
  return {
    PrivateKeyPem: privateKey ? privateKeyPem(privateKey) : 'PRIVATE KEY NOT SET UP OR KNOWN',
    CertificatePem: certificate ? pem('CERTIFICATE', certificate) : 'YOU MUST CONFIGURE YOUR CLIENT CERTIFICATE',
  };
}

const keysOf = (client: InstalledClient) => [
  ...(signs(client) ? [{ use: 'signing', ...keyPair(client, 'signing') }] : []),
  ...(encrypts(client) ? [{ use: 'encryption', ...keyPair(client, 'encryption') }] : []),
];

const algorithmOf = ({ attributes }: InstalledClient): string => attributes['saml.signature.algorithm'] || 'RSA_SHA256';

const canonicalizationOf = ({ attributes }: InstalledClient): string | undefined =>
  attributes.saml_signature_canonicalization_method || undefined;

/** How the adapter logs users in and out, by the names of the configuration. */
function endpointsOf(client: InstalledClient) {
  const signed = String(signs(client));
  const verified = String(isOn(client, 'saml.server.signature'));
  const url = `${client.issuer}/protocol/saml`;
  return {
    SingleSignOnService: {
      signRequest: signed,
      validateResponseSignature: verified,
      validateAssertionSignature: String(isOn(client, 'saml.assertion.signature')),
      requestBinding: 'POST',
      bindingUrl: url,
    },
    SingleLogoutService: {
      signRequest: signed,
      signResponse: signed,
      validateRequestSignature: verified,
      validateResponseSignature: verified,
      requestBinding: 'POST',
      responseBinding: 'POST',
      postBindingUrl: url,
      redirectBindingUrl: url,
    },
  };
}

const attributes = (values: Record<string, string>): Element =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, value]));

function serviceProvider(client: InstalledClient): Element {
  const { SingleSignOnService, SingleLogoutService } = endpointsOf(client);
  const canonicalization = canonicalizationOf(client);
  const keys = keysOf(client).map(({ use, ...pair }) => ({ [`@${use}`]: 'true', ...pair }));
  return {
    '@entityID': 'SPECIFY YOUR entityID!',
    '@sslPolicy': client.realm.sslRequired.toUpperCase(),
    '@logoutPage': 'SPECIFY YOUR LOGOUT PAGE!',
    ...(keys.length > 0 && { Keys: { Key: keys } }),
    IDP: {
      '@entityID': 'idp',
      ...(signs(client) && { '@signatureAlgorithm': algorithmOf(client) }),
      ...(signs(client) && canonicalization && { '@signatureCanonicalizationMethod': canonicalization }),
      SingleSignOnService: attributes(SingleSignOnService),
      SingleLogoutService: attributes(SingleLogoutService),
    },
  };
}

/** keycloak-saml.xml: the configuration of SAML adapters. */
export const adapterXml = (client: InstalledClient): Promise<string> =>
  writeXml({ 'keycloak-saml-adapter': { SP: serviceProvider(client) } });

/** The deployment in the configuration of a server with the adapter as a subsystem. */
export const samlSubsystem = (client: InstalledClient): Promise<string> =>
  writeXml({ 'secure-deployment': { '@name': 'YOUR-WAR.war', SP: serviceProvider(client) } });

const listed = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ');

/** The settings as commands for the console of the server. */
export function samlSubsystemCli(client: InstalledClient): string {
  const deployment = '/subsystem=keycloak-saml/secure-deployment=YOUR-WAR.war';
  const provider = `${deployment}/SP="SPECIFY YOUR entityID!"`;
  const { SingleSignOnService, SingleLogoutService } = endpointsOf(client);
  const canonicalization = canonicalizationOf(client);
  const signature = signs(client) ? [`signatureAlgorithm=${quoted(algorithmOf(client))}`] : [];
  if (signs(client) && canonicalization) {
    signature.push(`signatureCanonicalizationMethod=${quoted(canonicalization)}`);
  }
  const keys = keysOf(client).map(
    ({ use, PrivateKeyPem, CertificatePem }, index) =>
      `${provider}/Key=KEY${index + 1}:add(${use}=true, ${listed({ PrivateKeyPem, CertificatePem })})`,
  );
  const idp = [
    ...signature,
    `SingleSignOnService={${listed(SingleSignOnService)}}`,
    `SingleLogoutService={${listed(SingleLogoutService)}}`,
  ];
  return [
    `${deployment}/:add`,
    `${provider}/:add(sslPolicy=${client.realm.sslRequired.toUpperCase()}, logoutPage="SPECIFY YOUR LOGOUT PAGE!")`,
    ...keys,
    `${provider}/IDP=idp/:add( \\\n${idp.map((line) => `    ${line}`).join(', \\\n')})`,
    '',
  ].join('\n');
}
