import { readFileSync } from 'node:fs';
import type { Answer } from '../../support/fixture.js';
import { randomComponent } from './components.js';
import { type Place, placeOf } from './places.js';
import { createValues, type Schema } from './values.js';
import { isJson, type Json, type World } from './world.js';

interface Operation {
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
interface Route {
  path: string;
  method: string;
  operation: Operation;
}

const api: OpenApi = JSON.parse(readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8'));

/** Routes that change nothing of a realm's description, ask other servers, or are what the laws are about. */
const others =
  /partialImport|\/plan$|\/apply$|revert|managed|testSMTP|testLDAP|ldap-server|import-config|clear-|logout|push-revocation|description-converter|impersonation|execute-actions|send-verify|reset-password-email|sync$|evaluate|partial-export|upload|download|attack-detection|admin-events$|events$|certificates|remove-imported|client-templates|nodes/;

const routes: Route[] = Object.entries(api.paths).flatMap(([path, methods]) =>
  ['post', 'put', 'patch', 'delete'].flatMap((method) => {
    const operation = methods[method];
    const isOurs = path.startsWith('/{realm}') && !others.test(path) && !(path === '/{realm}' && method !== 'put');
    return operation && isOurs ? [{ path, method, operation }] : [];
  }),
);

/** A write that was sent, and what was answered. */
export interface Sent {
  line: string;
  answer: Answer;
}

const schemaOf = ({ requestBody }: Operation, type = 'application/json'): Schema | undefined =>
  requestBody?.content?.[type]?.schema;

/** Sends one random write; undefined if the realm has no object that it could be about. */
export async function randomWrite(world: World): Promise<Sent | undefined> {
  const method = world.chance(0.08) ? ['delete'] : world.chance(0.55) ? ['post'] : ['put', 'patch'];
  const route = world.pick(routes.filter((one) => method.includes(one.method)));
  const place = route && placeOf(world, route.path);
  if (!route || !place) return undefined;
  const { path } = place;
  const { body, type } = await contentFor(world, route, place, path);
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
  const sent = type === 'text/plain' || body === undefined ? body : JSON.stringify(body);
  const answer = await world.send(route.method.toUpperCase(), path, sent, headers);
  return { line: `${route.method.toUpperCase()} ${path} ${JSON.stringify(body)}`, answer };
}

async function contentFor(
  world: World,
  route: Route,
  place: Place,
  path: string,
): Promise<{ body: unknown; type: string }> {
  const json = (body: unknown) => ({ body, type: 'application/json' });
  const values = createValues(api.components.schemas, world, route.path);
  const { method, operation } = route;
  if (/composites|role-mappings|scope-mappings/.test(route.path)) return json(randomRoles(world, place));
  if (/components$/.test(route.path) && method === 'post') return json(randomComponent(world, values.text));
  if (/executions$/.test(route.path) && method === 'put') return json(randomExecution(world, values.text));
  const text = schemaOf(operation, 'text/plain');
  if (text) return { body: values.text(), type: 'text/plain' };
  const schema = schemaOf(operation);
  if (method === 'patch') {
    const whole = schema ?? schemaOf(api.paths[route.path]?.['put'] ?? {});
    return { body: whole && withNulls(world, values.body(whole)), type: 'application/merge-patch+json' };
  }
  if (!schema) return json(undefined);
  const body = values.body(schema);
  if (!isJson(body)) return json(body);
  if (route.path === '/{realm}') return json(settingsOnly(world, body));
  if (method !== 'put' || !world.chance(0.7)) return json(body);
  const { status, body: now } = await world.send('GET', path);
  return json(status === 200 && isJson(now) ? { ...now, ...body } : body);
}

function randomRoles(world: World, { client, path }: Place): Json[] {
  const ofClient = world.content.clientRoles.get(String(client?.['id'])) ?? [];
  const roles = /mappings\/clients|clients\/[^/]+$/.test(path) ? ofClient : world.content.realmRoles;
  return [world.pick(roles) ?? {}];
}

function randomExecution(world: World, text: () => string): Json {
  const execution = world.pick(world.content.executions) ?? {};
  const requirement = world.pick(['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL']);
  const name = execution['authenticationFlow'] && world.chance(0.3) ? { displayName: text() } : {};
  return { ...execution, requirement, description: text(), ...name };
}

const withNulls = (world: World, body: unknown): unknown =>
  isJson(body)
    ? Object.fromEntries(Object.entries(body).map(([name, item]) => [name, world.chance(0.1) ? null : item]))
    : body;

/** The settings of a realm: it keeps its name, and stays enabled so that it can be looked at. */
function settingsOnly({ name }: World, body: Json): Json {
  const { enabled, users, clients, roles, groups, identityProviders, components, ...settings } = body;
  return { ...settings, realm: name };
}
