import type { Missing } from '../../core/refusal.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Json, listOf } from './kinds.js';

/** A name in a file with its place. */
interface Mention {
  place: string;
  name: unknown;
}

const namesIn = (list: unknown, place: string): Mention[] =>
  Array.isArray(list) ? list.map((name, index) => ({ place: `${place}.${index}`, name })) : [];

const inEach = (given: Json, list: string, mentionsOf: (object: Json, place: string) => Mention[]): Mention[] =>
  listOf(given, list).flatMap((object, index) => mentionsOf(object, `${list}.${index}`));

const scopeLists = ['defaultClientScopes', 'optionalClientScopes'];
const scopeListsOfRealm = ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'];

const scopesNamed = (given: Json): Mention[] => [
  ...scopeListsOfRealm.flatMap((list) => namesIn(given[list], list)),
  ...inEach(given, 'clients', (client, at) => scopeLists.flatMap((list) => namesIn(client[list], `${at}.${list}`))),
];

const providersNamed = (given: Json): Mention[] => [
  ...inEach(given, 'identityProviderMappers', ({ identityProviderAlias: name }, at) => [
    { place: `${at}.identityProviderAlias`, name },
  ]),
  ...inEach(given, 'users', (user, at) =>
    listOf(user, 'federatedIdentities').map(({ identityProvider: name }, index) => ({
      place: `${at}.federatedIdentities.${index}.identityProvider`,
      name,
    })),
  ),
];

/** A value in a file that has no effect, with its place. */
export interface Idle {
  path: readonly string[];
  /** the text after the path in a sentence */
  message: string;
  /** for a name: the missing object, which the realm that the file is for may have */
  missing?: Missing;
}

/**
 * Names in a file that refer to nothing in the realm. The contract accepts them: a client scope is skipped, and mappers
 * and links of an identity provider wait for it.
 */
export function unknownNames(given: Json, after: Pick<RealmRows, 'ClientScope' | 'IdentityProvider'>): Idle[] {
  const scopes = new Set<unknown>(after.ClientScope.map(({ name }) => name));
  const providers = new Set<unknown>(after.IdentityProvider.map(({ alias }) => alias));
  const missing = (
    mentions: readonly Mention[],
    known: ReadonlySet<unknown>,
    [called, kind]: [string, Missing['kind']],
  ): Idle[] =>
    mentions
      .filter(({ name }) => !known.has(name))
      .map(({ place, name }) => ({
        path: place.split('.'),
        message: `has no effect: the realm will not have the ${called} "${String(name)}".`,
        missing: { kind },
      }));
  return [
    ...missing(scopesNamed(given), scopes, ['client scope', 'clientScopes']),
    ...missing(providersNamed(given), providers, ['identity provider', 'identityProviders']),
  ];
}
