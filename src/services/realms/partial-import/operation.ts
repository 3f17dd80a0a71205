import type { Db } from '../../../database/db.js';
import { takenIds } from '../../../database/taken-ids.js';
import { write } from '../../core/operation.js';
import { idsIn } from '../../core/own-id.js';
import { permitFor } from '../../core/permit.js';
import type { Permit } from '../../core/ports.js';
import { conflict } from '../../core/refusal.js';
import type { Input } from '../../core/shape.js';
import type { Target } from '../../core/target.js';
import { namesInUse } from '../../user-storage/read/in-use.js';
import { PartialImportRepresentation } from '../nested-representations.js';
import { insertRealm } from '../store.js';
import { auditOf } from './audit.js';
import { requireImportable, requireReplaceable } from './entitlement.js';
import { findExisting } from './existing.js';
import { fileOf, hashPasswords, type ImportFile, type Passwords, requireHashed } from './input.js';
import { type Imported, implied, resultsOf } from './results.js';
import { assembleImport, type Replaced, replacedBy } from './rows.js';
import { type Sorted, sortFile } from './sort.js';

interface Prepared {
  file: ImportFile;
  passwords: Passwords;
  permit: Permit;
  /** for each user, the name that a directory user already has */
  inUse: readonly ('username' | 'email' | undefined)[];
}

/** Deletes the overwritten objects, with all dependent rows: one statement for each kind. */
async function removeReplaced(tx: Db, { clients, roles, providers, groups, users }: Replaced): Promise<void> {
  const of = (ids: Set<string>) => ({ where: { id: { in: [...ids] } } });
  if (users.size > 0) await tx.user.deleteMany(of(users));
  if (groups.size > 0) await tx.group.deleteMany(of(groups));
  // mappers of an identity provider and links of users go by its alias, and stay
  if (providers.size > 0) await tx.identityProvider.deleteMany(of(providers));
  if (roles.size > 0) await tx.role.deleteMany(of(roles));
  if (clients.size > 0) await tx.client.deleteMany(of(clients));
}

type Sent = Input<typeof PartialImportRepresentation>;

/** Requires the permission for each kind of objects in the file, besides the permission to manage the realm. */
function requireKinds(permit: Permit, { users, clients, groups, identityProviders, roles }: Sent): void {
  if (users?.length) permit.require('manage:users');
  if (groups?.length) permit.require('manage:groups');
  if (clients?.length || Object.keys(roles?.client ?? {}).length > 0) permit.require('manage:clients');
  if (identityProviders?.length) permit.require('manage:identity-providers');
}

/** Refuses new users whose name or address a directory user has. */
function requireFree({ kept, replaced }: Sorted<Named>, inUse: Prepared['inUse']): void {
  kept.forEach(({ username, email }, index) => {
    const field = inUse[index];
    if (field === undefined || replaced.has(index)) return;
    const named = field === 'email' ? `email ${email}` : `user name ${username}`;
    throw conflict(`User with ${named} already exists.`, `users.${index}.${field}`);
  });
}

interface Named {
  username?: string | undefined;
  email?: string | undefined;
}

export const partialImport = write({
  name: 'realm.partialImport',
  summary: 'Imports users, clients, groups, roles, and identity providers into a realm: all of them or none.',
  input: PartialImportRepresentation,
  hasLongLists: true,
  allow: 'manage:realm',
  takesRights: true,
  check: (permit, _target: Target, input) => requireKinds(permit, input),
  prepare: async (ctx, { realm }, input): Promise<Prepared> => {
    const file = fileOf(input);
    const inUse = await namesInUse(ctx.services, realm, file.users);
    return { file, passwords: await hashPasswords(ctx, realm, file), permit: await permitFor(ctx, realm), inUse };
  },
  // imports into one realm run one after the other
  queue: ({ realm }) => ({ model: 'Realm', id: realm.id }),
  run: async (tx, { realm }, _input, { ctx, prepared: { file, passwords, permit, inUse } }): Promise<Imported> => {
    const existing = await findExisting(tx, realm, file);
    const sorted = sortFile(realm, file, existing);
    requireFree(sorted.users, inUse);
    requireHashed(sorted.users.kept, passwords);
    const replaced = replacedBy(sorted);
    const taken = await takenIds(tx, idsIn(file));
    const draft = await assembleImport(ctx, { realm, existing, sorted, replaced, taken }, passwords);
    await requireReplaceable(ctx, { realm }, permit, replaced);
    await removeReplaced(tx, replaced);
    await insertRealm(tx, draft.rows);
    await requireImportable(ctx, { realm }, permit, draft);
    return {
      results: resultsOf(draft, existing, file, sorted),
      implied: implied(draft, sorted),
      replaced: [...replaced.users].map((id) => `user:${id}`).concat([...replaced.clients].map((id) => `client:${id}`)),
    };
  },
  refuses: ['NAME_TAKEN', 'REPEATED', 'CYCLE'],
  conflict: () => 'An object with this name was created in the meantime; retry',
  event: (imported, _target, input) => auditOf(imported, input),
  touches: ({ results, implied: more, replaced }, { realm }) => {
    const kinds = new Set([...results, ...more].filter(({ action }) => action !== 'SKIPPED').map(({ kind }) => kind));
    return [
      ...(kinds.has('USER') ? [`users:${realm.id}`] : []),
      ...(kinds.has('GROUP') ? [`groups:${realm.id}`] : []),
      ...(kinds.has('CLIENT') ? [`clients:${realm.id}`] : []),
      ...(kinds.has('REALM_ROLE') || kinds.has('CLIENT_ROLE') ? [`roles:${realm.id}`] : []),
      ...(kinds.has('IDP') ? [`identity-providers:${realm.id}`, `realm:${realm.id}`] : []),
      ...(kinds.size > 0 ? ['rights'] : []),
      ...replaced,
    ];
  },
});
