import { createClient } from '../../../client/dist/index.js';
import type { Server } from './credentials.js';

/** A GraphQL document with its types: REST has no live events. */
interface Document<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

const realmId: Document<{ realm: { id: string } | null }, { name: string }> =
  'query ($name: String!) { realm(name: $name) { id } }';

const live: Document<{ adminEvents: { cursor: string; event: { id: string } | null } }, { realm: string }> = `
  subscription ($realm: ID!, $after: String) {
    adminEvents(realm: $realm, after: $after) { cursor event { id } }
  }`;

/** Yields once it follows a realm on a server, and after each change, by its feed of admin events. */
export async function* liveChanges(server: Server, realm: string, signal: AbortSignal): AsyncGenerator<void> {
  const { url, token } = server;
  const client = createClient({ url: `${url}/graphql`, token });
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
