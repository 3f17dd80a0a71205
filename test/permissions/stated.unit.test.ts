import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isObjectType, Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { operationMap } from '../../src/cli/operation-map.js';
import { schemaText } from '../../src/graph/core/directive.js';
import { mutationsOf } from '../../src/graph/core/mutation.js';
import { enumName } from '../../src/graph/core/permission-enum.js';
import { requirementsIn } from '../../src/graph/core/requires.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { openApiText } from '../../src/rest/openapi.js';
import { routes } from '../../src/rest/routes.js';
import { permissionText, requiredPermissions, viewPermission } from '../../src/services/core/allow.js';
import { operations } from '../../src/services/core/operation.js';
import { fields } from './fields.js';

// What SDL, OpenAPI and docs/operations.md state of permissions is what the operation itself says.
const printed = buildSchema(schemaText(graphqlSchema()));

interface Stated {
  permission: string;
  target: string | undefined;
  otherwise: string;
}

/** The directives of a field, as they are printed. */
function statedAt(typename: string, field: string): Stated[] {
  const type = printed.getType(typename);
  const directives = isObjectType(type) ? type.getFields()[field]?.astNode?.directives : undefined;
  return (directives ?? [])
    .filter(({ name }) => name.value === 'requires')
    .map((directive) => {
      const given = Object.fromEntries(
        (directive.arguments ?? []).map(({ name, value }) => [
          name.value,
          value.kind === Kind.ENUM ? value.value : undefined,
        ]),
      );
      return { permission: given.permission ?? '', target: given.target, otherwise: given.otherwise ?? 'REFUSED' };
    });
}

const all = [...operations().values()];

const openApi = await openApiText();

describe('the permission of an operation', () => {
  it.each(all.flatMap((operation) => mutationsOf(operation.name).map((name) => [name, operation] as const)))(
    'is stated by the mutation %s',
    (name, operation) => {
      const required = requiredPermissions(operation).map(({ permission, kind }) => ({
        permission: enumName(permission),
        target: kind && enumName(kind),
        otherwise: 'REFUSED',
      }));
      expect(statedAt('Mutation', name)).toEqual(required);
    },
  );

  it('is stated by every mutation', () => {
    for (const name of Object.keys(printed.getMutationType()?.getFields() ?? {})) {
      expect([name, statedAt('Mutation', name)]).not.toEqual([name, []]);
    }
  });

  const document = JSON.parse(openApi) as {
    paths: Record<string, Record<string, { operationId: string; 'x-required-permission': unknown }>>;
  };
  const described = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map((one) => [one.operationId, one['x-required-permission']] as const);

  it.each(described)('is stated in OpenAPI for %s', (id, stated) => {
    const [name = ''] = id.split(' ');
    const operation = operations().get(name);
    const required = operation ? requiredPermissions(operation) : [];
    if (typeof stated === 'string') expect(required.map(({ permission }) => permission)).toContain(stated);
    else {
      const byKind = Object.fromEntries(required.map(({ permission, kind }) => [kind, permission]));
      expect(byKind).toMatchObject(stated as object);
      expect(Object.keys(stated as object).length).toBeGreaterThan(1);
    }
  });

  const map = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

  it.each(operationMap(routes).map((line) => [line.rest, line] as const))(
    'is stated in the map for %s',
    (_rest, line) => {
      const operation = operations().get(line.operation);
      const whole = permissionText(operation ? requiredPermissions(operation) : []);
      for (const part of line.permission.split(', ')) expect(whole).toContain(part.split(' for ')[0]);
      const printed = map.split('\n').find((row) => row.startsWith(`| \`${line.rest}\` | `));
      expect(printed, 'docs/operations.md has no such row: run `npm run print-schema`').toBeDefined();
      expect(printed, 'run `npm run print-schema`').toContain(` | ${line.permission} | `);
    },
  );
});

describe('what a field requires', () => {
  const types = Object.values(graphqlSchema().getTypeMap()).filter(isObjectType);
  const requiring = types.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      requirementsIn(field.extensions).map(
        (requirement) => [`${type.name}.${field.name}`, type.name, field, requirement] as const,
      ),
    ),
  );

  it.each(requiring)('%s takes it from an operation, and states it', (_title, typename, field, requirement) => {
    const { permission, kind, otherwise } = requirement;
    const operation = operations().get(requirement.operation);
    const own = operation ? requiredPermissions(operation).map((required) => required.permission) : [];
    const seen = operation?.kind === 'list' && operation.visible ? [viewPermission(operation.visible)] : [];
    // a list shows what a listing does, or each object that may be read by itself
    const isFiltered = otherwise === 'FILTERED' && operation?.kind === 'list';
    expect(isFiltered ? seen : own).toContain(permission);
    const stated = { permission: enumName(permission), target: kind && enumName(kind), otherwise };
    expect(statedAt(typename, field.name)).toContainEqual(stated);
    expect(field.description).toContain(`\`${permission}\``);
  });

  // the table is held against the server by other tests
  const ruled = Object.entries(fields).flatMap(([of, rules]) =>
    Object.entries(rules)
      .filter(([, rule]) => Object.keys(rule).length > 0 && !rule.isOfObject)
      .map(([field, rule]) => [`${of}.${field}`, of, field, rule] as const),
  );

  it.each(ruled)('%s is what administrators get', (_title, of, field, rule) => {
    const [typename = ''] = of.split(' ');
    const kind = of === 'Role of a client' ? 'CLIENT_ROLE' : 'REALM_ROLE';
    const stated = statedAt(typename, field).filter(({ target }) => target === undefined || target === kind);
    const withOtherwise = (...otherwises: string[]) =>
      stated.filter(({ otherwise }) => otherwises.includes(otherwise)).map(({ permission }) => permission);
    for (const permission of rule.hides ?? []) {
      // a field that shows roles of both kinds requires a permission for each
      const told =
        rule.hides?.length === 1 ? withOtherwise('NULL') : statedAt(typename, field).map((one) => one.permission);
      expect(told).toContain(enumName(permission));
    }
    if (rule.shows) expect(withOtherwise('FILTERED', 'EMPTY')).toContain(enumName(rule.shows));
    if (rule.takes) expect(withOtherwise('REFUSED').length).toBeGreaterThan(0);
  });
});

describe('the folder of GraphQL', () => {
  const folder = new URL('../../src/graph/', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

  it.each(files.map((name) => [name]))('%s names no permission', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const named = [
      ...text.matchAll(
        /'((?:any|configure|count|create|impersonate|list|manage|manage-membership|map-roles|query|view):[a-z-]+)'/g,
      ),
    ];
    expect(named.map(([, permission]) => permission)).toEqual([]);
  });
});
