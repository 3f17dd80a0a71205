import type { ModelName } from '../../../database/db.js';
import type { Row } from './delta.js';
import { type Json, type Keyed, keyed, listOf, mapOf } from './kinds.js';

const lists = {
  authenticationFlows: keyed.flow,
  clients: keyed.client,
  identityProviderMappers: keyed.identityProviderMapper,
  identityProviders: keyed.identityProvider,
  users: keyed.user,
} as const satisfies Record<string, Keyed>;

/** An object of a file with its place. */
export interface Placed {
  object: Json;
  place: string[];
}

/** The objects of a list with their places. */
export const placedIn = (list: readonly Json[], above: readonly string[]): Placed[] =>
  list.map((object, index) => ({ object, place: [...above, String(index)] }));

/** The components of a file with their places, including nested ones. */
export function placedComponents(realm: Json): Placed[] {
  const below = (owner: Json, name: string, above: readonly string[]): Placed[] => {
    const byType = mapOf(owner, name);
    return Object.keys(byType)
      .flatMap((type) => placedIn(listOf(byType, type), [...above, name, type]))
      .flatMap((placed) => [placed, ...below(placed.object, 'subComponents', placed.place)]);
  };
  return below(realm, 'components', []);
}

/** The roles of a file with their places. */
function placedRoles(given: Json): Placed[] {
  const roles = mapOf(given, 'roles');
  const byClient = mapOf(roles, 'client');
  const ofClients = Object.keys(byClient).flatMap((id) => placedIn(listOf(byClient, id), ['roles', 'client', id]));
  return [...placedIn(listOf(roles, 'realm'), ['roles', 'realm']), ...ofClients];
}

/**
 * The place of a policy of authorization services in a file; the place of its client if the file does not have the
 * policy.
 */
export function placeOfPolicy(given: Json, client: Row | undefined, { name }: { name: string }): string[] {
  const server = placesIn(given)('Client', client ?? {});
  const file = listOf(given, 'clients')[Number(server[1])] ?? {};
  const policies = listOf(mapOf(file, 'authorizationSettings'), 'policies');
  const index = policies.findIndex((policy) => policy.name === name);
  return index < 0 ? server : [...server, 'authorizationSettings', 'policies', String(index)];
}

/** The place in a file that a row comes from. */
export type PlaceOf = (model: ModelName, row: Row) => string[];

/**
 * Finds the place in a file that a row comes from; the place of its list if the file has the object under another name.
 */
export function placesIn(given: Json): PlaceOf {
  const found = new Map<string, string[]>();
  const note = ({ model, key, id }: Keyed, { object, place }: Placed): void => {
    found.set(`${model} key ${key(object)}`, place);
    if (typeof object[id] === 'string') found.set(`${model} id ${object[id]}`, place);
  };
  const rest = new Map<ModelName, { kind: Keyed; list: string }>();
  for (const [list, kind] of Object.entries(lists)) {
    rest.set(kind.model, { kind, list });
    for (const placed of placedIn(listOf(given, list), [list])) note(kind, placed);
  }
  rest.set('Role', { kind: keyed.role, list: 'roles' });
  for (const placed of placedRoles(given)) note(keyed.role, placed);
  rest.set('Component', { kind: keyed.component, list: 'components' });
  for (const placed of placedComponents(given)) note(keyed.component, placed);
  return (model, row) => {
    const known = rest.get(model);
    if (!known) return [];
    const { kind, list } = known;
    return found.get(`${model} id ${String(row.id)}`) ?? found.get(`${model} key ${kind.key(row as Json)}`) ?? [list];
  };
}
