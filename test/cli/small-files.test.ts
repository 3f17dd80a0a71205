import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { RealmAccess } from '../../src/cli/access/access.js';
import { databaseAccess } from '../../src/cli/access/database.js';
import { desiredInput } from '../../src/cli/desired/input.js';
import { realmText } from '../../src/cli/desired/realm-text.js';
import { writeFolder } from '../../src/cli/desired/write-folder.js';
import { temporaryFolder } from '../support/database.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { baseRealm, smallFiles } from './small-files.js';

type Realm = Record<string, unknown>;

let realms: RealmAccess;
let admin: Caller;
const folder = temporaryFolder();

beforeAll(async () => {
  const started = await startWithRealm(baseRealm);
  admin = started.admin;
  realms = databaseAccess(started.server.services);
});

/** What files on the disk say, as the commands read it. */
const read = (path: string, realm: string) => desiredInput([path], { realm });
const planned = async (path: string, realm: string) => {
  const { input } = read(path, realm);
  return realms.plan(realm, input);
};

const shown = (value: unknown): string =>
  value === undefined || value === null ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);

describe('a small file changes', () => {
  it('one thing each, in forty files', () => expect(smallFiles).toHaveLength(40));

  it.each(smallFiles.map((file, index) => ({ ...file, index })))(
    '$name, and nothing when it is planned again',
    async ({ name, content, changes, fields, deletes = 0, index }) => {
      const path = join(folder, `${index}-${name.replaceAll(' ', '-')}.${index % 2 ? 'json' : 'yaml'}`);
      writeFileSync(path, index % 2 ? JSON.stringify(content) : stringify(content));
      const plan = await planned(path, 'small');
      expect(plan.changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`)).toEqual(changes);
      const updated = plan.changes.filter(({ action }) => action === 'UPDATE').flatMap((change) => change.fields);
      const lines = updated.map((field) => `${field.path.join('.')}: ${shown(field.before)} → ${shown(field.after)}`);
      if (fields) expect(lines).toEqual(fields);
      expect(plan.summary.delete).toBe(deletes);
      const applied = await realms.apply('small', {
        ...read(path, 'small').input,
        expectedDigest: plan.digest,
        allowDeletes: deletes,
      });
      expect(applied.summary).toEqual(plan.summary);
      const again = await planned(path, 'small');
      expect(again.changes).toEqual([]);
      expect(again.summary).toMatchObject({ create: 0, update: 0, delete: 0 });
    },
  );
});

const sample = (path: string): Realm => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));

describe.each([
  'examples/acme-realm.json',
  'test/realms/exports/keycloak-15.0.2.json',
  'test/realms/exports/keycloak-26.0.8.json',
])('the realm of %s', (file) => {
  it('is planned and applied into an empty realm, and is what is pulled of it', async () => {
    const { id: _, users = [], ...whole } = sample(file);
    const realm = `empty-${file.replaceAll(/\W+/g, '-')}`;
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const path = join(temporaryFolder(), 'desired.json');
    // few users are enough
    writeFileSync(path, JSON.stringify({ ...whole, realm, users: (users as unknown[]).slice(0, 20) }));
    const { input } = read(path, realm);
    const plan = await realms.plan(realm, input);
    expect(plan.changes.length).toBeGreaterThan(10);
    await realms.apply(realm, { ...input, expectedDigest: plan.digest, allowDeletes: plan.summary.delete });
    expect((await planned(path, realm)).changes).toEqual([]);
    const parts = { users: true, secrets: false };
    const pulled = await realms.pull(realm, parts);
    const folderOfRealm = join(temporaryFolder(), 'realm');
    writeFolder(pulled, folderOfRealm);
    expect((await planned(folderOfRealm, realm)).changes).toEqual([]);
    for (const format of ['json', 'yaml'] as const) {
      const single = join(temporaryFolder(), `realm.${format}`);
      writeFileSync(single, realmText(pulled, format));
      expect((await planned(single, realm)).changes).toEqual([]);
    }
    const secret = await realms.pull(realm, { users: true, secrets: true });
    const { name: realmName, input: same } = read(writeSingle(secret), realm);
    expect((await realms.plan(realmName, same)).changes).toEqual([]);
  });
});

function writeSingle(realm: Realm): string {
  const path = join(temporaryFolder(), 'realm.json');
  writeFileSync(path, realmText(realm, 'json'));
  return path;
}
