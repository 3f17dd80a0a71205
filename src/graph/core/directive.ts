import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { targetKinds, withArticle } from '../../services/core/allow.js';
import type { Requirement } from './demand.js';
import { idPlaces, typesOfId } from './id-types.js';
import { enumName } from './permission-enum.js';
import { requirementsIn } from './requires.js';

const TargetEnum = new GraphQLEnumType({
  name: 'PermissionTarget',
  description: 'A kind of target for which a field may require another permission than for others.',
  values: Object.fromEntries(
    targetKinds.map((kind) => [enumName(kind), { value: kind, description: `The target is ${withArticle(kind)}.` }]),
  ),
});

const OtherwiseEnum = new GraphQLEnumType({
  name: 'WithoutPermission',
  description: 'What a field answers to callers without the permission.',
  values: {
    REFUSED: { description: 'The error FORBIDDEN; for a mutation the user error FORBIDDEN.' },
    NULL: { description: 'The field is null.' },
    FILTERED: { description: 'Only the items that fine-grained permissions let the caller view, often none.' },
    EMPTY: { description: 'The list is empty.' },
  },
});

/** The directive that states in a schema what a field requires. */
export const requiresDirective = (schema: GraphQLSchema): GraphQLDirective =>
  new GraphQLDirective({
    name: 'requires',
    description:
      'A permission that the field requires in the realm of the object or input. A field with several requires all that apply to the target.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    isRepeatable: true,
    args: {
      permission: {
        type: new GraphQLNonNull(schema.getType('Permission') as GraphQLEnumType),
        description: 'The required permission.',
      },
      target: {
        type: TargetEnum,
        description: 'The kind of target for which the permission is required. Null: every kind.',
      },
      otherwise: {
        type: new GraphQLNonNull(OtherwiseEnum),
        defaultValue: 'REFUSED',
        description: 'What callers without the permission get.',
      },
    },
  });

/** The directive that states in a schema of which types an ID may be. */
export const idOfDirective = new GraphQLDirective({
  name: 'idOf',
  description: 'The types of which the given ID may be, as names of object types or interfaces.',
  locations: [DirectiveLocation.INPUT_FIELD_DEFINITION, DirectiveLocation.ARGUMENT_DEFINITION],
  args: {
    types: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))),
      description: 'Names of the types.',
    },
  },
});

const directiveText = ({ permission, kind, otherwise }: Requirement): string => {
  const target = kind ? `, target: ${enumName(kind)}` : '';
  const without = otherwise === 'REFUSED' ? '' : `, otherwise: ${otherwise}`;
  return ` @requires(permission: ${enumName(permission)}${target}${without})`;
};

/** What a field of a schema requires. */
function requirementsAt(schema: GraphQLSchema, typename: string, field: string): readonly Requirement[] {
  const type = schema.getType(typename);
  return isObjectType(type) ? requirementsIn(type.getFields()[field]?.extensions ?? {}) : [];
}

/** The schema as text. The printer of GraphQL leaves directives out, so they are written behind the fields and arguments that have them. */
export function schemaText(schema: GraphQLSchema): string {
  const ids = new Map(
    idPlaces(schema).map((place) => [
      `${place.of}.${place.name}`,
      ` @idOf(types: [${typesOfId(schema, place)
        .map((type) => JSON.stringify(type))
        .join(', ')}])`,
    ]),
  );
  let typename = '';
  let field = '';
  let isDescription = false;
  const lines = printSchema(lexicographicSortSchema(schema))
    .split('\n')
    .map((line) => {
      const quotes = line.split('"""').length - 1;
      if (quotes > 0 || isDescription) {
        isDescription = isDescription !== (quotes % 2 === 1);
        return line;
      }
      typename = /^\w+ (\w+)/.exec(line)?.[1] ?? typename;
      // a field with described arguments begins on one line and ends on another
      field = /^ {2}(\w+)[(:]/.exec(line)?.[1] ?? field;
      const argument = /^ {4}(\w+): /.exec(line)?.[1];
      if (argument) return line + (ids.get(`${typename}.${field}.${argument}`) ?? '');
      if (!/^ {2}(\w+(\(.*\))?|\)): /.test(line)) return line;
      const own = ids.get(`${typename}.${field}`);
      return own ? line + own : line + requirementsAt(schema, typename, field).map(directiveText).join('');
    });
  return `${lines.join('\n')}\n`;
}
