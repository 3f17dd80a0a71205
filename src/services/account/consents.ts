import type { Context } from '../core/context.js';
import { invalid, Refusal } from '../core/refusal.js';
import { ignored, list, long, representation, text } from '../core/shape.js';
import { touchedUser } from '../users/operations.js';
import type { Account } from './account.js';
import { consentEncoder, consentSelect, type OwnConsent } from './applications.js';
import { ownRead, ownRecord, ownWrite, storeOwnEvent } from './operation.js';

/** A consent, as the account API of the contract has it. */
const ConsentRepresentation = representation('AccountConsentRepresentation', {
  grantedScopes: list(representation('AccountConsentScopeRepresentation', { id: text, name: text, displayTest: text })),
  createdDate: long,
  // the name of the field in other versions
  createDate: ignored,
  lastUpdatedDate: long,
});

/** A client to which the user may have consented. */
export interface OwnConsentTarget extends Account {
  client: { id: string; clientId: string; name: string | null };
}

/** The account and the client with this clientId. */
export async function ownConsentTo(ctx: Context, account: Account, clientId: string): Promise<OwnConsentTarget> {
  const client = await ctx.db.client.findUnique({
    where: { realmId_clientId: { realmId: account.realm.id, clientId } },
    select: { id: true, clientId: true, name: true },
  });
  const message = `No client with clientId: ${clientId} found.`;
  if (!client) throw new Refusal('notFound', message, { field: 'clientId', member: 'errorMessage' });
  return { ...account, client };
}

async function present(ctx: Context, target: OwnConsentTarget): Promise<OwnConsent | undefined> {
  const row = await ctx.db.userConsent.findUnique({
    where: { userId_clientId: { userId: target.user.id, clientId: target.client.id } },
    select: consentSelect,
  });
  return row ? (await consentEncoder(ctx, target, [row]))(row) : undefined;
}

export const getOwnConsent = ownRead({
  name: 'account.consent',
  summary: 'Returns the consent of the caller to a client. Nothing if there is none.',
  roles: ['manage-account', 'view-consent', 'manage-consent'],
  run: (ctx, target: OwnConsentTarget) => present(ctx, target),
});

const roles = ['manage-account', 'manage-consent'] as const;

export const giveConsent = ownWrite({
  name: 'account.giveConsent',
  summary: 'Replaces the consent of the caller to a client: the client scopes that the client may use.',
  roles,
  input: ConsentRepresentation,
  run: async (tx, target: OwnConsentTarget, { grantedScopes = [] }, { ctx }): Promise<OwnConsent> => {
    const { realm, user, client } = target;
    const ids = [...new Set(grantedScopes.map(({ id }) => id ?? ''))];
    const known = await tx.clientScope.findMany({
      where: { realmId: realm.id, id: { in: ids }, clients: { some: { clientId: client.id } } },
      select: { id: true },
    });
    const missing = ids.find((id) => !known.some((scope) => scope.id === id));
    if (missing !== undefined)
      throw invalid(
        `Scope id ${missing} does not exist for client ${client.name || client.clientId}.`,
        'grantedScopes',
        { member: 'errorMessage' },
      );
    const at = BigInt(ctx.services.now());
    const where = { userId: user.id, clientId: client.id };
    const row = { grantedScopes: ids, lastUpdatedDate: at };
    const added = await tx.insertNew('UserConsent', [{ ...where, ...row, createdDate: at }]);
    if (added === 0) await tx.userConsent.updateMany({ where, data: row });
    await storeOwnEvent(tx, ctx, target, added === 0 ? 'UPDATE_CONSENT' : 'GRANT_CONSENT', {
      consent: 'consent_granted',
      granted_client: client.clientId,
    });
    const stored = await tx.userConsent.findUniqueOrThrow({
      where: { userId_clientId: where },
      select: consentSelect,
    });
    return (await consentEncoder({ ...ctx, db: tx }, target, [stored]))(stored);
  },
  event: (_, target, input) => ownRecord(target, `consents/${target.client.clientId}`, input),
  touches: (_, target) => touchedUser(target),
});

interface RevokedConsent {
  id: string;
  count: number;
}

export const revokeOwnConsent = ownWrite({
  name: 'account.revokeConsent',
  summary:
    'Revokes the consent of the caller to a client, and the offline tokens of the client for the caller. Does nothing if there are none.',
  roles,
  run: async (tx, target: OwnConsentTarget, _input, { ctx }): Promise<RevokedConsent> => {
    const { user, client } = target;
    const consents = await tx.userConsent.deleteMany({ where: { userId: user.id, clientId: client.id } });
    const tokens = await tx.clientSession.deleteMany({
      where: { offline: true, clientId: client.id, session: { userId: user.id } },
    });
    await tx.userSession.deleteMany({ where: { userId: user.id, offline: true, clients: { none: {} } } });
    const count = consents.count + tokens.count;
    if (count > 0) await storeOwnEvent(tx, ctx, target, 'REVOKE_GRANT', { revoked_client: client.clientId });
    return { id: user.id, count };
  },
  event: ({ count }, target) => (count > 0 ? ownRecord(target, `consents/${target.client.clientId}`) : undefined),
  touches: (_, target) => touchedUser(target),
});
