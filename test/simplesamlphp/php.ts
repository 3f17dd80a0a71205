import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from '../saml/world.js';
import { atEndOfFile } from '../support/database.js';

const home = '/usr/share/simplesamlphp';

/** Whether SimpleSAMLphp is installed, with the PHP that serves it. */
export const hasSimpleSaml = existsSync(`${home}/www`) && existsSync('/usr/bin/php');

export interface SimpleSaml {
  url: string;
  /** Gives it the metadata of the other side. */
  trust(descriptors: { provider?: string; service?: string }): void;
}

const text = (value: string): string => `'${value.replace(/['\\]/g, '\\$&')}'`;
/** PHP that reads descriptors with the tools of SimpleSAMLphp. */
const parsed = (file: string, method: string) => `<?php
if (is_file(${text(file)}))
  foreach (SimpleSAML\\Metadata\\SAMLParser::parseDescriptorsString(file_get_contents(${text(file)})) as $id => $entity)
    $metadata[$id] = $entity->${method}();
`;

/** Starts SimpleSAMLphp as an identity provider with the user `ann`, and as a service provider. It ends with the test file. */
export async function startSimpleSaml(
  keys: KeyPair,
  more: { provider?: string; service?: string } = {},
): Promise<SimpleSaml> {
  const folder = mkdtempSync(join(tmpdir(), 'simplesaml-'));
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  for (const name of ['metadata', 'certificates', 'log', 'temporary', 'sessions']) mkdirSync(join(folder, name));
  write('certificates/idp.pem', keys.pem);
  write('certificates/idp.crt', `-----BEGIN CERTIFICATE-----\n${keys.certificate}\n-----END CERTIFICATE-----\n`);
  write(
    'config.php',
    `<?php
$config = [
  'baseurlpath' => 'http://' . ($_SERVER['HTTP_HOST'] ?? 'localhost') . '/',
  'certdir' => ${text(join(folder, 'certificates/'))},
  'loggingdir' => ${text(join(folder, 'log/'))},
  'tempdir' => ${text(join(folder, 'temporary'))},
  'metadatadir' => ${text(join(folder, 'metadata/'))},
  'secretsalt' => 'of the tests',
  'auth.adminpassword' => 'of the tests',
  'technicalcontact_email' => 'tests@example.org',
  'timezone' => 'UTC',
  'logging.handler' => 'file',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'store.type' => 'phpsession',
  'session.phpsession.savepath' => ${text(join(folder, 'sessions'))},
  'session.cookie.secure' => false,
  'trusted.url.domains' => [],
  'proxy' => null,
  'showerrors' => true,
];
`,
  );
  write(
    'authsources.php',
    `<?php
$config = [
  'admin' => ['core:AdminPassword'],
  'people' => ['exampleauth:UserPass', 'ann:pw-ann' => ['uid' => ['ann-of-ssp'], 'urn:oid:0.9.2342.19200300.100.1.3' => ['anna@ssp.example'], 'urn:oid:2.5.4.42' => ['Anna'], 'urn:oid:2.5.4.4' => ['Simple']]],
  'default-sp' => ['saml:SP', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt', 'sign.authnrequest' => true, 'sign.logout' => true, 'idp' => null, 'WantAssertionsSigned' => true, ${more.service ?? ''}],
];
`,
  );
  write(
    'metadata/saml20-idp-hosted.php',
    `<?php
$metadata['https://ssp.example/idp'] = [
  'host' => '__DEFAULT__', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt', 'auth' => 'people', 'redirect.sign' => true,
  'saml20.sign.response' => true, 'saml20.sign.assertion' => true, 'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  'authproc' => [110 => ['class' => 'saml:AttributeNameID', 'attribute' => 'uid', 'Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']], ${more.provider ?? ''}
];
`,
  );
  write('metadata/saml20-sp-remote.php', parsed(join(folder, 'service.xml'), 'getMetadata20SP'));
  write('metadata/saml20-idp-remote.php', parsed(join(folder, 'provider.xml'), 'getMetadata20IdP'));
  // the server names the port that it has taken
  const server = spawn('/usr/bin/php', ['-S', '127.0.0.1:0', '-t', `${home}/www`], {
    env: { SIMPLESAMLPHP_CONFIG_DIR: folder, PHP_CLI_SERVER_WORKERS: '2' },
  });
  atEndOfFile(() => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await new Promise<string>((done, failed) => {
    let printed = '';
    server.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /Development Server \((http:\S+)\) started/.exec(printed)?.[1];
      if (found) done(found);
    });
    server.once('exit', () => failed(new Error(`SimpleSAMLphp has ended: ${printed}`)));
  });
  return {
    url,
    trust({ provider, service }) {
      if (provider !== undefined) write('provider.xml', provider);
      if (service !== undefined) write('service.xml', service);
    },
  };
}
