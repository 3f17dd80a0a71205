import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { placeOfCredential } from '../core/sealed-columns.js';
import { policySettings } from '../credentials/password-policy.js';
import { isBreach, type PreparedCredentials, policyOf } from './passwords.js';
import { passwordHistory } from './store.js';

/** A user whose credentials are to be stored; `isNew` says that there are none yet. */
export interface CredentialOwner {
  id: string;
  prepared: PreparedCredentials;
  isNew?: boolean;
}

const columns = {
  id: true,
  userId: true,
  type: true,
  priority: true,
  createdDate: true,
  credentialData: true,
  secretData: true,
} satisfies Prisma.CredentialSelect;
type Stored = Prisma.CredentialGetPayload<{ select: typeof columns }>;

interface Changes {
  changed: ({ id: string } & Prisma.CredentialUpdateManyMutationInput)[];
  added: Prisma.CredentialCreateManyInput[];
  gone: string[];
}

/**
 * Stores new credentials of any number of users, whose rows are held: a password replaces the one that is there, which
 * joins the history where the realm keeps one; others are added at the end.
 */
export async function keepCredentials(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  owners: readonly CredentialOwner[],
): Promise<void> {
  const touched = owners.filter(({ prepared }) => prepared.password || prepared.given.length > 0);
  const old = touched.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const rows =
    old.length === 0 ? [] : await tx.credential.findMany({ where: { userId: { in: old } }, select: columns });
  const present = new Map<string, Stored[]>(touched.map(({ id }) => [id, []]));
  for (const row of rows) present.get(row.userId)?.push(row);
  const changes: Changes = { changed: [], added: [], gone: [] };
  const remembered = Math.max(0, policySettings(policyOf(realm)).history - 1);
  for (const owner of touched) plan(changes, ctx, owner, present.get(owner.id) ?? [], remembered);
  await updateEach(tx, 'Credential', changes.changed);
  if (changes.gone.length > 0) await tx.later.credential.deleteMany({ where: { id: { in: changes.gone } } });
  if (changes.added.length > 0) await tx.credential.createMany({ data: changes.added });
}

/** Deletes the passwords that users have here, as those in their directories count from now on: one statement at most. */
export async function forgetPasswords(tx: Db, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.later.credential.deleteMany({ where: { userId: { in: [...userIds] }, type: 'password' } });
}

/** Secrets of credentials are sealed last, when the ids of their rows are known. */
function plan(changes: Changes, ctx: Context, owner: CredentialOwner, present: Stored[], remembered: number): void {
  const { sealer, newId, now } = ctx.services;
  const { password, given } = owner.prepared;
  const createdDate = BigInt(now());
  let priority = present.reduce((last, credential) => Math.max(last, credential.priority), 0);
  const sealed = (id: string, secretData: string) =>
    sealer.seal(secretData, placeOfCredential({ id, userId: owner.id }));
  const add = ({ secretData, ...row }: Omit<Prisma.CredentialCreateManyInput, 'id' | 'userId' | 'priority'>) => {
    priority += 10;
    const id = newId();
    changes.added.push({ id, userId: owner.id, priority, ...row, secretData: sealed(id, secretData) });
  };
  if (password && !isBreach(password)) {
    const { credentialData, secretData } = password;
    const current = present.find(({ type }) => type === 'password');
    if (current) {
      const { id } = current;
      changes.changed.push({
        id,
        createdDate,
        userLabel: null,
        credentialData,
        secretData: sealed(id, secretData),
      });
      const earlier = present
        .filter(({ type }) => type === passwordHistory)
        .sort((one, other) => Number((other.createdDate ?? 0n) - (one.createdDate ?? 0n)));
      changes.gone.push(...earlier.slice(Math.max(0, remembered - 1)).map(({ id }) => id));
      if (remembered > 0) {
        add({
          type: passwordHistory,
          createdDate: current.createdDate,
          credentialData: current.credentialData,
          secretData: sealer.open(current.secretData, placeOfCredential(current)),
        });
      }
    } else add({ type: 'password', createdDate, credentialData, secretData });
  }
  for (const { id, credential, stored } of given) {
    // what a caller read and sends back is there already
    if (id !== undefined && present.some((known) => known.id === id)) continue;
    add({
      type: credential.type ?? 'password',
      userLabel: credential.userLabel ?? null,
      createdDate: credential.createdDate ?? createdDate,
      credentialData: stored.credentialData,
      secretData: stored.secretData,
    });
  }
}
