import type { Draft } from '../assemble/draft.js';
import { usernameOf } from '../assemble/users.js';
import type { Existing } from './existing.js';
import type { ImportFile } from './input.js';
import type { ImportAction, ImportedKind, Sorted, SortedFile } from './sort.js';

/** The outcome of one object in a file. */
export interface ImportResult {
  action: ImportAction;
  kind: ImportedKind;
  /** username, clientId, alias or the like */
  name: string;
  /** ID of the object after the import */
  id: string;
  /** ID of the overwritten object */
  formerId?: string;
  /** the client of a client role */
  client?: { id: string; clientId: string };
}

export interface Imported {
  results: ImportResult[];
  /** roles that the file only names, which were made for it */
  implied: ImportResult[];
  /** keys of the objects that were deleted for it */
  replaced: string[];
}

/** The outcome of each object in the file, in the order of clients, roles, identity providers, groups, and users. */
export function resultsOf(draft: Draft, existing: Existing, file: ImportFile, sorted: SortedFile): ImportResult[] {
  const of = <T>(
    kind: ImportedKind,
    items: readonly T[],
    { skipped, replaced }: Sorted<T>,
    name: (item: T) => string | undefined,
    idOf: (name: string, item: T) => string | undefined,
  ): ImportResult[] =>
    items.map((item, index) => {
      const own = name(item) ?? '';
      const before = skipped.get(index);
      const formerId = replaced.get(index);
      const action = before !== undefined ? 'SKIPPED' : formerId !== undefined ? 'OVERWRITTEN' : 'ADDED';
      return {
        action,
        kind,
        name: own,
        id: before ?? idOf(own, item) ?? '',
        ...(formerId !== undefined && { formerId }),
      };
    });
  const providers = new Map(draft.rows.IdentityProvider.map(({ alias, id }) => [alias, id]));
  const clientIds = new Map(existing.clients.map(({ clientId, id }) => [clientId, id]));
  const clientNamed = (clientId: string) => draft.clientByName.get(clientId)?.id ?? clientIds.get(clientId) ?? '';
  return [
    ...of('CLIENT', file.clients, sorted.clients, ({ clientId }) => clientId, clientNamed),
    ...of(
      'REALM_ROLE',
      file.realmRoles,
      sorted.realmRoles,
      ({ name }) => name,
      (name) => draft.rolesOf.get(draft.realmId)?.get(name)?.id,
    ),
    ...sorted.clientRoles.flatMap(({ clientId, ...roles }) => {
      const client = { id: clientNamed(clientId), clientId };
      return of(
        'CLIENT_ROLE',
        (Object.hasOwn(file.clientRoles, clientId) && file.clientRoles[clientId]) || [],
        roles,
        ({ name }) => name,
        (name) => draft.rolesOf.get(client.id)?.get(name)?.id,
      ).map((result) => ({ ...result, client }));
    }),
    ...of(
      'IDP',
      file.providers,
      sorted.providers,
      ({ alias }) => alias,
      (alias) => providers.get(alias),
    ),
    ...of(
      'GROUP',
      file.groups,
      sorted.groups,
      ({ name }) => name,
      (name) => draft.groupByPath.get(`/${name}`)?.id,
    ),
    ...of(
      'USER',
      file.users,
      sorted.users,
      ({ username }) => username,
      (_username, user) => draft.userByName.get(usernameOf(user))?.id,
    ),
  ];
}

/** The roles that mappings of the file name without it bringing them. */
export function implied(draft: Draft, { realmRoles, clientRoles }: SortedFile): ImportResult[] {
  const brought = new Set(realmRoles.kept.map(({ name }) => name));
  const broughtOf = new Map(clientRoles.map(({ clientId, kept }) => [clientId, new Set(kept.map(({ name }) => name))]));
  const clients = new Map([...draft.clientByName.values()].map((client) => [client.id, client]));
  return draft.rows.Role.flatMap(({ id, name, clientId }): ImportResult[] => {
    const client = clientId ? clients.get(clientId) : undefined;
    if (!client) return brought.has(name) ? [] : [{ action: 'ADDED', kind: 'REALM_ROLE', name, id }];
    if (broughtOf.get(client.clientId)?.has(name)) return [];
    return [{ action: 'ADDED', kind: 'CLIENT_ROLE', name, id, client: { id: client.id, clientId: client.clientId } }];
  });
}
