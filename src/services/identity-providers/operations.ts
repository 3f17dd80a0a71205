import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { IdentityProviderTarget } from './locate.js';
import { providerNames } from './settings.js';

export const listProviders = list({
  name: 'identityProvider.list',
  summary: 'Returns the identity providers of a realm. Secrets are masked.',
  allow: 'view:identity-providers',
  model: 'IdentityProvider',
  where: ({ realm }: Target): Prisma.IdentityProviderWhereInput => ({ realmId: realm.id }),
  orderBy: [{ position: 'asc' }, { alias: 'asc' }],
});

export const get = read({
  name: 'identityProvider.get',
  summary: 'Returns an identity provider. Secrets are masked.',
  allow: 'view:identity-providers',
  run: async (_ctx, { provider }: IdentityProviderTarget) => provider,
});

export const listProviderMappers = list({
  name: 'identityProviderMapper.list',
  summary: 'Returns the mappers of an identity provider.',
  allow: 'view:identity-providers',
  model: 'IdentityProviderMapper',
  where: ({ realm, provider }: IdentityProviderTarget): Prisma.IdentityProviderMapperWhereInput => ({
    realmId: realm.id,
    identityProviderAlias: provider.alias,
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

/** A kind of identity provider, which need not be one that this server knows. */
export interface ProviderKindTarget extends Target {
  providerId: string;
}

export const getKind = read({
  name: 'identityProvider.kind',
  summary: 'Returns an identity provider type with its display name.',
  allow: 'view:identity-providers',
  run: async (_ctx, { providerId }: ProviderKindTarget) => {
    const name = providerNames.get(providerId);
    return name === undefined ? undefined : { id: providerId, name };
  },
});
