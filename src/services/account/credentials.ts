import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { forbidden, invalid, notFound } from '../core/refusal.js';
import { flag, representation, shortText, text } from '../core/shape.js';
import { isPerformed } from '../login/action-names.js';
import { mailNotice } from '../mail/notice.js';
import { hasShownFactor } from '../sessions/used-credentials.js';
import { lockUser, touchedUser } from '../users/operations.js';
import { countUp, passwordHistory } from '../users/store.js';
import { type Account, requireOwnSession } from './account.js';
import { type CredentialType, credentialType, credentialTypes } from './credential-types.js';
import { ownRead, ownRecord, ownWrite, storeOwnEvent } from './operation.js';
import { requireOtherWay } from './ways-to-log-in.js';

/** Maximum credentials in the list. */
const mostCredentials = 200;

/** A credential as its user sees it. `createdDate` is in milliseconds since 1970. */
export interface OwnCredential {
  id: string;
  type: string;
  userLabel?: string;
  createdDate?: number;
  credentialData: string;
}

/** A type of credentials with the user's credentials of this type. */
export interface CredentialContainer extends Omit<CredentialType, 'authenticators'> {
  userCredentials?: OwnCredential[];
}

const CredentialFilter = representation('AccountCredentialFilter', { type: text, 'user-credentials': flag });

const columns = {
  id: true,
  type: true,
  userLabel: true,
  createdDate: true,
  credentialData: true,
} as const satisfies Prisma.CredentialSelect;

const encodeOwn = (row: Prisma.CredentialGetPayload<{ select: typeof columns }>): OwnCredential => ({
  id: row.id,
  type: row.type,
  ...(row.userLabel && { userLabel: row.userLabel }),
  ...(row.createdDate !== null && { createdDate: Number(row.createdDate) }),
  credentialData: row.credentialData,
});

export const listOwnCredentials = ownRead({
  name: 'account.credentials',
  summary:
    'Returns the types of credentials that the realm uses, with the credentials of the caller, without secrets. Actions that the realm has switched off are left out.',
  roles: ['manage-account', 'view-profile'],
  input: CredentialFilter,
  run: async (ctx, { realm, user }: Account, { type, 'user-credentials': shown = true }) => {
    const wanted = type === undefined ? {} : { type };
    const [rows, steps, actions] = await Promise.all([
      ctx.db.credential.findMany({
        where: { userId: user.id, AND: [{ type: { not: passwordHistory } }, wanted] },
        select: columns,
        orderBy: [{ priority: 'asc' }, { id: 'asc' }],
        take: mostCredentials,
      }),
      ctx.db.authenticationExecution.findMany({
        where: {
          realmId: realm.id,
          requirement: { not: 'DISABLED' },
          authenticator: { in: credentialTypes.flatMap(({ authenticators }) => authenticators) },
        },
        select: { authenticator: true },
      }),
      ctx.db.requiredAction.findMany({ where: { realmId: realm.id, enabled: true }, select: { alias: true } }),
    ]);
    const used = new Set(steps.map(({ authenticator }) => authenticator));
    const enabled = new Set(actions.map(({ alias }) => alias));
    const offered = (action: string | undefined) =>
      action !== undefined && enabled.has(action) && isPerformed(action) ? action : undefined;
    return credentialTypes.flatMap(({ authenticators, createAction, updateAction, ...rest }): CredentialContainer[] => {
      const own = rows.filter((row) => row.type === rest.type);
      if (type !== undefined && type !== rest.type) return [];
      if (own.length === 0 && !authenticators.some((name) => used.has(name))) return [];
      const create = offered(createAction);
      const update = offered(updateAction);
      return [
        {
          ...rest,
          ...(create && { createAction: create }),
          ...(update && { updateAction: update }),
          ...(shown && { userCredentials: own.map(encodeOwn) }),
        },
      ];
    });
  },
});

export interface OwnCredentialTarget extends Account {
  credential: { id: string; type: string; userLabel: string | null };
}

