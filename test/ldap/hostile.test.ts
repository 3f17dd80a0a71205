import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { storageFor, synchronise } from './directory.js';
import {
  type Answer,
  entry,
  type HostileServer,
  hostileServer,
  message,
  result,
  searchDone,
} from './hostile-server.js';

const mebibyte = 1024 * 1024;

/** Writes the same bytes until the other side has enough. */
const endlessly = (socket: Socket, bytes: Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
};

const anybody = (id: number, at: number) =>
  entry(id, `uid=user${at},dc=example,dc=org`, {
    uid: `user${at}`,
    entryUUID: `uuid-${at}`,
    mail: `user${at}@a.example`,
  });

const tiny = Buffer.from([0x30, 0x05, 0x02, 0x01, 0x7f, 0x65, 0x00]);
const answers: Record<string, Answer> = {
  'closes the connection': (socket) => socket.destroy(),
  'closes in the middle of an entry': (socket, id) => socket.end(anybody(id, 1).subarray(0, 20)),
  'sends thousands of messages that nobody asked for': (socket) =>
    socket.write(Buffer.concat(Array(60_000).fill(tiny))),
  'sends thousands of broken messages': (socket) =>
    socket.end(Buffer.concat(Array(60_000).fill(Buffer.from([0x30, 0x03, 0x02, 0x01, 0x01])))),
  'announces a message of two gigabytes': (socket) => {
    socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]));
    endlessly(socket, Buffer.alloc(mebibyte, 0x30));
  },
  'announces a message without an end': (socket) => {
    socket.write(Buffer.from([0x30, 0x80]));
    endlessly(socket, Buffer.alloc(mebibyte, 0x02));
  },
  'sends entries without an end': (socket, id) =>
    endlessly(socket, Buffer.concat(Array.from({ length: 500 }, (_, at) => anybody(id, at)))),
  'answers with an unknown result': (socket, id) => socket.write(result(id, searchDone, 200)),
  'answers with another operation': (socket, id) => socket.write(result(id, 0x61)),
  'answers with an operation that there is not': (socket, id) => socket.write(message(id, 0x7f, () => undefined)),
  'sends noise': (socket) => socket.end(randomBytes(100_000)),
  'sends noise in a frame': (socket, id) =>
    socket.end(message(id, 0x64, (writer) => writer.writeBuffer(randomBytes(1000), 0x04))),
};

describe('a directory that answers with', () => {
  let server: TestServer;
  let admin: Caller;
  let hostile: HostileServer;
  let count = 0;

  const realmWith = async (config: Record<string, string> = {}) => {
    count += 1;
    const realm = `hostile-${count}`;
    const users = [{ username: 'local', enabled: true, credentials: [{ type: 'password', value: 'local' }] }];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    const id = await storageFor(admin, realm, hostile.url, { readTimeout: '5000', ...config });
    return { realm, id };
  };
  const statusOfLogin = async (realm: string, username: string) => {
    const { status } = await callerWith(server, undefined).send(
      'POST',
      `/realms/${realm}/protocol/openid-connect/token`,
      new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password: username }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
    return status;
  };

  beforeAll(async () => {
    hostile = await hostileServer();
    server = await startServer({ failuresAddress: 0, failuresAccount: 0 });
    admin = await administrator(server);
  }, 60_000);

  it.each(Object.entries(answers))(
    '%s: is one that does not answer',
    async (_name, answer) => {
      const { realm, id } = await realmWith();
      const before = hostile.bytesWritten();
      hostile.answerWith(answer);
      expect(await statusOfLogin(realm, 'user1')).toBe(503);
      expect((await admin.send('GET', `/${realm}/users?search=user1`)).body).toEqual([]);
      expect([400, 503]).toContain((await synchronise(admin, realm, id)).status);
      expect(await statusOfLogin(realm, 'local')).toBe(200);
      expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(1);
      // what is sent is not taken in without an end
      expect(hostile.bytesWritten() - before).toBeLessThan(400 * mebibyte);
    },
    60_000,
  );

  it('a promise of TLS, and nothing after that, holds no connection', async () => {
    const { realm } = await realmWith({ startTls: 'true', connectionTimeout: '500', connectionPoolingMaxSize: '1' });
    expect(await statusOfLogin(realm, 'user1')).toBe(503);
    expect(await statusOfLogin(realm, 'user1')).toBe(503);
  }, 20_000);
});
