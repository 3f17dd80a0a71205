import { createClient, type RealmgateClient, RequestError } from '../../../client/dist/index.js';
import { type ChangeRecord, type EventPlaces, mostRecords } from './access.js';
import type { Server } from './credentials.js';

/** The texts and types of what is asked of GraphQL: REST has no events as they happen, and no changes of fields. */
interface Document<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

const realmId: Document<{ realm: { id: string } | null }, { name: string }> =
  'query ($name: String!) { realm(name: $name) { id } }';

interface Node extends Omit<ChangeRecord, 'by' | 'changes'> {
  /** the values are JSON texts */
  changes: { path: string[]; before: string | null }[] | null;
  actor: { username: string } | null;
  clientId: string | null;
}
interface Found {
  realm: { adminEvents: { edges: { node: Node }[] } | null } | null;
}

const events: Document<Found, { name: string; first: number; filter: object }> = `
  query ($name: String!, $first: Int!, $filter: AdminEventFilter!) {
    realm(name: $name) {
      adminEvents(first: $first, filter: $filter) {
        edges {
          node {
            time operation operationType resourceType resourcePath clientId
            actor { username }
            changes { path before }
          }
        }
      }
    }
  }`;

const live: Document<{ adminEvents: { cursor: string; event: { id: string } | null } }, { realm: string }> = `
  subscription ($realm: ID!, $after: String) {
    adminEvents(realm: $realm, after: $after) { cursor event { id } }
  }`;

const clientOf = ({ url, token }: Server): RealmgateClient => createClient({ url: `${url}/graphql`, token });

/** Admin events of a realm on a server. None if the caller may not view them: a drift is known without its author. */
export async function recordsAt(server: Server, realm: string, places: EventPlaces): Promise<ChangeRecord[]> {
  const filter = {
    or: [
      ...(places.paths.length > 0 ? [{ resourcePath: { in: places.paths } }] : []),
      ...places.paths.map((path) => ({ resourcePath: { startsWith: `${path}/` } })),
      ...places.endings.map((ending) => ({ resourcePath: { endsWith: ending } })),
      ...(places.deletedKinds.length > 0 ? [{ operationTypes: ['DELETE'], resourceTypes: places.deletedKinds }] : []),
      ...(places.isRealm ? [{ resourceTypes: ['REALM'] }] : []),
    ],
  };
  try {
    const data = await clientOf(server).request(events, { name: realm, first: mostRecords, filter });
    const edges = data.realm?.adminEvents?.edges ?? [];
    return edges.map(({ node: { actor, clientId, ...node } }) => ({
      ...node,
      by: actor?.username ?? clientId ?? '',
      changes: (node.changes ?? []).map(({ path, before }) => ({ path, before: JSON.parse(before ?? 'null') })),
    }));
  } catch (error) {
    if (error instanceof RequestError && error.code === 'FORBIDDEN') return [];
    throw sentence(server, error);
  }
}

/** Yields once it follows a realm on a server, and after each change, by its feed of admin events. */
export async function* liveChanges(server: Server, realm: string, signal: AbortSignal): AsyncGenerator<void> {
  const client = clientOf(server);
  try {
    const { realm: found } = await client.request(realmId, { name: realm });
    if (!found) throw new Error(`The realm "${realm}" was not found on ${server.url}.`);
    // the first message has no event: it confirms the subscription
    for await (const _ of client.subscribe(live, { realm: found.id }, { signal })) yield;
  } catch (error) {
    throw sentence(server, error);
  }
}

const sentence = ({ url }: Server, error: unknown): Error =>
  new Error(`The events of ${url} cannot be read: ${(error as Error).message}.`);
