import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { blocksOf, printed } from '../documents/blocks.js';
import { hasCommands } from '../documents/clone.js';
import { selfSigned } from '../mail/mailbox.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { directoryWith, group, hasSlapd, person, personDn, storageFor, suffix, synchronise } from './directory.js';

const page = readFileSync('docs/directories.md', 'utf8');
const blocks = blocksOf('docs/directories.md', 'sh');

describe.skipIf(!hasSlapd || !hasCommands('bash', 'curl'))('the page about directories', () => {
  it('has commands that work, and print what it says', async () => {
    const people = [person('ann'), person('bob'), group('staff', [personDn('ann')])];
    const { url } = await directoryWith(people);
    const server = await startServer();
    const adapted = (text: string) =>
      text.replaceAll('http://localhost:8080', server.url).replaceAll('ldap://ldap.example.org:389', url);
    const script = blocks.map(({ text }) => `${adapted(text)}\necho; echo ===\n`).join('');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
    const outputs = stdout.split('===\n');
    expect(blocks.length).toBeGreaterThan(8);
    for (const [at, { output }] of blocks.entries()) {
      if (output !== undefined) expect(outputs[at]?.trim()).toMatch(printed(output));
    }
  }, 60_000);

  it('names the errors that there are', async () => {
    const certificate = await selfSigned();
    const referral = `dn: ou=far,${suffix}\nobjectClass: referral\nobjectClass: extensibleObject\nou: far\nref: ldap://127.0.0.1:1/${suffix}\n`;
    const slapd = await directoryWith([person('ann'), referral], certificate);
    const server = await startServer({ ldapAuthorities: certificate.cert });
    const admin = await administrator(server);
    const secure = slapd.secureUrl.replace('localhost', '127.0.0.1');
    const faults: [string, Record<string, string>][] = [
      ['ldap://127.0.0.1:1', {}],
      [secure, { useTruststoreSpi: 'never' }],
      [slapd.secureUrl, {}],
      [slapd.url, { bindCredential: 'wrong' }],
      [slapd.url, { usersDn: `ou=nowhere,${suffix}` }],
      [slapd.url, { usersDn: `ou=people,ou=far,${suffix}` }],
    ];
    const said: string[] = [];
    for (const [at, [url, config]] of faults.entries()) {
      const realm = `fault-${at}`;
      expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
      const { body } = await synchronise(admin, realm, await storageFor(admin, realm, url, config));
      said.push(String(body.errorMessage).replace('User storage "directory": ', ''));
    }
    expect(new Set(said).size).toBe(faults.length);
    const [, troubleshooting = ''] = page.split('## Troubleshooting');
    for (const text of said) {
      const [, sentence = '', code = ''] = /^(.*?)(?: (\(\w+\)))?$/.exec(text) ?? [];
      expect(troubleshooting).toContain(`\`${sentence}`);
      expect(troubleshooting).toContain(code);
    }
  }, 60_000);
});
