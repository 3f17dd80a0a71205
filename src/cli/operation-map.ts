import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { mutationsOf } from '../graph/core/mutation.js';
import { reads, writes } from '../graph/core/reads.js';
import type { OAuthCallerRoute } from '../rest/oauth-caller-routes.js';
import { oauthCallerTable } from '../rest/oauth-caller-table.js';
import { type Route, requiredAt } from '../rest/table.js';
import { accountRolesFor } from '../services/account/operation.js';
import { permissionText } from '../services/core/allow.js';
import { type AuditRecord, type Operation, operations } from '../services/core/operation.js';

/** A line of the map: an operation of the REST contract with its other forms. */
export interface MapLine {
  rest: string;
  operation: string;
  /** mutations, or fields as `Type.field` */
  graphql: readonly string[];
  permission: string;
  /** the audit records of a write; empty for a read */
  event: string;
}

/** Returns a stand-in for any value by its name. */
type Anything = (name: string) => unknown;

/**
 * Stands for any value while an operation describes its audit record. Properties and calls return further stand-ins,
 * and its text is its own name in braces. Two stand-ins are never equal, so the target appears to belong to a client.
 */
const ofClient: Anything = (name) => standIn(name, ofClient);

/** Like `ofClient`, but the target appears to belong to the realm: it has no client, and IDs are equal. */
function ofRealm(): Anything {
  const known = new Map<string, unknown>();
  const anything: Anything = (name) => {
    if (name === 'clientId' || name === 'client') return null;
    const value = known.get(name) ?? standIn(name, anything);
    known.set(name, value);
    return value;
  };
  return anything;
}

function standIn(name: string, anything: Anything): unknown {
  const target = () => undefined;
  return new Proxy(target, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return () => `{${name}}`;
      if (key === Symbol.iterator) return () => [][Symbol.iterator]();
      if (key === 'toJSON') return () => `{${name}}`;
      return anything(typeof key === 'string' ? key : name);
    },
    apply: () => anything(name),
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
  });
}

/** The audit records of a write, as far as they do not depend on the data; empty if they all do. */
function recordsOf(operation: Extract<Operation, { kind: 'write' }>, anything: Anything): AuditRecord[] {
  try {
    const records = (operation.patches ?? operation).event(anything('result'), anything('target'), anything('input'));
    return [records ?? []].flat();
  } catch {
    return [];
  }
}

/** The owner of the roles at a path, if the path determines it: the realm or a client. */
function ownerAt(route: Route): 'realm' | 'client' | undefined {
  const [kind, ...more] = route.kinds ?? [];
  if (more.length === 0 && kind === 'realm role') return 'realm';
  if (more.length === 0 && kind === 'client role') return 'client';
  const mapped = /-mappings\/(realm|client)/.exec(pathOf(route))?.[1];
  return mapped === 'realm' || mapped === 'client' ? mapped : undefined;
}

/**
 * Type and path of the audit records of a write. If realm roles and client roles differ, and both are possible, it
 * states both types.
 */
function eventOf(operation: Operation, owner?: 'realm' | 'client'): string {
  if (operation.kind !== 'write') return '';
  const records = recordsOf(operation, ofClient);
  if (records.length === 0) return 'as many as there are changes';
  const inRealm = recordsOf(operation, ofRealm());
  return records
    .map(({ operationType, resourceType, resourcePath }, index) => {
      const types = { realm: `${inRealm[index]?.resourceType ?? resourceType}`, client: `${resourceType}` };
      const stated = owner ? types[owner] : [...new Set(Object.values(types))].join(' or ');
      return `${operationType} ${stated} ${resourcePath === '' ? '(the realm)' : resourcePath}`.trim();
    })
    .join('; ');
}

const pathOf = ({ path, admin }: Route): string => (path === '' ? `/admin${admin}` : path.replace('*}', '}'));

