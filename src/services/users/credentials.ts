import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read, write } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { list as listOf, representation, text } from '../core/shape.js';
import { requireAlone } from '../core/unit-of-work.js';
import { view } from '../core/view.js';
import type { HashedPassword } from '../credentials/hashing.js';
import { breachRefusal, findPolicyBreach, type PolicyBreach } from '../credentials/policy.js';
import { placeOfPassword, storageOfUser, validatesPasswords, writePassword } from '../user-storage/password.js';
import { forgetPasswords, keepCredentials } from './keep-credentials.js';
import type { CredentialTarget, UserRef, UserTarget } from './locate.js';
import { lockUser, touchedUser } from './operations.js';
import { isBreach, passwordsOf, policyOf, preparePassword } from './passwords.js';
import { CredentialRepresentation } from './representation.js';
import { countUp, passwordHistory } from './store.js';

const columns = {
  id: true,
  type: true,
  userLabel: true,
  createdDate: true,
  credentialData: true,
} satisfies Prisma.CredentialSelect;

/** A credential without anything that is secret. */
export const publicCredential = view<Prisma.CredentialGetPayload<{ select: typeof columns }>>(
  CredentialRepresentation,
  columns,
  ({ id, type, userLabel, createdDate, credentialData }) => ({
    id,
    type,
    ...(userLabel !== null && { userLabel }),
    ...(createdDate !== null && { createdDate: Number(createdDate) }),
    credentialData,
  }),
);

export const listCredentials = list({
  name: 'user.credentials',
  summary: 'Returns the credentials of a user in order, without secrets.',
  allow: 'manage:users',
  model: 'Credential',
  where: ({ user }: UserRef): Prisma.CredentialWhereInput => ({ userId: user.id, type: { not: passwordHistory } }),
  orderBy: [{ priority: 'asc' }, { id: 'asc' }],
});

/** Passwords and devices that a user storage keeps; users of the realm's own have none. */
export const storageCredentialTypes = read({
  name: 'user.storageCredentialTypes',
  summary: 'Returns the types of the credentials that a user storage keeps for the user. Empty for local users.',
  allow: 'view:users',
  run: async (_ctx, { realm, user }: UserTarget): Promise<string[]> =>
    realm.components.some(({ id }) => id === user.federationLink) ? ['password'] : [],
});

export const disableCredentialTypes = write({
  name: 'user.disableCredentialTypes',
  summary:
    'Disables credentials of the given types in the user storage of a user. Local credentials must be deleted individually.',
  input: listOf(text),
  allow: 'manage:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  run: async (_tx, { user }: UserTarget): Promise<{ id: string }> => ({ id: user.id }),
  event: (_, { path }, types) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/disable-credential-types`,
    representation: types,
  }),
  touches: (_, target) => touchedUser(target),
});

const linkOfUser = { federationLink: true, federationId: true, enabled: true } as const;

interface NewPassword {
  /** nothing where it was written to the user storage */
  password: HashedPassword | PolicyBreach | undefined;
}

export const setPassword = write({
  name: 'user.setPassword',
  summary: 'Sets the password of a user. A temporary password must be changed at the next login.',
  input: CredentialRepresentation,
  allow: 'manage:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  lock: lockUser,
  prepare: async (ctx, { realm, user }: UserTarget, { value, rawPassword, temporary }, asked): Promise<NewPassword> => {
    const password = value ?? rawPassword;
    if (password === undefined) throw invalid('No password provided', 'value', { member: 'error' });
    if (password.trim() === '') throw invalid('Empty password not allowed', 'value', { member: 'error' });
    const storage = await storageOfUser(ctx.services, realm.id, user);
    if (storage && placeOfPassword(storage) === 'directory') {
      const message = 'A password in a directory cannot be set within an atomic mutation or a dry run';
      requireAlone(ctx, message, { dryRun: asked?.dryRun, field: 'value' });
      const link = await ctx.db.user.findUniqueOrThrow({ where: { id: user.id }, select: linkOfUser });
      if (validatesPasswords(storage)) {
        const found = await findPolicyBreach(policyOf(realm), { password, username: user.username, email: user.email });
        if (found) throw breachRefusal(found);
      }
      await writePassword(storage, link, password, temporary);
      return { password: undefined };
    }
    const history = (await passwordsOf(ctx, realm, [user.id])).get(user.id) ?? [];
    return {
      password: await preparePassword(realm, password, { username: user.username, email: user.email, history }),
    };
  },
  run: async (tx, { realm, user }, { temporary = false }, { ctx, prepared }): Promise<{ id: string }> => {
    const { password } = prepared;
    if (password) {
      if (isBreach(password)) throw breachRefusal(password);
      await keepCredentials(tx, ctx, realm, [{ id: user.id, prepared: { password, temporary, given: [] } }]);
    } else await forgetPasswords(tx, [user.id]);
    const now = await tx.user.findUniqueOrThrow({ where: { id: user.id }, select: { requiredActions: true } });
    const others = (now.requiredActions as string[]).filter((action) => action !== 'UPDATE_PASSWORD');
    const requiredActions = temporary ? [...others, 'UPDATE_PASSWORD'] : others;
    await tx.user.updateMany({ where: { id: user.id }, data: { requiredActions, version: { increment: 1 } } });
    return { id: user.id };
  },
  refuses: ['PASSWORD_POLICY', 'READ_ONLY'],
  event: (_, { path }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/reset-password`,
    replaces: [['password']],
  }),
  touches: (_, target) => touchedUser(target),
});

