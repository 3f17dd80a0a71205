// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;
let realmId: string;
let clientId: string;

beforeAll(async () => {
  admin = await administrator(await startServer());
  const clients = [{ clientId: 'app', secret: 'before' }];
  await admin.send('POST', '/', { realm: 'atomic', enabled: true, clients, roles: { realm: [{ name: 'taken' }] } });
  const { data } = await admin.graphql<{ realm: { id: string; client: { id: string } } }>(
    '{ realm(name: "atomic") { id client(clientId: "app") { id } } }',
  );
  realmId = data.realm.id;
  clientId = data.realm.client.id;
});

const secretNow = async () => {
  const id = Buffer.from(clientId, 'base64').toString().split(':')[1];
  return (await admin.send('GET', `/atomic/clients/${id}/client-secret`)).body.value as string;
};
const rotate = () => `rotated: clientRotateSecret(input: { id: "${clientId}" }) {
  secret isReplayed client { clientId } adminEvents { id } userErrors { code path message }
}`;
const createRole = (name: string, alias = name) =>
  `${alias}: roleCreate(input: { container: "${realmId}", name: "${name}" }) { role { name } adminEvents { id } userErrors { code } }`;
const nothing = { adminEvents: [] };

interface Rotated {
  rotated: { secret: string | null; client: object | null };
}

describe('a mutation marked @atomic', () => {
  it('answers ABORTED without secrets, objects and events for a field that was rolled back', async () => {
    const { data, errors } = await admin.graphql<Rotated>(
      `mutation @atomic { ${rotate()} ${createRole('taken')} ${createRole('late')} }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      rotated: {
        secret: null,
        client: null,
        isReplayed: false,
        userErrors: [{ code: 'ABORTED', path: null }],
        ...nothing,
      },
      taken: { role: null, userErrors: [{ code: 'NAME_TAKEN' }], ...nothing },
      late: { role: null, userErrors: [{ code: 'ABORTED' }], ...nothing },
    });
    expect(await secretNow()).toBe('before');
  });

  it('answers what it committed where an email cannot be sent afterwards, and caches know of it', async () => {
    const smtpServer = { host: '127.0.0.1', port: '1', from: 'realm@example.org' };
    await admin.send('PUT', '/atomic', { smtpServer });
    const made = await admin.send('POST', '/atomic/users', {
      username: 'ann',
      email: 'ann@example.org',
      enabled: true,
    });
    const user = btoa(`User:${made.headers.get('location')?.split('/').at(-1)}`);
    await admin.send('GET', '/atomic');
    const { data, errors } = await admin.graphql(
      `mutation @atomic {
        mail: userSendActionsEmail(input: { id: "${user}", actions: ["UPDATE_PASSWORD"] }) { userErrors { code } }
        ${createRole('after-mail', 'made')}
        rename: realmUpdate(input: { id: "${realmId}", displayName: "Renamed" }) { userErrors { code } }
      }`,
    );
    expect(errors).toMatchObject([
      {
        message: 'The email was not sent: the mail server cannot be reached (ESOCKET CONN)',
        extensions: { code: 'INVALID' },
      },
    ]);
    expect(data).toMatchObject({
      mail: { userErrors: [] },
      made: { role: { name: 'after-mail' }, adminEvents: [{ id: expect.any(String) }], userErrors: [] },
      rename: { userErrors: [] },
    });
    expect((await admin.send('GET', '/atomic/roles/after-mail')).status).toBe(200);
    expect((await admin.send('GET', '/atomic')).body.displayName).toBe('Renamed');
  });

  it('answers so too where a later field fails by a fault or an answer cannot be read', async () => {
    const unreadable = `unread: roleCreate(input: { container: "${realmId}", name: "unread" }) {
      role { users(first: 501) { totalCount } } userErrors { code }
    }`;
    const { data, errors } = await admin.graphql<Rotated>(`mutation @atomic { ${rotate()} ${unreadable} }`);
    expect(errors?.length).toBeGreaterThan(0);
    expect(JSON.stringify(data ?? null)).not.toMatch(/"secret":"/);
    expect(await secretNow()).toBe('before');
  });

  it('shows what is in force when it is kept', async () => {
    const { data } = await admin.graphql<Rotated>(`mutation @atomic { ${createRole('kept')} ${rotate()} }`);
    expect(data).toMatchObject({
      kept: { role: { name: 'kept' }, userErrors: [], adminEvents: [{ id: expect.any(String) }] },
    });
    expect(data.rotated.secret).toBe(await secretNow());
  });

  it('follows fragments and aliases', async () => {
    const { data } = await admin.graphql(
      `mutation @atomic { ...Roles ${createRole('taken', 'again')} } fragment Roles on Mutation { ${createRole('first')} ${createRole('second')} }`,
    );
    expect(data).toMatchObject({
      first: { role: null, userErrors: [{ code: 'ABORTED' }] },
      second: { role: null, userErrors: [{ code: 'ABORTED' }] },
      again: { userErrors: [{ code: 'NAME_TAKEN' }] },
    });
    expect((await admin.send('GET', '/atomic/roles/first')).status).toBe(404);
  });
});

describe('a mutation marked @dryRun', () => {
  it('answers ABORTED for the fields before one that fails only if it is atomic, too', async () => {
    const fields = `{ ${createRole('imagined')} ${createRole('taken')} }`;
    const atomic = await admin.graphql(`mutation @dryRun @atomic ${fields}`);
    expect(atomic.data).toMatchObject({ imagined: { role: null, userErrors: [{ code: 'ABORTED' }], ...nothing } });
    const apart = await admin.graphql(`mutation @dryRun ${fields}`);
    expect(apart.data).toMatchObject({ imagined: { role: { name: 'imagined' }, userErrors: [] } });
  });

  it('tells what would be there', async () => {
    const { data } = await admin.graphql(`mutation @dryRun { ${createRole('imagined')} }`);
    expect(data).toMatchObject({ imagined: { role: { name: 'imagined' }, userErrors: [] } });
    expect((await admin.send('GET', '/atomic/roles/imagined')).status).toBe(404);
  });
});
