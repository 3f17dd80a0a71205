import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { Answer } from '../../http/answer.js';
import { tooCostly } from './document.js';
import { createKept, type Kept } from './kept.js';

/** The introspection in a document. */
interface Introspection {
  /** root fields `__schema` and `__type` */
  readonly fields: number;
  /** estimated number of values in the answer */
  readonly cost: number;
}

/** Checks the introspection of documents before they are executed. */
export interface IntrospectionLimits {
  /** Whether a document asks for the schema at all. */
  asks(document: DocumentNode): boolean;
  /** The reason to refuse a document of a caller with a token. */
  check(document: DocumentNode): GraphQLError | undefined;
  /** The reason to refuse a document of a caller without a token. */
  checkAnonymous(document: DocumentNode): GraphQLError | undefined;
}

/** The largest query of introspection tools. */
const usual = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/**
 * Approximate number of values of an introspection field, except `types`. Most types are not wrapped in another one.
 */
const items: readonly (readonly [string, number])[] = [
  ['directives', 5],
  ['fields', 10],
  ['args', 3],
  ['inputFields', 10],
  ['enumValues', 10],
  ['interfaces', 2],
  ['possibleTypes', 10],
  ['ofType', 0.5],
];

const rootFields = new Set(['__schema', '__type']);

const limitsOfSchemas = new WeakMap<GraphQLSchema, IntrospectionLimits>();

/** The limits of a schema. They follow its size: the usual introspection query is always allowed. */
export function introspectionLimits(schema: GraphQLSchema): IntrospectionLimits {
  let limits = limitsOfSchemas.get(schema);
  if (!limits) {
    limits = makeLimits(schema);
    limitsOfSchemas.set(schema, limits);
  }
  return limits;
}

function makeLimits(schema: GraphQLSchema): IntrospectionLimits {
  const types = Object.keys(schema.getTypeMap()).length;
  const known = new WeakMap<DocumentNode, Introspection>();
  const measure = (document: DocumentNode): Introspection => {
    const before = known.get(document);
    if (before) return before;
    const measured = introspectionOf(document, new Map([...items, ['types', types]]));
    known.set(document, measured);
    return measured;
  };
  const full = measure(parse(usual)).cost;
  const within = (document: DocumentNode, fields: number, cost: number): GraphQLError | undefined => {
    const asked = measure(document);
    if (asked.fields > fields) return tooCostly(`The document selects schema fields more than ${fields} times`);
    return asked.cost > cost ? tooCostly('The introspection query selects too many fields') : undefined;
  };
  return {
    asks: (document) => measure(document).fields > 0,
    check: (document) => within(document, 20, 1.5 * full),
    checkAnonymous: (document) => within(document, 1, 1.25 * full),
  };
}

function introspectionOf(document: DocumentNode, lengths: ReadonlyMap<string, number>): Introspection {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node.selectionSet]),
  );
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    // validation refuses a fragment within itself
    known.set(name, 0);
    const cost = ofSelection(fragments.get(name));
    known.set(name, cost);
    return cost;
  };
  const ofSelection = (selection: SelectionSetNode | undefined): number => {
    let sum = 0;
    for (const node of selection?.selections ?? []) {
      if (node.kind === 'FragmentSpread') sum += ofFragment(node.name.value);
      else if (node.kind === 'InlineFragment') sum += ofSelection(node.selectionSet);
      else sum += 1 + (lengths.get(node.name.value) ?? 1) * ofSelection(node.selectionSet);
    }
    return sum;
  };
  let fields = 0;
  let cost = 0;
  visit(document, {
    Field(node) {
      if (!rootFields.has(node.name.value)) return undefined;
      fields += 1;
      cost += ofSelection(node.selectionSet);
      return false;
    },
  });
  return { fields, cost };
}

/** Whether an operation requests only the schema. */
export const requestsOnlySchema = (operation: OperationDefinitionNode | undefined): boolean =>
  operation?.operation === 'query' &&
  operation.selectionSet.selections.every((field) => field.kind === 'Field' && field.name.value.startsWith('__'));

/** Maximum cached answers, and maximum characters of all of them. */
const mostAnswers = 64;
const mostCharacters = 16 * 1024 * 1024;

/** Makes a cache of answers to introspection documents, by the request. They stay valid while the process runs. */
export const schemaAnswers = (): Kept<Answer> =>
  createKept(mostAnswers, mostCharacters, (key, { body }) => key.length + String(body).length);
