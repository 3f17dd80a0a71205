import type { ClientTarget } from '../clients/locate.js';
import { isSecretAttribute, maskedAttributes, openedAttributes, openedSecret } from '../clients/secrets.js';
import { accountOf } from '../clients/service-account.js';
import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { addressForRealm } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { currentKeys } from '../keys/operations.js';
import { issuerOf } from '../tokens/context.js';
import { type InstallationProvider, installationProviders } from './providers.js';
import { type InstalledClient, installedSelect } from './source.js';
import { audienceMappers } from './store.js';

/** The format of the settings, by the ID of its provider. */
const InstallationRequest = representation('InstallationRequest', { providerId: text });

/** The settings of a client in one of the formats. */
export interface Installation {
  provider: InstallationProvider;
  content: string | Uint8Array;
}

export const installation = read({
  name: 'client.installation',
  summary:
    'Returns the settings of a client in the format of an adapter. Private keys are included only for callers who may change clients.',
  input: InstallationRequest,
  allow: 'view:clients',
  actsOn: accountOf,
  run: async (ctx, target: ClientTarget, { providerId }, permit): Promise<Installation> => {
    const provider = installationProviders.find(({ id }) => id === providerId);
    if (!provider) throw notFound('Unknown Provider', 'providerId');
    const client = await installedClient(ctx, target, permit.may('configure:clients', 'client', target.client.id));
    return { provider, content: await provider.make(client) };
  },
});

async function installedClient(
  ctx: Context,
  { realm, client: { id } }: ClientTarget,
  withKeys: boolean,
): Promise<InstalledClient> {
  const row = await ctx.db.client.findUnique({ where: { id }, select: installedSelect });
  if (!row) throw notFound('Could not find client');
  const { attributes, secret, _count, ...columns } = row;
  const { sealer } = ctx.services;
  const owner = { id, realmId: realm.id };
  const { sslRequired } = realm.settings;
  return {
    ...columns,
    realm: { id: realm.id, name: realm.name, sslRequired: typeof sslRequired === 'string' ? sslRequired : 'external' },
    baseUrl: addressForRealm(ctx, realm),
    issuer: issuerOf(addressForRealm(ctx, realm), realm.name),
    secret: openedSecret({ ...owner, secret }, sealer),
    attributes: withKeys ? openedAttributes({ ...owner, attributes }, sealer) : withoutKeys(attributes),
    hasRoles: _count.roles > 0,
    isAudience: await isAudience(ctx, realm.id, row.clientId),
    signingKeys: await signingKeys(ctx, realm),
  };
}

const withoutKeys = (attributes: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(maskedAttributes(attributes)).filter(([name]) => !isSecretAttribute(name)));

/** Whether an audience mapper of a client scope names the client: then it can ask tokens to be for it. */
async function isAudience(ctx: Context, realmId: string, clientId: string): Promise<boolean> {
  const mappers = await audienceMappers(ctx.db, realmId);
  return mappers.some((settings) => settings['included.client.audience'] === clientId);
}

async function signingKeys(ctx: Context, realm: ClientTarget['realm']) {
  const keys = await currentKeys(ctx, realm);
  return keys.flatMap(({ kid, type, use, status, certificate }) =>
    type === 'RSA' && use === 'SIG' && status === 'ACTIVE' && certificate ? [{ kid, certificate }] : [],
  );
}
