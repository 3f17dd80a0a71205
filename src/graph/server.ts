import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, GraphQLError, GraphQLSchema, specifiedDirectives } from 'graphql';
import { createLRUCache, createYoga, type Plugin as YogaPlugin } from 'graphql-yoga';
import { limit } from '../config/limits.js';
import { type Answer, unavailable } from '../http/answer.js';
import { requestIdOf } from '../http/authenticate.js';
import { readJson, readJsonWithFiles } from '../http/body.js';
import { openTo, preflight } from '../http/cors.js';
import { failure } from '../http/errors.js';
import { withAddressPrefix } from '../http/pages/with-address-prefix.js';
import type { RequestLimiter } from '../http/request-limiter.js';
import { gone } from '../http/send.js';
import type { Context, Services } from '../services/core/context.js';
import { databaseRefusal } from '../services/core/database-refusal.js';
import { members } from '../services/core/json.js';
import { Refusal } from '../services/core/refusal.js';
import { idOfDirective, requiresDirective, semanticNonNullDirective } from './core/directive.js';
import { masked, withoutValues } from './core/masked.js';
import { codeOf } from './core/user-errors.js';
import type { RenewableContext } from './events/subscriptions.js';
import { schema } from './schema.js';
import { documentLimits, parseWithin } from './transport/document.js';
import { anonymous, atomicDirective, dryRunDirective, executeRequest, subscribeRequest } from './transport/execute.js';
import { explorerPage, isExplorerRequest } from './transport/explorer.js';
import { isMultipart, type MultipartRequest, readMultipart, withFiles } from './transport/multipart.js';
import { parametersOf } from './transport/parameters.js';
import { persistedDocuments } from './transport/persisted.js';
import { createPlaces } from './transport/places.js';
import { schemaRequests, tokenNeeded } from './transport/schema-requests.js';
import { isStream, sendStream } from './transport/stream.js';
import { type UpgradeHandler, websocketHandler } from './transport/websocket.js';

let withDirectives: GraphQLSchema | undefined;

/** The schema with its directives: for operations, and for the requirements of fields and the types of IDs. */
export const graphqlSchema = (): GraphQLSchema =>
  (withDirectives ??= new GraphQLSchema({
    ...schema.toConfig(),
    directives: [
      ...specifiedDirectives,
      atomicDirective,
      dryRunDirective,
      requiresDirective(schema),
      idOfDirective,
      semanticNonNullDirective,
    ],
  }));

interface ServerContext {
  ctx: Context;
  /** files by the paths of the variables that they are */
  files?: MultipartRequest['files'];
  /** text of the document, also of a request that names one */
  document?: string;
}

/** Number of cached parsed and validated documents, and of cached errors of malformed documents. */
const keptDocuments = 500;
const keptErrors = 20;

/** Headers that pages of other origins may send. */
const requestHeaders = 'Accept, Authorization, Content-Type, Last-Event-ID, X-Request-Id';

/**
 * Maximum body, in bytes, of a caller without a token, who can only request the schema; see the limit of token
 * requests.
 */
const anonymousLimit = limit('Requests', 'Body of a GraphQL request without a token', 15 * 1024, 'bytes', '400 or 401');

/** GraphQL at /graphql. */
export interface GraphqlHandler {
  /** Answers requests over HTTP, and shows GraphiQL to browsers. */
  answer(message: IncomingMessage, response: ServerResponse): Promise<Answer>;
  /** Takes over the connection of a client that uses GraphQL over WebSocket. */
  upgrade: UpgradeHandler;
}

