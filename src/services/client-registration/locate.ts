import type { FullClientTarget } from '../clients/locate.js';
import { type FullClient, full } from '../clients/store.js';
import type { Context } from '../core/context.js';
import type { Permission } from '../core/permissions.js';
import { permitFor } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import type { Refusal } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { oauthError } from '../tokens/oauth-error.js';
import { noClient, notAllowed, unauthorized } from './faults.js';
import { requireUsable } from './initial-access-use.js';
import type { Registrant } from './registrant.js';

/** A realm for the registration of a client, with the authentication of the request. */
export interface RegistrationTarget extends Target {
  by: Registrant;
}

/** A client whose registration is read or changed. */
export interface RegisteredTarget extends FullClientTarget {
  by: Registrant;
}

async function requirePermission(ctx: Context, realm: RealmRecord, permission: Permission): Promise<void> {
  if (!(await permitFor(ctx, realm)).can(permission)) throw notAllowed();
}

/** The realm for a new registration, if the token may. */
export async function toRegister(ctx: Context, realm: RealmRecord, by: Registrant): Promise<RegistrationTarget> {
  if (by.kind === 'bearer') await requirePermission(ctx, realm, 'create:clients');
  if (by.kind === 'initial') await requireUsable(ctx.db, ctx, realm, by.tokenId);
  // the token of one client proves nothing about another
  return { realm, by: by.kind === 'registration' ? { ...by, policies: 'anonymous' } : by };
}

interface Wanted {
  clientId: string;
  /** the protocol of the endpoint; undefined for any */
  protocol?: string | undefined;
}

/** The client of this clientId with the ID of its registration access token. */
async function findClient(ctx: Context, realm: RealmRecord, clientId: string) {
  const found = await ctx.db.client.findFirst({
    where: { realmId: realm.id, clientId },
    select: { ...full, registrationToken: true },
  });
  if (!found) return undefined;
  const { registrationToken, ...client } = found;
  return { client: client satisfies FullClient, registrationToken };
}

/**
 * The client of the token, or one that its bearer may read or change. Bearers without the permission cannot see whether
 * a client exists.
 */
async function registered(
  ctx: Context,
  realm: RealmRecord,
  by: Registrant,
  { clientId, protocol }: Wanted,
  { permission, refused }: { permission: Permission; refused: () => Refusal },
): Promise<RegisteredTarget> {
  if (by.kind === 'bearer') await requirePermission(ctx, realm, permission);
  else if (by.kind !== 'registration' && !(by.kind === 'client' && permission === 'view:clients')) throw refused();
  const found = await findClient(ctx, realm, clientId);
  if (by.kind === 'registration' && (!found || by.tokenId === '' || found.registrationToken !== by.tokenId)) {
    throw refused();
  }
  if (!found) throw noClient();
  if (protocol && (found.client.protocol ?? protocol) !== protocol) {
    throw oauthError(400, 'invalid_client', 'Wrong client protocol.');
  }
  return { realm, by, client: found.client };
}

/** The refusal of a token that is invalid, or no longer valid, for changing this client. */
export const notToUpdate = (): Refusal =>
  unauthorized('Not authorized to update client. Maybe missing token or bad token type.');

/** Finds a client for reading. */
export const toRead = (ctx: Context, realm: RealmRecord, by: Registrant, wanted: Wanted): Promise<RegisteredTarget> =>
  registered(ctx, realm, by, wanted, {
    permission: 'view:clients',
    refused: () =>
      unauthorized(
        by.kind === 'initial'
          ? 'Not initial access token allowed'
          : 'Not authorized to view client. Not valid token or client credentials provided.',
      ),
  });

/** Finds a client for a change or for deletion. */
export const toChange = (ctx: Context, realm: RealmRecord, by: Registrant, wanted: Wanted): Promise<RegisteredTarget> =>
  registered(ctx, realm, by, wanted, { permission: 'manage:clients', refused: notToUpdate });
