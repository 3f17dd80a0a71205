import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Forms whose files are larger than a piece of the body, and that end too early: their files are on the disk under no name.
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

const boundary = 'b';
const part = (name: string, content: string, file = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
const query =
  'mutation ($file: Upload!) { realmImport(input: { representation: { upload: $file } }) { userErrors { code } } }';
const operations = JSON.stringify({ query, variables: { file: null } });
const cut = `${part('operations', operations)}${part('map', '{"0":["variables.file"]}')}${part('0', 'x'.repeat(400_000), '; filename="f"')}`;

/** The files of this process that have no name any more. */
const namelessFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/spool (deleted)');
    } catch {
      return false;
    }
  }).length;

/** Sends the begin of a form, and drops the connection within its file. */
async function drop(): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${admin.token}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${2 * cut.length}`,
  ];
  await new Promise<void>((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${cut}`, () => resolve()));
  await expect.poll(namelessFiles, { timeout: 30_000 }).toBeGreaterThan(0);
  socket.destroy();
}

describe.skipIf(!existsSync('/proc/self/fd'))('the file of a form', () => {
  it('is closed where the form is cut', async () => {
    for (const length of [cut.length - 1, cut.length - 100_000, cut.length - 399_000]) {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: cut.slice(0, length),
      });
      expect([length, response.status]).toEqual([length, 400]);
    }
    await expect.poll(namelessFiles, { timeout: 30_000 }).toBe(0);
  });

  it('is closed where the connection is dropped', async () => {
    for (let at = 0; at < 3; at += 1) {
      await drop();
      await expect.poll(namelessFiles, { timeout: 30_000 }).toBe(0);
    }
    expect((await admin.graphql('{ __typename }')).errors).toBeUndefined();
  });
});
