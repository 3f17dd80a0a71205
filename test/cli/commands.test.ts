import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dialect, freshDatabaseUrl, preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { closedPort, realmgate } from './run.js';

/** The lines of `realmgate check` by what they are about. */
const linesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => {
      const [level, about, ...text] = line.split(/\s+/);
      return { level, about, text: text.join(' ') };
    });

describe('the command realmgate', () => {
  it('names its commands, and refuses others', async () => {
    const help = await realmgate(['--help'], {});
    expect(help.status).toBe(0);
    for (const name of [
      'start',
      'check',
      'migrate',
      'create-admin',
      'export',
      'import',
      'validate',
      'fmt',
      'rotate-secrets-key',
      'backup',
      'vacuum',
    ]) {
      expect(help.output).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
    const unknown = await realmgate(['delete-everything'], {});
    expect(unknown).toMatchObject({
      status: 1,
      errors: expect.stringContaining("unknown command 'delete-everything'"),
    });
  });

  it('tells a wrong setting in a sentence', async () => {
    const { status, output } = await realmgate(['check'], { PORT: 'eighty' });
    expect(status).toBe(1);
    expect(linesOf(output)).toMatchObject([{ level: 'problem', about: 'settings' }]);
    expect(output).toContain('PORT must be');
    const mode = await realmgate(['check'], { DATABASE_URL: 'postgresql://db/realmgate?sslmode=bogus' });
    expect(mode.output).toMatch(/DATABASE_URL must be .*sslmode.*bogus/);
  });

  it('tells a database that cannot be used', async () => {
    const DATABASE_URL =
      dialect === 'sqlite'
        ? 'file:package.json/realmgate.db'
        : `postgresql://nobody@127.0.0.1:${await closedPort()}/none`;
    const { status, output } = await realmgate(['check'], { DATABASE_URL });
    // a SQLite file that is missing is created
    if (dialect === 'postgresql') expect(status).toBe(1);
    expect(linesOf(output)).toContainEqual(
      expect.objectContaining({ about: 'database', level: dialect === 'sqlite' ? 'warning' : 'problem' }),
    );
    expect(output).not.toMatch(/\n\s+at /);
  });

  it('applies migrations, and tells which are pending', async () => {
    const DATABASE_URL = await freshDatabaseUrl();
    const refused = await realmgate(['vacuum'], { DATABASE_URL });
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('realmgate migrate') });
    const pending = await realmgate(['migrate', '--status'], { DATABASE_URL });
    expect(pending.output).toContain('Pending migrations:');
    const applied = await realmgate(['migrate'], { DATABASE_URL });
    expect(applied.output.split('\n').slice(1)).toEqual(pending.output.split('\n').slice(1));
    const { output } = await realmgate(['migrate', '--status'], { DATABASE_URL });
    expect(output).toBe('The database is up to date.\n');
    const checked = await realmgate(['check'], { DATABASE_URL });
    expect(checked.status).toBe(0);
    expect(linesOf(checked.output)).toContainEqual(expect.objectContaining({ level: 'warning', about: 'admin' }));
  });

  it('creates the first administrator', async () => {
    const DATABASE_URL = await freshDatabaseUrl();
    await realmgate(['migrate'], { DATABASE_URL });
    const created = await realmgate(['create-admin', '--username', 'chief'], { DATABASE_URL }, 'secret-7\n');
    expect(created).toMatchObject({ status: 0, errors: '' });
    const server = await startServer({ databaseUrl: DATABASE_URL });
    const chief = callerWith(server, await login(server, 'master', 'chief', 'secret-7'));
    expect((await chief.send('GET', '/admin/realms/master')).status).toBe(200);
  });
});

