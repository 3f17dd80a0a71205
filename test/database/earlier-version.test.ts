// @both-databases
import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { atEndOfFile, dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';

// The rows of a database as it was before administration roles were known by their ids.
const realMigrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const firstOfThisVersion = '20261122102510_administration_roles';

type Row = Record<string, string>;

const realm = (id: string, name: string, adminClientId = '') => ({ id, name, ...(adminClientId && { adminClientId }) });
const client = (id: string, realmId: string, clientId: string) => ({ id, realmId, clientId });
const role = (id: string, realmId: string, name: string, clientId = '') => ({
  id,
  realmId,
  name,
  container: clientId || realmId,
  ...(clientId && { clientId }),
});

const rows: Record<string, Row[]> = {
  Realm: [
    realm('r-master', 'master', 'c-master-admin'),
    realm('r-shop', 'shop', 'c-shop-admin'),
    realm('r-lone', 'lone'),
  ],
  Client: [
    client('c-master-admin', 'r-master', 'master-realm'),
    // it kept the name that the realm had before
    client('c-shop-admin', 'r-master', 'store-realm'),
    client('c-decoy', 'r-master', 'realm-management'),
    client('c-shop-management', 'r-shop', 'realm-management'),
    client('c-app', 'r-shop', 'app'),
    client('c-lone-management', 'r-lone', 'realm-management'),
  ],
  Role: [
    role('admin', 'r-master', 'admin'),
    role('create-realm', 'r-master', 'create-realm'),
    role('master-users', 'r-master', 'manage-users', 'c-master-admin'),
    role('shop-users', 'r-master', 'manage-users', 'c-shop-admin'),
    role('shop-view', 'r-master', 'view-realm', 'c-shop-admin'),
    role('decoy', 'r-master', 'manage-users', 'c-decoy'),
    role('own-admin', 'r-shop', 'realm-admin', 'c-shop-management'),
    role('own-clients', 'r-shop', 'manage-clients', 'c-shop-management'),
    role('renamed', 'r-shop', 'was-manage-users', 'c-shop-management'),
    role('taken-name', 'r-shop', 'manage-users', 'c-shop-management'),
    role('of-app', 'r-shop', 'manage-users', 'c-app'),
    role('of-realm', 'r-shop', 'admin'),
    role('lone-events', 'r-lone', 'view-events', 'c-lone-management'),
  ],
  CompositeRole: [
    { parentId: 'admin', childId: 'shop-users' },
    { parentId: 'of-realm', childId: 'own-clients' },
    // such rows could be stored then
    { parentId: 'of-realm', childId: 'lone-events' },
  ],
  ClientScope: [{ id: 's-email', realmId: 'r-shop', name: 'email' }],
  ProtocolMapper: [
    { id: 'm-client', clientId: 'c-app', container: 'c-app', name: 'of the client' },
    { id: 'm-scope', clientScopeId: 's-email', container: 's-email', name: 'of the scope' },
  ],
  Group: [
    { id: 'g-outer', realmId: 'r-shop', container: 'r-shop', name: 'outer', path: '/outer' },
    {
      id: 'g-inner',
      realmId: 'r-shop',
      container: 'g-outer',
      parentId: 'g-outer',
      name: 'inner',
      path: '/outer/inner',
    },
  ],
  GroupRole: [{ groupId: 'g-outer', roleId: 'own-admin' }],
  AuthenticationFlow: [
    { id: 'f-top', realmId: 'r-shop', alias: 'top', providerId: 'basic-flow' },
    { id: 'f-below', realmId: 'r-shop', alias: 'below', providerId: 'basic-flow' },
  ],
  AuthenticationExecution: [
    { id: 'e-below', realmId: 'r-shop', flowId: 'f-top', subflowId: 'f-below', requirement: 'REQUIRED' },
  ],
  IdentityProvider: [{ id: 'i-corporate', realmId: 'r-shop', alias: 'corporate', providerId: 'oidc' }],
};

const insert = (table: string, row: Row) => {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.values(row).map((value) => `'${value}'`);
  return `INSERT INTO "${table}" (${names.join(', ')}) VALUES (${values.join(', ')});`;
};

let database: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  const url = await freshDatabaseUrl();
  const folder = temporaryFolder();
  const later = temporaryFolder();
  const base = join(folder, dialect);
  cpSync(join(realMigrations, dialect), base, { recursive: true });
  const added = readdirSync(base).filter((name) => /^\d/.test(name) && name >= firstOfThisVersion);
  expect(added[0]).toBe(firstOfThisVersion);
  for (const name of added) renameSync(join(base, name), join(later, name));
  // rows of an earlier version are written like a migration: no schema in this version fits them
  mkdirSync(join(base, '20261122102509_rows'));
  const statements = Object.entries(rows).flatMap(([table, all]) => all.map((row) => insert(table, row)));
  writeFileSync(join(base, '20261122102509_rows', 'migration.sql'), statements.join('\n'));
  await migrate(url, { folder });
  for (const name of added) renameSync(join(later, name), join(base, name));
  expect(await migrate(url, { folder })).toEqual(added);
  database = await openDatabase({ databaseUrl: url, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  atEndOfFile(() => database.close());
});

describe('a database of an earlier version', () => {
  it('has its administration roles known by their ids, and no others of such names', async () => {
    const known = await database.read.administrationRole.findMany({ orderBy: { roleId: 'asc' } });
    expect(known).toEqual(
      [
        { roleId: 'admin', realmId: 'r-master', right: 'admin' },
        { roleId: 'create-realm', realmId: 'r-master', right: 'create-realm' },
        { roleId: 'lone-events', realmId: 'r-lone', right: 'view-events' },
        { roleId: 'master-users', realmId: 'r-master', right: 'manage-users' },
        { roleId: 'own-admin', realmId: 'r-shop', right: 'realm-admin' },
        { roleId: 'own-clients', realmId: 'r-shop', right: 'manage-clients' },
        { roleId: 'shop-users', realmId: 'r-shop', right: 'manage-users' },
        { roleId: 'shop-view', realmId: 'r-shop', right: 'view-realm' },
        { roleId: 'taken-name', realmId: 'r-shop', right: 'manage-users' },
      ].sort((a, b) => (a.roleId < b.roleId ? -1 : 1)),
    );
  });

  it('keeps every row, and what the rows belong to', async () => {
    const { read } = database;
    const counts = await Promise.all([
      read.role.count(),
      read.compositeRole.count(),
      read.groupRole.count(),
      read.protocolMapper.count(),
      read.group.count(),
      read.authenticationExecution.count(),
      read.identityProvider.count(),
    ]);
    expect(counts).toEqual([13, 2, 1, 2, 2, 1, 1]);
    const mappers = await read.protocolMapper.findMany({ select: { id: true, realmId: true }, orderBy: { id: 'asc' } });
    expect(mappers).toEqual([
      { id: 'm-client', realmId: 'r-shop' },
      { id: 'm-scope', realmId: 'r-shop' },
    ]);
    const inner = await read.group.findUnique({ where: { id: 'g-inner' }, select: { parentId: true, version: true } });
    expect(inner).toEqual({ parentId: 'g-outer', version: 0 });
    const flows = await read.authenticationFlow.findMany({ select: { alias: true, position: true } });
    expect(flows.map(({ position }) => position)).toEqual([0, 0]);
  });

  it('keeps what belongs together, and drops rows that join two realms', async () => {
    const kept = await database.read.compositeRole.findMany({ orderBy: { parentId: 'asc' } });
    expect(kept).toEqual([
      { parentId: 'admin', childId: 'shop-users' },
      { parentId: 'of-realm', childId: 'own-clients' },
    ]);
  });

  it('refuses roles and mappers in the client of another realm from then on', async () => {
    const stray = { id: 'stray', realmId: 'r-lone', clientId: 'c-app', container: 'c-app', name: 'stray' };
    await expect(database.transaction((tx) => tx.role.createMany({ data: [stray] }))).rejects.toThrow();
    await expect(database.transaction((tx) => tx.protocolMapper.createMany({ data: [stray] }))).rejects.toThrow();
  });
});
