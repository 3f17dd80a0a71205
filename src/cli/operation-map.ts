import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { mutationsOf } from '../graph/core/mutation.js';
import { reads, writes } from '../graph/core/reads.js';
import type { OAuthCallerRoute } from '../rest/oauth-caller-routes.js';
import { oauthCallerTable } from '../rest/oauth-caller-table.js';
import { type Route, requiredAt } from '../rest/table.js';
import { permissionText } from '../services/core/allow.js';
import { type AuditRecord, type Operation, operations } from '../services/core/operation.js';

/** A line of the map: an operation of the REST contract beside its other forms. */
export interface MapLine {
  rest: string;
  operation: string;
  /** mutations, or fields as `Type.field` */
  graphql: readonly string[];
  permission: string;
  /** what the audit records of a write say; empty for a read */
  event: string;
}

/**
 * Stands for any value while an operation describes its audit record: properties and calls give further ones, and as a
 * text it is its own name in braces.
 */
function anything(name: string): unknown {
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

/** Type and path of the audit records of a write, as far as they do not depend on the data. */
function eventOf(operation: Operation): string {
  if (operation.kind !== 'write') return '';
  try {
    const told = (operation.patches ?? operation).event(anything('result'), anything('target'), anything('input')) as
      | AuditRecord
      | AuditRecord[]
      | undefined;
    const records = [told ?? []].flat();
    if (records.length === 0) return 'as many as there are changes';
    return records
      .map(({ operationType, resourceType, resourcePath }) =>
        `${operationType} ${resourceType} ${resourcePath === '' ? '(the realm)' : resourcePath}`.trim(),
      )
      .join('; ');
  } catch {
    return 'as many as there are changes';
  }
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
      event: eventOf(route.operation),
    }))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1));

function graphqlOf(operation: Operation): readonly string[] {
  const { name } = operation;
  if (operation.kind !== 'write') return reads[name] ?? [];
  const { patches } = operation;
  // a mutation that changes single fields does what replacing the whole does, too
  const patch = [...operations().values()].find((other) => other.kind === 'write' && other.patches?.name === name);
  const names = [name, patch?.name, patches?.name].filter((one) => one !== undefined);
  return names.flatMap((one) => [...mutationsOf(one), ...(writes[one] ?? [])]);
}

/** What clients and resource servers ask for with tokens of their own, by path and method; it has no form in GraphQL. */
const clientOperationMap = (routes: readonly OAuthCallerRoute[]): Omit<MapLine, 'graphql'>[] =>
  routes
    .map(({ method, path, operation, security }) => ({
      rest: `${method} ${path}`,
      operation: operation.name,
      permission: security.map((scheme) => tokens[scheme] ?? scheme).join(', '),
      event: eventOf(operation),
    }))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1));

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
  return isObjectType(type) && (type as GraphQLObjectType).getFields()[second] !== undefined;
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

What clients, resource servers and their users ask for themselves, below \`/auth\`: client registration (RFC 7591 and 7592) and
the protection API of UMA 2.0. The token is the permission; nothing of it is for administrators, so GraphQL does without.

| REST | token | audit record |
| --- | --- | --- |
${more.join('\n')}
`;
}
