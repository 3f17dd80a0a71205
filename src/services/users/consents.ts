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
  summary: 'Returns the consents that a user gave to clients.',
  allow: 'view:users',
  run: async (ctx, { user }: UserTarget) => {
    const { consents, realm, sessions } = await ctx.db.user.findUniqueOrThrow({
      where: { id: user.id },
      select: {
        sessions: {
          where: { offline: true },
          select: { clients: { select: { client: { select: { id: true, clientId: true } } } } },
        },
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
    const offline = new Map(
      sessions.flatMap(({ clients }) => clients.map(({ client }) => [client.clientId, client.id] as const)),
    );
    const grants = (clientId: string) => {
      const client = offline.get(clientId);
      return client === undefined ? [] : [{ client, key: 'Offline Token' }];
    };
    const given = consents.map(({ client, grantedScopes, createdDate, lastUpdatedDate }) => ({
      clientId: client.clientId,
      grantedClientScopes: (grantedScopes as string[]).flatMap((id) => names.get(id) ?? []),
      createdDate: Number(createdDate),
      lastUpdatedDate: Number(lastUpdatedDate),
      additionalGrants: grants(client.clientId),
    }));
    // a client without a consent may have an offline token all the same
    const others = [...offline.keys()].filter((id) => !given.some(({ clientId }) => clientId === id)).sort();
    const unasked = others.map((clientId) => ({
      clientId,
      grantedClientScopes: [] as string[],
      createdDate: undefined,
      lastUpdatedDate: undefined,
      additionalGrants: grants(clientId),
    }));
    return [...given, ...unasked];
  },
});

export const revokeConsent = write({
  name: 'user.revokeConsent',
  summary: 'Revokes the consent that a user gave to a client, and the offline tokens of the client for the user.',
  allow: 'manage:users',
  actsOn: ({ user }: ConsentTarget) => [user.id],
  run: async (tx, { user, client }: ConsentTarget): Promise<{ id: string }> => {
    const consents = await tx.userConsent.deleteMany({ where: { userId: user.id, clientId: client.id } });
    const where = { offline: true, clientId: client.id, session: { userId: user.id } };
    const tokens = await tx.clientSession.deleteMany({ where });
    if (consents.count + tokens.count === 0) throw notFound('Consent nor offline token not found');
    await tx.userSession.deleteMany({ where: { userId: user.id, offline: true, clients: { none: {} } } });
    return { id: user.id };
  },
  event: (_, { path, client }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/consents/${client.clientId}`,
  }),
  touches: (_, target) => touchedUser(target),
});
