import { newCertifiedKey } from '../keys/generate.js';
import { type InstalledClient, pem } from './source.js';
import { zip } from './zip.js';

/** The settings of a registry that accepts tokens of the realm, by the names of its configuration file. */
const settingsOf = ({ issuer, clientId }: InstalledClient): [name: string, value: string][] => [
  ['realm', `${issuer}/protocol/docker-v2/auth`],
  ['service', clientId],
  ['issuer', issuer],
];

const yamlText = (text: string): string => JSON.stringify(text);

/** The part of the configuration file of a registry. */
export const registryConfig = (client: InstalledClient): string =>
  ['auth:', '  token:', ...settingsOf(client).map(([name, value]) => `    ${name}: ${yamlText(value)}`), ''].join('\n');

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The options of docker that set the variables of the environment. */
export const variableOverride = (client: InstalledClient): string =>
  settingsOf(client)
    .map(([name, value]) => `-e REGISTRY_AUTH_TOKEN_${name.toUpperCase()}=${shellText(value)}\n`)
    .join('');

const readme = `A registry for trying things out
================================

1. Start it: docker-compose up
2. Have docker trust certs/localhost.crt, or add localhost:5000 to its insecure registries.
3. Log in: docker login localhost:5000

The key in certs was made for this archive. Do not use it for anything else.
`;

/** All files of a registry for tests, as a zip archive; its key was generated for it. */
export async function dockerComposeZip(client: InstalledClient): Promise<Uint8Array> {
  const { privateKey, certificate } = await newCertifiedKey('localhost', client.realm.id);
  const [trusted] = client.signingKeys;
  const compose = [
    'registry:',
    '  image: registry:2',
    '  ports:',
    '    - "127.0.0.1:5000:5000"',
    '  environment:',
    '    REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY: /data',
    '    REGISTRY_HTTP_TLS_CERTIFICATE: /opt/certs/localhost.crt',
    '    REGISTRY_HTTP_TLS_KEY: /opt/certs/localhost.key',
    '    REGISTRY_AUTH_TOKEN_ROOTCERTBUNDLE: /opt/certs/localhost_trust_chain.pem',
    ...settingsOf(client).map(([name, value]) => `    REGISTRY_AUTH_TOKEN_${name.toUpperCase()}: ${yamlText(value)}`),
    '  volumes:',
    '    - ./data:/data:z',
    '    - ./certs:/opt/certs:z',
    '',
  ];
  return zip({
    'keycloak-docker-compose-yaml/docker-compose.yaml': compose.join('\n'),
    'keycloak-docker-compose-yaml/README.md': readme,
    'keycloak-docker-compose-yaml/certs/localhost.crt': pem('CERTIFICATE', certificate),
    'keycloak-docker-compose-yaml/certs/localhost.key': privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    'keycloak-docker-compose-yaml/certs/localhost_trust_chain.pem': trusted
      ? pem('CERTIFICATE', trusted.certificate)
      : '',
    'keycloak-docker-compose-yaml/data/.keep': '',
  });
}
