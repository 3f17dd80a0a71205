import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import { missing } from '../core/permit.js';
import { notFound } from '../core/refusal.js';
import type { UserTarget } from './locate.js';
import { touchedUser } from './operations.js';

/** A user and a client that it may have given a consent to. */
export interface ConsentTarget extends UserTarget {
  client: { id: string; clientId: string };
}

/** The client with this clientId, as the contract's path of a consent has it. */
export async function consentOf(ctx: Context, target: UserTarget, clientId: string): Promise<ConsentTarget> {
  const { realm } = target;
  const client = await ctx.db.client.findUnique({
    where: { realmId_clientId: { realmId: realm.id, clientId } },
    select: { id: true, clientId: true },
  });
  if (!client) throw await missing(ctx, realm, 'manage:users', 'Client not found');
  return { ...target, client };
}

export const listConsents = read({
  name: 'user.consents',
  summary: 'What a user allowed clients to see and do.',
  allow: 'view:users',
  run: async (ctx, { user }: UserTarget) => {
    const { consents, realm } = await ctx.db.user.findUniqueOrThrow({
      where: { id: user.id },
      select: {
        consents: {
          select: {
            grantedScopes: true,
            createdDate: true,
            lastUpdatedDate: true,
            client: { select: { clientId: true } },
          },
          orderBy: [{ client: { clientId: 'asc' } }],
        },
        realm: { select: { clientScopes: { select: { id: true, name: true } } } },
      },
    });
    const names = new Map(realm.clientScopes.map(({ id, name }) => [id, name]));
    return consents.map(({ client, grantedScopes, createdDate, lastUpdatedDate }) => ({
      clientId: client.clientId,
      grantedClientScopes: (grantedScopes as string[]).flatMap((id) => names.get(id) ?? []),
      createdDate: Number(createdDate),
      lastUpdatedDate: Number(lastUpdatedDate),
      additionalGrants: [] as object[],
    }));
  },
});

export const revokeConsent = write({
  name: 'user.revokeConsent',
  summary: 'Takes back the consent that a user gave to a client.',
  allow: 'manage:users',
  run: async (tx, { user, client }: ConsentTarget): Promise<{ id: string }> => {
    const { count } = await tx.userConsent.deleteMany({ where: { userId: user.id, clientId: client.id } });
    if (count === 0) throw notFound('Consent nor offline token not found');
    return { id: user.id };
  },
  event: (_, { path, client }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/consents/${client.clientId}`,
  }),
  touches: (_, target) => touchedUser(target),
});
