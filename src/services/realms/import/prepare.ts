import { eventHorizon } from '../../../database/event-positions.js';
import { takenIds } from '../../../database/taken-ids.js';
import { breaksIn } from '../../../database/turns.js';
import type { Context } from '../../core/context.js';
import { isWhole } from '../../core/held-rights.js';
import { decodeAnyVersion } from '../../core/ignored-fields.js';
import { decodeFrom } from '../../core/long-lists.js';
import { idsIn } from '../../core/own-id.js';
import { permitFor } from '../../core/permit.js';
import { batchesOf, createSpool, type Spool } from '../../core/spool.js';
import { type HashedPassword, hashPassword } from '../../credentials/hashing.js';
import type { CredentialInput } from '../../users/representation.js';
import { webhookPlaces } from '../../webhooks/stored.js';
import { plainPasswords } from '../assemble/credentials.js';
import type { AssemblyContext, RealmRows } from '../assemble/draft.js';
import { assembleRealm, beginRealm, finishRealm, newClientSecret } from '../assemble/realm.js';
import { takeUsers, wantedUsers } from '../assemble/user-batches.js';
import { addUsers } from '../assemble/users.js';
import { masterId, masterName } from '../defaults/master.js';
import { realmByName } from '../locate.js';
import { oneWholeRealm } from '../one-whole-realm.js';
import { type RealmInput, RealmRepresentation } from '../representation.js';
import { modernUser } from './older-versions.js';

/** How many users of a large file are in memory at once. */
const usersAtOnce = 250;

/** A realm with all rows to insert. */
export interface RealmImport {
  rows: RealmRows;
  /** further users, in batches of `UserRows`; duplicates are not detected yet */
  users?: Spool;
}

/**
 * Hashes every plain password of an import and assembles all rows, before the transaction is opened. The users of a
 * large file come in `aside` and are written to another file, so that memory holds only a few of them. The caller
 * closes that file. Throws `invalid`, `unknownField`, or `conflict`, naming the field.
 */
export async function prepareRealm(ctx: Context, input: RealmInput, aside?: Spool): Promise<RealmImport> {
  const context = await contextOf(ctx, input);
  await lookUpIds(ctx, context, input);
  if (!aside) {
    await hashInto(context.passwords, input, `new ${input.realm}`);
    const assembled = () => assembleRealm(input, context);
    return { rows: await (ctx.unit ? assembled() : oneWholeRealm(assembled, `new ${input.realm}`)) };
  }
  const begun = await beginRealm(input, context);
  const wanted = wantedUsers(begun.draft);
  const users = await createSpool();
  try {
    for await (const { from, values } of batchesOf(aside, usersAtOnce)) {
      const some = decodedUsers(ctx, values, from);
      context.passwords.clear();
      await lookUpIds(ctx, context, some);
      await hashInto(context.passwords, { users: some }, `new ${input.realm}`);
      await addUsers(begun.draft, some.map(modernUser), from);
      begun.draft.refusals.throwAll();
      users.add(takeUsers(begun.draft, wanted));
      await users.flush();
    }
    return { rows: await finishRealm(begun), users };
  } catch (error) {
    await users.close();
    throw error;
  }
}

type Hashes = Map<CredentialInput, HashedPassword>;

interface ImportContext extends AssemblyContext {
  passwords: Hashes;
  taken: Set<string>;
}

/** Looks up which IDs of a part of the file something on the server has already. */
async function lookUpIds(ctx: Context, { taken }: ImportContext, part: unknown): Promise<void> {
  for (const id of await takenIds(ctx.db, idsIn(part))) taken.add(id);
}

async function contextOf(ctx: Context, { webhooks }: RealmInput): Promise<ImportContext> {
  const { services } = ctx;
  const admin = await ctx.db.administrationRole.findFirst({
    where: { realmId: masterId, right: 'admin' },
    select: { roleId: true },
  });
  if (!admin) throw new Error('The master realm has no role that administers all realms');
  const permit = await permitFor(ctx, await realmByName(ctx, masterName));
  return {
    newId: services.newId,
    newSecret: newClientSecret,
    seal: services.sealer.seal,
    now: services.now(),
    pause: breaksIn(ctx.db),
    passwords: new Map(),
    takesKeys: isWhole({ name: masterName }, permit.rights),
    taken: new Set(),
    ...(webhooks?.length && {
      webhooks: {
        position: await eventHorizon(services.database),
        places: webhookPlaces(services.config),
      },
    }),
    master: { realmId: masterId, adminRoleId: admin.roleId },
  };
}

async function hashInto(hashes: Hashes, input: Pick<RealmInput, 'users'>, line: string): Promise<void> {
  const hashed = await Promise.all(
    plainPasswords(input).map(
      async ({ credential, value }) => [credential, await hashPassword(value, { line })] as const,
    ),
  );
  for (const [credential, hash] of hashed) hashes.set(credential, hash);
}

/** Decodes some users of a file that follow `from` others. */
const decodedUsers = (ctx: Context, values: unknown[], from: number) =>
  decodeFrom('users', from, (place) => decodeAnyVersion(ctx, RealmRepresentation, { users: values }, place)).users ??
  [];
