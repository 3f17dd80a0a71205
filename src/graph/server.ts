import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError, GraphQLSchema, parse, specifiedDirectives } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { readJson } from '../rest/request.js';
import type { Context, Services } from '../services/core/context.js';
import { refusalOf } from '../services/core/perform.js';
import { Refusal } from '../services/core/refusal.js';
import { anonymous, atomicDirective, dryRunDirective, executeRequest } from './execute.js';
import { limits } from './limits.js';
import { codeOf } from './mutation.js';
import { schema } from './schema.js';

/** The schema with the directives of operations. */
export const graphqlSchema = (): GraphQLSchema =>
  new GraphQLSchema({ ...schema.toConfig(), directives: [...specifiedDirectives, atomicDirective, dryRunDirective] });

/** What GraphiQL opens with. */
const welcome = `# Put an access token into the pane "Headers" below, then press the button to run this.
# The token endpoint is /auth/realms/master/protocol/openid-connect/token.
query Welcome {
  realm(name: "master") {
    name
    roles(first: 10) {
      totalCount
      edges { node { name description isComposite } }
    }
  }
}
`;
const tokenHint = '{\n  "Authorization": "Bearer paste-the-access-token-here"\n}';

interface ServerContext {
  req: IncomingMessage;
  res: ServerResponse;
}

/** GraphQL over HTTP at /graphql, with GraphiQL for browsers. `enter` makes the context or throws `unauthenticated`. */
export function graphqlHandler(services: Services, enter: (message: IncomingMessage) => Promise<Context>) {
  const plugin: Plugin = {
    onParse: ({ setParseFn }) =>
      setParseFn((source, options) => parse(source, { ...options, maxTokens: limits.tokens })),
    onExecute: ({ setExecuteFn }) => setExecuteFn(executeRequest as never),
  };
  const yoga = createYoga<ServerContext, Context>({
    schema: graphqlSchema(),
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    cors: false,
    multipart: false,
    graphiql: services.config.graphiql ? { title: 'Realmgate', defaultQuery: welcome, headers: tokenHint } : false,
    ...(services.config.graphiql && {
      // nine megabytes, loaded when the first browser asks for the page
      renderGraphiQL: async (options) =>
        (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options as never),
    }),
    context: ({ req }) => enter(req).catch(asAnonymous),
    plugins: [plugin],
    maskedErrors: { maskError: (error) => masked(error, services) },
  });
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    // read here, where there is a limit; the server takes a body that is there already
    if (message.method === 'POST') {
      Object.assign(message, { body: await readJson(message, services.config.importBodyLimit) });
    }
    await yoga.handle(message, response, {} as never);
  };
}

/** Without a good token one may still ask for the schema; anything else is refused when it is executed. */
function asAnonymous(error: unknown): Context {
  if (error instanceof Refusal && error.kind === 'unauthenticated') return anonymous;
  throw error;
}

/** Refusals are told with their code; of anything else only the id under which it is logged. */
function masked(error: unknown, services: Services): Error {
  const graphqlError = error instanceof GraphQLError ? error : undefined;
  const original = graphqlError?.originalError;
  if (graphqlError && !original) return graphqlError;
  const known = refusalOf(original ?? error, () => undefined);
  const place = { path: graphqlError?.path, nodes: graphqlError?.nodes };
  if (known instanceof Refusal) {
    const message = known.kind === 'forbidden' ? 'You may not see this' : known.message;
    const field = known.details.field;
    const http = known.kind === 'unauthenticated' ? { http: { status: 401 } } : {};
    return new GraphQLError(message, {
      ...place,
      extensions: { code: codeOf(known.kind), ...(field && { field }), ...http },
    });
  }
  if (known instanceof GraphQLError) return known;
  const id = randomUUID();
  services.log.error({ err: known, errorId: id }, 'unexpected error');
  return new GraphQLError('Something went wrong on our side', {
    ...place,
    extensions: { code: 'INTERNAL', errorId: id },
  });
}
