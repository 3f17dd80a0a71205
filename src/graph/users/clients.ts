import DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { Client, clientBehind, seenClient } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { isAllowed } from '../core/node.js';
import { User } from './users.js';

/** Names of client scopes by id: one statement for all consents of a request. */
const scopeNames = (ctx: Context): DataLoader<string, string | undefined> =>
  loader(
    ctx,
    'names of client scopes',
    () =>
      new DataLoader(async (ids: readonly string[]) => {
        const rows = await ctx.db.clientScope.findMany({
          where: { id: { in: [...ids] } },
          select: { id: true, name: true },
        });
        const names = new Map(rows.map(({ id, name }) => [id, name]));
        return ids.map((id) => names.get(id));
      }),
  );

const Consent = builder.prismaObject('UserConsent', {
  variant: 'Consent',
  description: 'Consent of a user to a client.',
  fields: (t) => ({
    clientId: t.string({
      description: 'Client identifier of the client.',
      select: { client: { select: { clientId: true } } },
      resolve: ({ client }) => client.clientId,
    }),
    client: t.field(clientBehind),
    grantedScopes: t.stringList({
      description: 'Names of the client scopes that the user granted.',
      select: { grantedScopes: true },
      resolve: async ({ grantedScopes }, _args, ctx) => {
        const names = await Promise.all((grantedScopes as string[]).map((id) => scopeNames(ctx).load(id)));
        return names.filter((name) => name !== undefined);
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the user first gave consent.',
      select: { createdDate: true },
      resolve: ({ createdDate }) => new Date(Number(createdDate)),
    }),
    lastUpdatedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the user last changed the consent.',
      select: { lastUpdatedDate: true },
      resolve: ({ lastUpdatedDate }) => new Date(Number(lastUpdatedDate)),
    }),
  }),
});

builder.prismaObjectFields(User, (t) => ({
  consents: t.field({
    type: [Consent],
    description: 'Consents that the user gave to clients.',
    select: (_args, _ctx, nested) => ({
      consents: nested({ orderBy: [{ client: { clientId: 'asc' } }, { clientId: 'asc' }] }) as { select: object },
    }),
    resolve: (user) => (user as unknown as { consents: never[] }).consents,
  }),
  serviceAccountClient: t.field({
    type: Client,
    nullable: true,
    description:
      'The client whose service account the user is. Null for other users, and for callers who may not view clients.',
    select: (_args, _ctx, nested) => ({ serviceAccountClient: nested() as { select: { id: true } } }),
    resolve: async (user, _args, ctx) => {
      const { serviceAccountClient: client } = user as unknown as { serviceAccountClient: { id: string } | null };
      return (await seenClient(ctx, user.realmId, client)) as never;
    },
  }),
}));

builder.prismaObjectField(Client, 'serviceAccountUser', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'The service account of the client. Null if it has none, and for callers who may not view users.',
    select: (_args, _ctx, nested) => ({ serviceAccount: nested() as { select: { id: true } } }),
    resolve: async (client, _args, ctx) => {
      const { serviceAccount: user } = client as unknown as { serviceAccount: { id: string } | null };
      const about = user && ({ kind: 'user', id: user.id } as const);
      return (about && (await isAllowed(ctx, client.realmId, 'view:users', about)) ? user : null) as never;
    },
  }),
);
