import { beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../src/rest/openapi.js';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { bodyOf } from '../contract/bodies.js';
import type { Schema } from '../contract/conformance.js';
import { fillRealm, realmWithLists } from '../contract/realm.js';
import { addressOf, type Parameters, titleOf } from '../matrix/addresses.js';
import { administrator, type Caller } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { inheritedName as name, notedReaders } from './readers.js';
import { textPlaces, withText } from './text-places.js';

// Every text of every operation is the name of a member that all objects inherit: no code may find it in an object that has
// not got it itself.
const realm = 'inherited';
const readers = notedReaders();

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}
const { paths, components } = JSON.parse(await openApiText()) as Document;

let admin: Caller;
let params: Parameters;

beforeAll(async () => {
  admin = await administrator(await startServer());
  expect((await admin.send('POST', '/', realmWithLists(realm))).status).toBe(201);
  params = await fillRealm(admin, realm);
});

const pathOf = ({ path, admin: own }: Route) => (path === '' ? `/admin${own}` : path.replace('*}', '}'));

/** Texts in the body that an operation takes. */
function placesOf(route: Route): readonly (readonly string[])[] {
  const content = paths[pathOf(route)]?.[route.method.toLowerCase()]?.requestBody?.content ?? {};
  const schema = content['application/json']?.schema ?? content['application/merge-patch+json']?.schema;
  return schema ? textPlaces(schema, components.schemas) : [];
}

/** A body that the operation takes. */
async function usualBody(route: Route, address: string): Promise<unknown> {
  const { body } = await bodyOf(`${route.method} ${pathOf(route)}`, { admin, params, address });
  if (body !== undefined || !route.takes || route.method === 'PATCH') return body ?? {};
  const { status, body: present } = await admin.send('GET', address);
  if (status !== 200) return {};
  return route.method === 'POST' && Array.isArray(present) ? (present[0] ?? {}) : present;
}

const table = [...new Map(routes.map((route) => [route.operation.name, route])).values()];

describe('a text that is the name of an inherited member', () => {
  it.each(
    sampled(
      table.map((route) => [titleOf(route), route] as const),
      40,
    ),
  )('is found nowhere in %s', async (_title, route) => {
    const address = addressOf(route, params);
    const usual = await usualBody(route, address);
    const type = route.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const ask = (query: string, body: unknown, at = address) =>
      admin.send(route.method, at + query, body, {
        prefer: 'dry-run',
        ...(body !== undefined && { 'content-type': type }),
      });
    const sent = route.takes ? usual : undefined;
    for (const parameter of Object.keys(params)) {
      const at = addressOf(route, { ...params, [parameter]: name });
      if (at !== address) await ask('', sent, at);
    }
    for (const parameter of route.query) await ask(`?${parameter}=${name}`, sent);
    for (const place of placesOf(route)) await ask('', withText(usual, place, name));
    expect(readers()).toEqual([]);
  });
});
