import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isListType,
  isNonNullType,
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

/** The directive that states the requirements of a field in a schema. */
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

/** The directive that states the possible types of an ID in a schema. */
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

/** The directive that states in a schema that a field is null only together with an error. */
export const semanticNonNullDirective = new GraphQLDirective({
  name: 'semanticNonNull',
  description:
    'The field is null only if there is an error for it in `errors`. Code generators and clients that throw such errors can leave out the check for null (specs.apollo.dev/nullability).',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLList(GraphQLInt),
      defaultValue: [0],
      description: 'The levels of lists for which this holds. 0: the field itself.',
    },
  },
});

/**
 * Whether a field is null only if the caller lacks a permission, which is an error. This is so for lists and connections that refuse
 * others. A single object can be null for other reasons.
 */
export function isSemanticNonNull(type: GraphQLOutputType, requirements: readonly Requirement[]): boolean {
  if (isNonNullType(type) || requirements.length === 0) return false;
  const isSeveral = isListType(type) || (isObjectType(type) && type.name.endsWith('Connection'));
  return isSeveral && requirements.every(({ otherwise }) => otherwise === 'REFUSED');
}

const directiveText = ({ permission, kind, otherwise }: Requirement): string => {
  const target = kind ? `, target: ${enumName(kind)}` : '';
  const without = otherwise === 'REFUSED' ? '' : `, otherwise: ${otherwise}`;
  return ` @requires(permission: ${enumName(permission)}${target}${without})`;
};

/** The directives of a field of a schema, as text. */
function directivesAt(schema: GraphQLSchema, typename: string, name: string): string {
  const type = schema.getType(typename);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) return '';
  const requirements = requirementsIn(field.extensions);
  const required = requirements.map(directiveText).join('');
  return isSemanticNonNull(field.type, requirements) ? `${required} @semanticNonNull` : required;
}

/** The schema as text. GraphQL's printer leaves directives out, so they are added to the fields and arguments. */
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
      return own ? line + own : line + directivesAt(schema, typename, field);
    });
  return `${lines.join('\n')}\n`;
}
