import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Services } from '../../services/core/context.js';
import { databaseRefusal } from '../../services/core/database-refusal.js';
import { Refusal, toldFaults } from '../../services/core/refusal.js';
import { codeOf } from './user-errors.js';

/** The error for the caller: a refusal with its code; for any other error only the ID under which it is logged. */
export function masked(error: unknown, services: Pick<Services, 'log'>): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : undefined;
  const original = graphqlError?.originalError;
  const variable = graphqlError && variableRefusal(graphqlError);
  if (variable) return variable;
  if (graphqlError && !original) return withoutValues(graphqlError);
  const known = databaseRefusal(original ?? error);
  const place = { path: graphqlError?.path, nodes: graphqlError?.nodes };
  if (known instanceof Refusal) {
    const { field, argument, permission } = known.details;
    const needed = permission === undefined ? 'to view this' : `\`${permission}\``;
    const message = known.kind === 'forbidden' ? `Permission ${needed} is required` : known.message;
    const faults = toldFaults(known);
    const http = known.kind === 'unauthenticated' ? { http: { status: 401 } } : {};
    return new GraphQLError(message, {
      ...place,
      extensions: {
        code: argument ?? codeOf(known.kind),
        ...(field && { field }),
        ...(faults && { faults }),
        ...http,
      },
    });
  }
  if (known instanceof GraphQLError) return withoutValues(known);
  const id = randomUUID();
  services.log.error({ err: known, errorId: id }, 'unexpected error');
  return new GraphQLError('Internal server error', {
    ...place,
    extensions: { code: 'INTERNAL', errorId: id },
  });
}

const ofVariable = /^Variable "\$(\w+)" (?:got invalid value .* at "([\w.[\]]+)"; |got invalid value |of |expected )/s;

/** The refusal of the value of a variable, which names the field. Undefined for any other error. */
function variableRefusal({ message, nodes, originalError, extensions }: GraphQLError): GraphQLError | undefined {
  const [, name, place] = ofVariable.exec(message) ?? [];
  if (name === undefined || extensions.code !== undefined) return undefined;
  const at = place?.startsWith(name) ? place : name;
  const field = at.replace(/\[(\d+)\]/g, '.$1');
  const reason = originalError ? withoutValues(new GraphQLError(originalError.message)).message : undefined;
  const text = reason === undefined ? message : `Variable "$${name}" is invalid at "${at}": ${reason}`;
  return new GraphQLError(text, { nodes, extensions: { code: codeOf('invalid'), field } });
}

/** Messages of GraphQL that quote values of a request, with their replacements. */
const quoting: readonly [RegExp, string][] = [
  [/^(Variable "\$\w+") got invalid value .* at "([\w.[\]]+)"; .*$/s, '$1 got an invalid value at "$2"'],
  [/^(Variable "\$\w+") got invalid value .*$/s, '$1 got an invalid value'],
  [/( cannot represent (?:an? )?[\w -]*value): .*$/s, '$1'],
  [/^Value .* does not exist in ("\w+" enum)\..*$/s, 'A value does not exist in $1'],
  [/^(Expected value of type ".+?"), found .*$/s, '$1'],
  [/(, found (?:Block)?String) ".*$/s, '$1'],
];

/** The error without the sent values, which may include passwords: clients log errors. */
export function withoutValues(error: GraphQLError): GraphQLError {
  const message = quoting.reduce((text, [pattern, rest]) => text.replace(pattern, rest), error.message);
  if (message === error.message) return error;
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
