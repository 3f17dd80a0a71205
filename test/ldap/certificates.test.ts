import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { selfSigned } from '../mail/mailbox.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, rootDn, rootPassword } from './directory.js';

// the certificate of the directory is for 127.0.0.1 and not for localhost
const right = '127.0.0.1';
const wrong = 'localhost';

describe.skipIf(!hasSlapd)('the certificate of a directory', () => {
  let slapd: Slapd;
  let certificate: { cert: string; key: string };

  beforeAll(async () => {
    certificate = await selfSigned();
    slapd = await directoryWith([person('anna')], certificate);
  }, 60_000);

  // the servers of one process share the authorities, so the one that knows none is started later
  describe.each([true, false])('of an authority that is known: %s', (isKnown) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer(isKnown ? { ldapAuthorities: certificate.cert } : {});
    });

    const cases = (['ldaps', 'startTls'] as const).flatMap((kind) =>
      [undefined, 'ldapsOnly', 'always', 'never'].flatMap((useTruststoreSpi) =>
        [right, wrong].map((host) => ({
          kind,
          useTruststoreSpi,
          host,
          status: isKnown && useTruststoreSpi !== 'never' && host === right ? 204 : 400,
        })),
      ),
    );
    it.each(cases)(
      '$kind with useTruststoreSpi $useTruststoreSpi to $host: $status',
      async ({ kind, useTruststoreSpi, host, status }) => {
        const url = kind === 'ldaps' ? slapd.secureUrl.replace('localhost', host) : slapd.url.replace(right, host);
        const answer = await (await administrator(server)).send('POST', '/master/testLDAPConnection', {
          action: 'testAuthentication',
          connectionUrl: url,
          bindDn: rootDn,
          bindCredential: rootPassword,
          startTls: String(kind === 'startTls'),
          ...(useTruststoreSpi && { useTruststoreSpi }),
        });
        expect(answer.status).toBe(status);
      },
    );
  });
});