/** `authenticate` makes the context or throws `unauthenticated`. */
export function graphqlHandler(
  services: Services,
  authenticate: (message: IncomingMessage) => Promise<Context>,
  limiter: RequestLimiter,
): GraphqlHandler {
  const places = createPlaces(services.config);
  const plugin: YogaPlugin = {
    onParams: ({ params, setParams, context }) => {
      const { files, document } = context as ServerContext;
      const variables = files ? withFiles(params.variables, files) : params.variables;
      setParams({ ...params, ...(document !== undefined && { query: document }), ...(variables && { variables }) });
    },
    onResultProcess: ({ result, setResult }) => {
      const { errors } = result as ExecutionResult;
      if (errors) setResult({ ...result, errors: errors.map(withoutValues) } as ExecutionResult);
      if (isBusy(result)) setResult({ ...result, extensions: { ...result.extensions, http: unavailable } });
    },
    onParse: ({ setParseFn }) => setParseFn((source, options) => parseWithin(source, documentLimits, options)),
    onExecute: ({ setExecuteFn }) => setExecuteFn(executeRequest),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn((args: ExecutionArgs) => subscribeRequest(args, places, true)),
  };
  const served = graphqlSchema();
  const asksForSchema = schemaRequests(served, services.config);
  const documents = persistedDocuments(services.config);
  const yoga = createYoga<ServerContext, Context>({
    schema: served,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    cors: false,
    multipart: false,
    extraParamNames: ['documentId'],
    graphiql: false,
    context: ({ ctx }) => ctx,
    parserAndValidationCache: {
      documentCache: createLRUCache({ max: keptDocuments }),
      errorCache: createLRUCache({ max: keptErrors }),
    },
    plugins: [plugin],
    maskedErrors: { maskError: (error) => masked(error, services) },
  });

  const execute = async (message: IncomingMessage, response: ServerResponse, ctx: Context): Promise<Answer> => {
    // read here, where there is a limit; the server then accepts the body that was already read
    let files: MultipartRequest['files'] | undefined;
    if (message.method === 'POST' && isMultipart(message)) {
      // pages of other origins cannot send a token unless they are allowed to
      if (ctx === anonymous) throw tokenNeeded();
      const { importBodyLimit, bodyLimit } = services.config;
      const request = await readMultipart(message, importBodyLimit, bodyLimit);
      files = request.files;
      response.once('close', () => void closeFiles(request));
      // the form is reduced to its operations
      message.headers['content-type'] = 'application/json';
      Object.assign(message, { body: request.operations });
    } else if (message.method === 'POST') Object.assign(message, { body: await body(message, ctx) });
    const parameters = parametersOf(message);
    const document = documents.textOf(parameters, ctx === anonymous);
    const named = document === undefined ? {} : { query: document };
    const schemaRequest = asksForSchema.read(message, { ...parameters, ...named }, ctx === anonymous);
    if (schemaRequest?.answer) return schemaRequest.answer;
    const answer = await yoga.handleNodeRequestAndResponse(message, response, {
      ctx,
      ...(files && { files }),
      ...(document !== undefined && { document }),
    });
    if (!isStream(answer)) {
      const whole = await answerOf(answer);
      schemaRequest?.keep(whole);
      return whole;
    }
    // it has no end at which its place could be returned
    sendStream(answer, response, services.config.clientTimeout * 1000);
    return { status: answer.status };
  };
  const body = (message: IncomingMessage, ctx: Context): Promise<unknown> => {
    if (ctx !== anonymous) return readJsonWithFiles(message, services.config.importBodyLimit);
    return readJson(message, anonymousLimit).catch((error) => {
      throw error instanceof Refusal && error.kind === 'tooLarge' ? tokenNeeded() : error;
    });
  };
  const { graphqlOrigins = [], graphiql, trustedDocumentsOnly } = services.config;
  const showsExplorer = graphiql && !trustedDocumentsOnly;
  const answer: GraphqlHandler['answer'] = async (message, response) => {
    for (const [name, value] of Object.entries(openTo(message, graphqlOrigins, 'X-Request-Id, Retry-After'))) {
      response.setHeader(name, value);
    }
    if (message.method === 'OPTIONS') {
      const allowed = Object.keys(openTo(message, graphqlOrigins)).length > 0;
      return { status: 204, headers: allowed ? preflight(message, 'GET, POST', requestHeaders) : {} };
    }
    if (showsExplorer && isExplorerRequest(message)) return withAddressPrefix(await explorerPage(), services.config);
    try {
      const ctx = await authenticate(message).catch(asAnonymous);
      const renewable: RenewableContext = ctx === anonymous ? ctx : { ...ctx, renew: () => authenticate(message) };
      const work = () => execute(message, response, renewable);
      return (await (ctx === anonymous ? work() : limiter.runLarge(message, response, work))) ?? gone;
    } catch (error) {
      return refused(error, services, requestIdOf(message));
    }
  };
  return { answer, upgrade: websocketHandler(services, served, places, documents, authenticate) };
}

async function closeFiles({ files }: MultipartRequest): Promise<void> {
  await Promise.allSettled([...new Set(files.values())].map((file) => file.close()));
}

/** The GraphQL answer for an error before the execution. */
function refused(error: unknown, services: Services, requestId: string): Answer {
  if (error instanceof GraphQLError) {
    const { http, ...extensions } = error.extensions;
    const { status } = members(http);
    return {
      status: typeof status === 'number' ? status : 400,
      body: { errors: [{ ...withoutValues(error).toJSON(), extensions }] },
    };
  }
  const answer = failure(error, services.log, requestId);
  const known = databaseRefusal(error);
  if (!(known instanceof Refusal)) return answer;
  return { ...answer, body: { errors: [{ message: known.message, extensions: { code: codeOf(known.kind) } }] } };
}

async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (!/^content-(type|length)$/i.test(name)) headers[name] = value;
  });
  const body = await response.text();
  if (body === '') return { status: response.status, headers };
  return { status: response.status, headers, body, type: response.headers.get('content-type') ?? 'text/plain' };
}

/** Whether nothing was answered because the database was unavailable or full. */
function isBusy(result: unknown): result is ExecutionResult {
  const { data, errors } = (result ?? {}) as ExecutionResult;
  if (!errors?.length || !errors.every(({ extensions }) => extensions.code === codeOf('busy'))) return false;
  return !data || Object.values(data).every((value) => value === null);
}

/** A caller without a valid token may still request the schema; other requests are refused when they are executed. */
function asAnonymous(error: unknown): Context {
  if (error instanceof Refusal && error.kind === 'unauthenticated') return anonymous;
  throw error;
}
