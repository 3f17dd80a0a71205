import { inLowerCase, textsInOrder } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import type { IdentityProviderTarget } from './locate.js';
import { providerNames } from './settings.js';

const ProviderFilter = representation('IdentityProviderFilter', { search: text });

/** The start of a text, or a text as a whole with asterisks for any characters. */
function matching(text: string): object {
  if (!text.includes('*')) return { startsWith: text };
  const pieces = text.split('*');
  return { startsWith: pieces[0], contains: textsInOrder(...pieces), endsWith: pieces.at(-1) };
}

export const listProviders = list({
  name: 'identityProvider.list',
  summary:
    'Returns the identity providers of a realm. `search` matches the start of the alias or display name, with `*` for any characters. Secrets are masked.',
  allow: 'view:identity-providers',
  model: 'IdentityProvider',
  input: ProviderFilter,
  where: ({ realm }: Target, { search }): Prisma.IdentityProviderWhereInput => {
    const text = search?.trim().toLowerCase();
    const tests = text && inLowerCase(matching(text));
    return { realmId: realm.id, ...(tests && { OR: [{ alias: tests }, { displayName: tests }] }) };
  },
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