/** The credential with this ID, if it belongs to the caller. */
export async function ownCredential(ctx: Context, account: Account, id: string): Promise<OwnCredentialTarget> {
  const credential = await ctx.db.credential.findFirst({
    where: { id, userId: account.user.id, type: { not: passwordHistory } },
    select: { id: true, type: true, userLabel: true },
  });
  if (!credential) throw notFound('Credential not found');
  return { ...account, credential };
}

/** The error code for a session without a second factor. */
export const factorRequired = 'second_factor_required';

/**
 * Refuses to remove a second factor in a session whose login did not use one. Otherwise somebody with only the password
 * could remove it. If no flow of the realm requires credentials of the type, they protect nothing.
 */
async function requireShownFactor(tx: Db, { realm, notes, credential }: OwnCredentialTarget): Promise<void> {
  const authenticators = credentialType(credential.type)?.authenticators ?? [];
  const where = { realmId: realm.id, requirement: { not: 'DISABLED' }, authenticator: { in: [...authenticators] } };
  if ((await tx.authenticationExecution.count({ where })) === 0) return;
  if (hasShownFactor(notes)) return;
  throw forbidden('The session must have begun with a second factor: log in again with one', { event: factorRequired });
}

interface RemovedCredential {
  id: string;
  userId: string;
}

export const removeOwnCredential = ownWrite({
  name: 'account.removeCredential',
  summary:
    'Deletes a device, key, or passkey of the caller. A password can only be replaced, and the last way to log in stays.',
  roles: ['manage-account'],
  lock: lockUser,
  check: (_permit, account: OwnCredentialTarget) => {
    const { credential } = account;
    requireOwnSession(account);
    if (!credentialType(credential.type)?.removeable)
      throw invalid(`A credential of the type ${credential.type} cannot be deleted`, undefined, {
        code: 'BUILT_IN',
        member: 'error',
      });
  },
  run: async (tx, account: OwnCredentialTarget, _input, { ctx }): Promise<RemovedCredential> => {
    const { user, credential } = account;
    await requireShownFactor(tx, account);
    if (credential.type === 'webauthn-passwordless')
      await requireOtherWay(tx, account, { credentialId: credential.id });
    const { count } = await tx.credential.deleteMany({ where: { id: credential.id, userId: user.id } });
    if (count === 0) throw notFound('Credential not found');
    await countUp(tx, user.id);
    const type = credential.type === 'otp' ? 'REMOVE_TOTP' : 'CUSTOM_REQUIRED_ACTION';
    const details = { credential_id: credential.id, credential_type: credential.type, context: 'ACCOUNT' };
    await storeOwnEvent(tx, ctx, account, type, {
      ...details,
      ...(credential.type !== 'otp' && { custom_required_action: 'delete_credential' }),
    });
    return { id: credential.id, userId: user.id };
  },
  refuses: ['BUILT_IN', 'IN_USE'],
  event: (_, account) => ownRecord(account, `credentials/${account.credential.id}`),
  touches: (_, target) => touchedUser(target),
  effect: (ctx, _result, { realm, user }) => mailNotice(ctx.services, realm, user, { kind: 'credentialRemoved' }),
});

export const labelOwnCredential = ownWrite({
  name: 'account.labelCredential',
  summary: 'Sets the label by which the caller recognises a credential.',
  roles: ['manage-account'],
  input: shortText,
  lock: lockUser,
  run: async (tx, { user, credential }: OwnCredentialTarget, label): Promise<RemovedCredential> => {
    const userLabel = label.trim();
    await tx.credential.updateMany({ where: { id: credential.id, userId: user.id }, data: { userLabel } });
    await countUp(tx, user.id);
    return { id: credential.id, userId: user.id };
  },
  event: (_, account, label) => ownRecord(account, `credentials/${account.credential.id}/userLabel`, label),
  touches: (_, target) => touchedUser(target),
});
