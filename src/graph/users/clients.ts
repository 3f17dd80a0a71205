import DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { readableField } from '../core/readable.js';
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

builder.prismaObjectField(User, 'consents', (t) =>
  t.relation('consents', {
    type: Consent,
    description: 'Consents that the user gave to clients.',
    query: { orderBy: [{ client: { clientId: 'asc' } }, { clientId: 'asc' }] },
  }),
);

readableField(User, 'serviceAccountClient', {
  type: Client,
  relation: 'serviceAccountClient',
  description: 'The client whose service account the user is. Null for other users.',
});

readableField(Client, 'serviceAccountUser', {
  type: User,
  relation: 'serviceAccount',
  description: 'The service account of the client. Null if it has none.',
});

readableField(Consent, 'client', { type: Client, relation: 'client', description: 'The client.' });