/** Every operation of the table with its forms in GraphQL, by path and method. */
export const operationMap = (routes: readonly Route[]): MapLine[] =>
  routes
    .map((route) => ({
      rest: `${route.method} ${pathOf(route)}`,
      operation: route.operation.name,
      graphql: graphqlOf(route.operation),
      permission: permissionText(requiredAt(route)),
      event: eventOf(route.operation, ownerAt(route)),
    }))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1));

function graphqlOf(operation: Operation): readonly string[] {
  const { name } = operation;
  if (operation.kind !== 'write') return reads[name] ?? [];
  const { patches } = operation;
  // a mutation that changes single fields also covers the operation that replaces the whole object
  const patch = [...operations().values()].find((other) => other.kind === 'write' && other.patches?.name === name);
  const names = [name, patch?.name, patches?.name].filter((one) => one !== undefined);
  return names.flatMap((one) => [...mutationsOf(one), ...(writes[one] ?? [])]);
}

/**
 * The requests of clients and resource servers with tokens of their own, by path and method. GraphQL has no such
 * requests.
 */
const clientOperationMap = (routes: readonly OAuthCallerRoute[]): Omit<MapLine, 'graphql'>[] =>
  routes
    .map(({ method, path, operation, security }) => ({
      rest: `${method} ${path}`,
      operation: operation.name,
      permission: rolesText(operation) ?? security.map((scheme) => tokens[scheme] ?? scheme).join(', '),
      event: eventOf(operation),
    }))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1));

/**
 * The token roles of the client `account` for an operation, which requires any one; undefined for operations of other
 * areas.
 */
function rolesText({ name }: Operation): string | undefined {
  const roles = accountRolesFor(name)?.map((role) => `\`${role}\``);
  return roles && `access token for the account, with ${roles.join(' or ')}`;
}

const tokens: Readonly<Record<string, string>> = {
  '': 'none',
  bearer: 'access token of an administrator',
  client: 'secret of the client',
  protection: 'access token for the resource server',
  registration: 'initial or registration access token',
};

const order = ({ rest }: Pick<MapLine, 'rest'>): string => rest.split(' ').reverse().join(' ');

/** The fields of the map that the schema does not have. */
export const fieldsThatAreNotThere = (schema: GraphQLSchema, lines: readonly MapLine[]): string[] =>
  lines.flatMap(({ graphql }) => graphql).filter((field) => !hasField(schema, field));

function hasField(schema: GraphQLSchema, field: string): boolean {
  const [first = '', second] = field.split('.');
  if (second === undefined) return schema.getMutationType()?.getFields()[first] !== undefined;
  const type = schema.getType(first);
  return (isObjectType(type) || isInterfaceType(type)) && type.getFields()[second] !== undefined;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The map as Markdown. */
export function operationMapText(
  routes: readonly Route[],
  ofClients: readonly OAuthCallerRoute[] = oauthCallerTable,
): string {
  const rows = operationMap(routes).map(({ rest, graphql, permission, event }) => {
    const fields = graphql.map((name) => `\`${name}\``).join(', ');
    return `| \`${rest}\` | ${fields} | ${permission} | ${cell(event)} |`;
  });
  const more = clientOperationMap(ofClients).map(
    ({ rest, permission, event }) => `| \`${rest}\` | ${permission} | ${cell(event)} |`,
  );
  return `# Operations

Each operation of the REST contract beside its field or mutation in GraphQL, the permission that it takes, and the audit record
of a write: operation type, resource type and path. Paths are below \`/auth\` and, with \`/admin/realms\` ahead, where existing
tools send them. This file is generated: \`npm run print-schema\`.

| REST | GraphQL | permission | audit record |
| --- | --- | --- | --- |
${rows.join('\n')}

## Of clients and resource servers

What clients, resource servers and their users ask for themselves, below \`/auth\`: client registration (RFC 7591 and 7592),
the protection API of UMA 2.0, and the account API. The token is the permission, and nothing of it is for administrators. GraphQL has
the account as \`viewer.account\`.

| REST | token | audit record |
| --- | --- | --- |
${more.join('\n')}
`;
}
