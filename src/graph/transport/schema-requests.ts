import type { IncomingMessage } from 'node:http';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Config } from '../../config/config.js';
import type { Answer } from '../../http/answer.js';
import { type Refusal, unauthenticated } from '../../services/core/refusal.js';
import { operationOf } from './asked.js';
import { anonymousDocumentLimits, documentLimits, parseWithin } from './document.js';
import { introspectionLimits, requestsOnlySchema, schemaAnswers } from './introspection.js';
import type { Parameters } from './parameters.js';

/** A request for the schema only. */
export interface SchemaRequest {
  /** the answer to an earlier identical request */
  readonly answer: Answer | undefined;
  /** Caches the answer for later requests. */
  keep(answer: Answer): void;
}

/** Maximum request, in characters, whose answer is cached. */
const longestKey = 32 * 1024;

/** Refusal of a request without a valid token, in the words of the GraphQL endpoint. */
export const tokenNeeded = (): Refusal => unauthenticated('A valid bearer token is required');

/**
 * Checks GraphQL requests before they are validated. A caller without a token is refused unless the request is for the
 * schema, within tighter limits. Answers about the schema are cached.
 */
export function schemaRequests(schema: GraphQLSchema, { graphqlIntrospection }: Pick<Config, 'graphqlIntrospection'>) {
  const introspection = introspectionLimits(schema);
  const answers = schemaAnswers();

  const requireAllowed = (document: DocumentNode, operationName: string | undefined): void => {
    const operation = operationOf(document, operationName);
    // validation reports an unknown operation name
    if (operation && !requestsOnlySchema(operation)) throw tokenNeeded();
    if (graphqlIntrospection !== 'everybody' && introspection.asks(document)) throw tokenNeeded();
    const error = introspection.checkAnonymous(document);
    if (error) throw error;
  };

  return {
    /** Undefined for other requests. Throws a Refusal or a GraphQLError. */
    read(
      message: IncomingMessage,
      { query, operationName, variables }: Parameters,
      isAnonymous: boolean,
    ): SchemaRequest | undefined {
      if (typeof query !== 'string') return undefined;
      const name = typeof operationName === 'string' ? operationName : undefined;
      if (isAnonymous) requireAllowed(parseWithin(query, anonymousDocumentLimits), name);
      if (graphqlIntrospection === 'administrators' || !/__(schema|type)\b/.test(query)) return undefined;
      const document = isAnonymous ? undefined : parsed(query);
      if (!isAnonymous && !(document && requestsOnlySchema(operationOf(document, name)))) return undefined;
      const key = JSON.stringify([
        isAnonymous,
        message.method,
        message.headers.accept,
        query,
        operationName,
        variables,
      ]);
      return {
        answer: answers.get(key),
        keep(answer) {
          if (answer.status === 200 && key.length <= longestKey) answers.keep(key, answer);
        },
      };
    },
  };
}

/** A document within the limits; undefined for others, which are refused later, where all documents are parsed. */
function parsed(query: string): DocumentNode | undefined {
  try {
    return parseWithin(query, documentLimits);
  } catch {
    return undefined;
  }
}
