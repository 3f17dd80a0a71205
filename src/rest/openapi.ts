import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { sharedBreaks } from '../database/turns.js';
import { mergePatchType } from '../http/body.js';
import { permissionText, type RequiredPermission } from '../services/core/allow.js';
import { shapeName } from '../services/core/shape.js';
import type { OAuthCallerRoute } from './oauth-caller-routes.js';
import { oauthCallerTable } from './oauth-caller-table.js';
import { routes } from './routes.js';
import { type Route, requiredAt, type Takes } from './table.js';

type Schema = Record<string, unknown>;

let text: Promise<string> | undefined;

/** The OpenAPI 3.1 document of the REST contract as JSON text, made once from the table of routes. */
export function openApiText(): Promise<string> {
  text ??= openApi(routes, oauthCallerTable).then((document) => `${JSON.stringify(document, null, 2)}\n`);
  return text;
}

/** Who the bearers of tokens are; an operation without a scheme of its own takes `bearer`. */
const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of an administrator.',
  },
  protection: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Access token of a resource server or of one of its users. Managing resources requires the role `uma_protection` of the resource server.',
  },
  registration: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Initial access token (to register a client), or registration access token of the client.',
  },
  account: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a user with the audience `account`, and roles of the client `account`.',
  },
  client: { type: 'http', scheme: 'basic', description: 'Client ID and secret of the client itself.' },
};

/** The path of a route in the document, below `/auth`. */
export const describedPath = ({ path, admin }: Pick<Route, 'path' | 'admin'>): string =>
  path === '' ? `/admin${admin}` : path.replace('*}', '}');

/** The OpenAPI document of these routes, on their documented paths. */
async function openApi(table: readonly Route[], ofClients: readonly OAuthCallerRoute[]): Promise<Schema> {
  const pause = sharedBreaks();
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of table) {
    await pause();
    const path = describedPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, path, schemas) };
  }
  for (const route of ofClients) {
    await pause();
    const { method, path, security } = route;
    // an empty requirement stands for nobody in particular
    const schemes = security.map((name) => (name === '' ? {} : { [name]: [] }));
    const described = { ...describe(route, path, schemas), security: schemes };
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Realmgate REST contract',
      version: '1',
      description:
        'Every path except those below `/realms` is also available below `/auth/admin/realms`. The setting `REST_MOUNT` can turn one of the two off.',
    },
    servers: [{ url: '/auth' }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(route: Route | OAuthCallerRoute, path: string, schemas: Record<string, Schema>): Schema {
  const { operation } = route;
  const inPath = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    // without it the address is that of another operation
    schema: { type: 'string', minLength: 1 },
  }));
  const inQuery = route.query.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const takes = route.takes ?? 'nothing';
  const documented = operation.kind === 'write' && operation.patches ? operation.patches.input : operation.input;
  const accepts = 'accepts' in route && route.accepts ? route.accepts : documented;
  const input = takes !== 'nothing' && accepts ? schemaOf(accepts, schemas) : undefined;
  const required = requiredAt(route);
  const returned = route.returns && schemaOf(route.returns.shape, schemas);
  const answer = returned && (route.returns?.list ? { type: 'array', items: returned } : returned);
  return {
    operationId: `${operation.name} ${route.method} ${path}`,
    summary: operation.summary,
    description:
      'security' in route
        ? 'Authorised by the token itself: no administration permission is required.'
        : `Required permission: ${permissionText(required)}.`,
    'x-required-permission': asExtension(required),
    tags: [operation.name.split('.')[0]],
    ...((inPath.length > 0 || inQuery.length > 0) && { parameters: [...inPath, ...inQuery] }),
    ...(input && { requestBody: { required: takes !== 'optional json', content: contentOf(takes, input) } }),
    responses: {
      [route.status]: {
        description: 'The operation succeeded.',
        ...(answer && { content: { [route.media ?? 'application/json']: { schema: answer } } }),
      },
      ...('failures' in route && described(route.failures)),
      default: { description: 'Refused. A JSON object with `error`, `errorMessage`, or both.' },
    },
  };
}

/** The permission of an operation; an object by the kind of target where it depends on that. */
const asExtension = (required: readonly RequiredPermission[]): unknown =>
  required.some(({ kind }) => kind !== undefined)
    ? Object.fromEntries(required.map(({ permission, kind }) => [kind, permission]))
    : required[0]?.permission;

const described = (failures: Route['failures'] = {}): Schema =>
  Object.fromEntries(Object.entries(failures).map(([status, description]) => [status, { description }]));

/** The media type of a body with its schema. */
function contentOf(takes: Takes, input: Schema): Schema {
  if (takes === 'text') return { 'text/plain': { schema: input } };
  if (takes === 'merge patch') return { [mergePatchType]: { schema: input } };
  if (takes !== 'upload') return { 'application/json': { schema: input } };
  const form = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] };
  return { 'multipart/form-data': { schema: form } };
}

/** Adds the schema of a named shape. Throws when another shape has the name. */
function add(schemas: Record<string, Schema>, name: string, schema: Schema): void {
  const known = schemas[name];
  if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two shapes have the name ${name}`);
  schemas[name] = schema;
}

/** A reference to a named shape, whose schema is added to the components, or the schema of an anonymous one. */
function schemaOf(shape: z.ZodType, schemas: Record<string, Schema>): Schema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(shape, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id: string) => `#/components/schemas/${id}`,
  } as never) as Schema & { $defs?: Record<string, Schema> };
  for (const [name, definition] of Object.entries($defs ?? {})) add(schemas, name, referring(withoutId(definition)));
  const moved = referring(schema);
  const name = shapeName(shape);
  if (!name || '$ref' in moved) return moved;
  add(schemas, name, withoutId(moved));
  return { $ref: `#/components/schemas/${name}` };
}

/** The same with its references to where the document has its schemas. */
const referring = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/')) as Schema;

const withoutId = ({ id: _, ...schema }: Schema): Schema => schema;
