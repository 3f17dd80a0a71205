import { createClient as createSocket } from 'graphql-ws';
import { useCallback } from 'react';
import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  subscriptionExchange,
  useQuery,
  useSubscription,
} from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import { send } from './send.js';
import { accessToken } from './sign-in.js';

const socket = createSocket({
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  connectionParams: async () => ({ Authorization: `Bearer ${await accessToken()}` }),
  shouldRetry: () => true,
  retryAttempts: Number.POSITIVE_INFINITY,
});

/** The client of the console. Its cache knows which types a mutation has returned, and loads what shows them again. */
export const graphql = new Client({
  url: '/graphql',
  fetch: send,
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
  exchanges: [
    cacheExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

/** What a screen has loaded. */
export interface Loaded<Data> {
  data: Data | undefined;
  error: CombinedError | undefined;
  isLoading: boolean;
  reload(): unknown;
  /** the operation, for "Show as GraphQL" */
  operation: Operation;
}

/** An operation with its variables. */
export interface Operation {
  document: string;
  variables: object;
}

interface LoadOptions {
  isPaused?: boolean;
  /** whether what another component has loaded is current enough */
  isShared?: boolean;
}

/** What one query has loaded. `reload` resolves with what is stored now. */
interface LoadedOnce<Data> extends Loaded<Data> {
  reload(): Promise<Data | undefined>;
}

/** Loads the data of a screen, and again after a mutation that has returned one of its types. */
export function useLoad<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  { isPaused = false, isShared = false }: LoadOptions = {},
): LoadedOnce<Data> {
  const query = document.toString();
  const [{ data, error, fetching }] = useQuery<Data, Variables>({
    query,
    variables,
    pause: isPaused,
    ...(isShared && { requestPolicy: 'cache-first' }),
  } as never);
  const key = JSON.stringify(variables);
  // the key stands for the variables, which are a new object each time
  const reload = useCallback(() => load(document, variables), [query, key]);
  return { data, error, isLoading: fetching, reload, operation: { document: query, variables: variables ?? {} } };
}

/** The messages of a subscription, the newest first, at most `most` of them. */
export function useLive<Data, Variables extends AnyVariables, Message>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  messageOf: (data: Data) => Message | null | undefined,
  { isPaused = false, most = 50 } = {},
): Message[] {
  const key = JSON.stringify(variables);
  const [{ data }] = useSubscription<Data, { key: string; messages: Message[] }, Variables>(
    { query: document.toString(), variables, pause: isPaused } as never,
    (before, data) => {
      // those of other variables are no longer wanted
      const messages = before?.key === key ? before.messages : [];
      const message = messageOf(data);
      return { key, messages: message ? [message, ...messages].slice(0, most) : messages };
    },
  );
  return data?.key === key ? data.messages : [];
}

/** Loads data once, as it is stored now. Undefined if it could not be loaded. */
export const load = async <Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Data | undefined> => (await read(document, variables)).data;

/** Loads data once, as it is stored now, with the errors of the request. */
export async function read<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Data>> {
  const options = { requestPolicy: 'network-only' } as const;
  const { data, error } = await graphql
    .query<Data>(document.toString(), variables as AnyVariables, options)
    .toPromise();
  return { data, errors: error ? failuresOf(error) : [] };
}

/** An error of an input, as payloads of mutations have it. */
export interface UserError {
  code: string;
  message: string;
  path: string[] | null;
}

/** What became of a mutation. `errors` has those of the request and those of the input, `data` the payloads. */
export interface Outcome<Data> {
  data: Data | undefined;
  errors: UserError[];
}

/** The errors of a request in the form of those of an input. */
export const failuresOf = ({ graphQLErrors, message }: CombinedError): UserError[] =>
  graphQLErrors.length > 0
    ? graphQLErrors.map((error) => ({ code: String(error.extensions.code ?? ''), message: error.message, path: null }))
    : [{ code: 'CONNECTION', message, path: null }];