/** What writes of a credential answer. */
interface CredentialOf {
  id: string;
  userId: string;
}

const action = ({ path, credential }: CredentialTarget, what = '') => ({
  operationType: 'ACTION' as const,
  resourceType: 'USER',
  resourcePath: `${path}/credentials/${credential.id}${what}`,
});

export const removeCredential = write({
  name: 'user.removeCredential',
  summary: 'Deletes a credential of a user.',
  allow: 'manage:users',
  actsOn: ({ user }: CredentialTarget) => [user.id],
  lock: lockUser,
  run: async (tx, { user, credential }: CredentialTarget): Promise<CredentialOf> => {
    await tx.credential.deleteMany({ where: { id: credential.id } });
    await countUp(tx, user.id);
    return { id: credential.id, userId: user.id };
  },
  event: (_, target) => action(target),
  touches: (_, target) => touchedUser(target),
});

/** The label is what a text body holds. */
export const setCredentialLabel = write({
  name: 'user.setCredentialLabel',
  summary: 'Sets the label by which a user recognises a credential.',
  input: text,
  allow: 'manage:users',
  actsOn: ({ user }: CredentialTarget) => [user.id],
  lock: lockUser,
  run: async (tx, { user, credential }: CredentialTarget, userLabel): Promise<CredentialOf> => {
    await tx.credential.updateMany({ where: { id: credential.id }, data: { userLabel } });
    await countUp(tx, user.id);
    return { id: credential.id, userId: user.id };
  },
  event: (_, target, userLabel) => ({ ...action(target, '/userLabel'), representation: userLabel }),
  touches: (_, target) => touchedUser(target),
});

/** The credential to stand behind; without one it comes first. */
const CredentialPlace = representation('CredentialPlace', { after: text });

export const moveCredential = write({
  name: 'user.moveCredential',
  summary: 'Moves a credential to the first position, or behind another credential of the same user.',
  input: CredentialPlace,
  allow: 'manage:users',
  actsOn: ({ user }: CredentialTarget) => [user.id],
  lock: lockUser,
  run: async (tx, { user, credential }: CredentialTarget, { after }): Promise<CredentialOf> => {
    await reorder(tx, user.id, credential.id, after);
    await countUp(tx, user.id);
    return { id: credential.id, userId: user.id };
  },
  event: (_, target, { after }) => action(target, after === undefined ? '/moveToFirst' : `/moveAfter/${after}`),
  touches: (_, target) => touchedUser(target),
});

/** Numbers the credentials of a user anew. Behind a credential that is not there nothing moves, as in the contract. */
async function reorder(tx: Db, userId: string, id: string, after: string | undefined): Promise<void> {
  const order = await tx.credential.findMany({
    where: { userId },
    select: { id: true, priority: true },
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
  });
  const moved = order.find((credential) => credential.id === id);
  const others = order.filter((credential) => credential.id !== id);
  const before = after === undefined ? 0 : others.findIndex((credential) => credential.id === after) + 1;
  if (!moved || (after !== undefined && before === 0)) return;
  const next = [...others.slice(0, before), moved, ...others.slice(before)];
  const numbered = next.map((credential, index) => ({ ...credential, wanted: 10 * (index + 1) }));
  await updateEach(
    tx,
    'Credential',
    numbered.filter(({ priority, wanted }) => priority !== wanted).map((row) => ({ id: row.id, priority: row.wanted })),
  );
}