describe('the commands for a database in use', () => {
  let server: TestServer;
  let admin: Caller;
  let DATABASE_URL: string;

  beforeAll(async () => {
    DATABASE_URL = await preparedDatabaseUrl();
    server = await startServer({ databaseUrl: DATABASE_URL });
    admin = await administrator(server);
  });

  const createAdmin = (username: string, password: string) =>
    realmgate(['create-admin', '--username', username], { DATABASE_URL }, password);

  it('give an administrator a new password, and enable the account', async () => {
    expect((await createAdmin('deputy', 'first-1')).status).toBe(0);
    const deputy = callerWith(server, await login(server, 'master', 'deputy', 'first-1'));
    expect((await deputy.send('GET', '/admin/realms')).body).toHaveLength(1);
    const [user] = (await admin.send('GET', '/admin/realms/master/users?username=deputy')).body;
    await admin.send('PUT', `/admin/realms/master/users/${user.id}`, { enabled: false });
    const renewed = await createAdmin('Deputy', 'second-2');
    expect(renewed).toMatchObject({ status: 0, output: 'The administrator "deputy" was renewed.\n' });
    await expect(login(server, 'master', 'deputy', 'second-2')).resolves.toBeTruthy();
    await expect(login(server, 'master', 'deputy', 'first-1')).rejects.toThrow();
  });

  it('take the password from a file, and refuse an empty one', async () => {
    const file = join(temporaryFolder(), 'password');
    writeFileSync(file, 'from-a-file\n');
    const args = ['create-admin', '--username', 'filed', '--password-file', file];
    expect((await realmgate(args, { DATABASE_URL })).status).toBe(0);
    await expect(login(server, 'master', 'filed', 'from-a-file')).resolves.toBeTruthy();
    const refused = await createAdmin('nobody', ' \n');
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('A password is required') });
    expect((await admin.send('GET', '/admin/realms/master/users?username=nobody')).body).toEqual([]);
  });

  it('record their writes', async () => {
    await admin.send('PUT', '/admin/realms/master/events/config', { adminEventsEnabled: true });
    expect((await createAdmin('recorded', 'secret-3')).status).toBe(0);
    const events = (await admin.send('GET', '/admin/realms/master/admin-events')).body as {
      authDetails: { userId: string };
    }[];
    const own = events.filter(({ authDetails }) => authDetails.userId === 'command-line');
    expect(own).toMatchObject([
      { resourceType: 'REALM_ROLE_MAPPING', operationType: 'CREATE' },
      { resourceType: 'USER', operationType: 'ACTION' },
      { resourceType: 'USER', operationType: 'CREATE' },
    ]);
    const { data, errors } = await admin.graphql<{ realm: { adminEvents: { edges: { node: object }[] } } }>(
      '{ realm(name: "master") { adminEvents(first: 3) { edges { node { actor { id } client { clientId } } } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data.realm.adminEvents.edges.map(({ node }) => node)).toEqual(
      [0, 1, 2].map(() => ({ actor: null, client: { clientId: 'admin-cli' } })),
    );
  });

  it('import a realm while the service is running', async () => {
    const file = join(temporaryFolder(), 'realm.json');
    const users = Array.from({ length: 4000 }, (_, n) => ({
      username: `user-${n}`,
      email: `u${n}@mail.example`,
      enabled: true,
    }));
    writeFileSync(file, JSON.stringify({ realm: 'filed', enabled: true, users }));
    const imported = await realmgate(['import', file], { DATABASE_URL });
    expect(imported).toMatchObject({ status: 0, output: 'The realm "filed" was created.\n' });
    expect((await admin.send('GET', '/admin/realms/filed/users/count')).body).toBe(4000);
    const again = await realmgate(['import', file], { DATABASE_URL });
    expect(again).toMatchObject({ status: 1, errors: 'The realm "filed" already exists.\n' });
  });

  it('import nothing of a realm that has a fault', async () => {
    const file = join(temporaryFolder(), 'realm.json');
    writeFileSync(
      file,
      JSON.stringify({ realm: 'faulty', enabled: true, users: [{ username: 'one', attributes: 7 }] }),
    );
    const refused = await realmgate(['import', file], { DATABASE_URL });
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('users.0.attributes') });
    expect((await admin.send('GET', '/admin/realms/faulty')).status).toBe(404);
    const missing = await realmgate(['import', `${file}.none`], { DATABASE_URL });
    expect(missing).toMatchObject({ status: 1, errors: expect.stringContaining('ENOENT') });
  });

  it('vacuum the database', async () => {
    const { status, output } = await realmgate(['vacuum'], { DATABASE_URL });
    expect(status).toBe(0);
    expect(output).toMatch(dialect === 'sqlite' ? /had [\d.]+ MB and has [\d.]+ MB/ : /vacuumed/);
    expect((await admin.send('GET', '/admin/realms/master')).status).toBe(200);
  });

  it('check mail servers and directories', async () => {
    const host = '127.0.0.1';
    const port = await closedPort();
    const directory = {
      name: 'people',
      providerId: 'ldap',
      providerType: 'org.keycloak.storage.UserStorageProvider',
      config: {
        vendor: ['other'],
        connectionUrl: [`ldap://${host}:${port}`],
        bindDn: ['cn=admin'],
        bindCredential: ['s'],
        usersDn: ['ou=people'],
        editMode: ['READ_ONLY'],
      },
    };
    const realm = { realm: 'wired', enabled: true, smtpServer: { host, port: String(port), from: 'a@mail.example' } };
    await admin.send('POST', '/admin/realms', realm);
    expect((await admin.send('POST', '/admin/realms/wired/components', directory)).status).toBe(201);
    // others do not depend on a realm: its failures are problems only if it is named
    const { status, output } = await realmgate(['check'], { DATABASE_URL });
    expect(status).toBe(0);
    const warned = linesOf(output).filter(({ level, about }) => level === 'warning' && about !== 'settings');
    expect(warned.map(({ about }) => about)).toEqual(['mail', 'directory']);
    const named = await realmgate(['check', '--realm', 'wired', '--json'], { DATABASE_URL });
    expect(named.status).toBe(1);
    const { status: whole, findings } = JSON.parse(named.output);
    expect(whole).toBe('problem');
    expect(findings.filter(({ level }: { level: string }) => level === 'problem')).toEqual(
      ['mail', 'directory'].map((about) => expect.objectContaining({ about, realm: 'wired' })),
    );
    expect((await realmgate(['check', '--realm', 'none'], { DATABASE_URL })).output).toContain(
      'There is no realm "none".',
    );
    expect(linesOf(output)).toEqual(
      expect.arrayContaining(
        ['database', 'keys', 'clock', 'admin'].map((about) => expect.objectContaining({ level: 'ok', about })),
      ),
    );
  });
});
