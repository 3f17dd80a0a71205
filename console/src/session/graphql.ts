import { createClient as createSocket } from 'graphql-ws';
import { useCallback, useEffect, useState } from 'react';
import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  subscriptionExchange,
  useClient,
  useQuery,
  useSubscription,
} from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import { keepCurrent } from './current.js';
import type { Mutations, payloadObjects } from './documents.js';
import { mutationText } from './mutation-text.js';
import { send } from './send.js';
import { accessToken } from './sign-in.js';

const socket = createSocket({
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  connectionParams: async () => ({ Authorization: `Bearer ${await accessToken()}` }),
  shouldRetry: () => true,
  retryAttempts: Number.POSITIVE_INFINITY,
});

/** The client of the console. Its cache knows which types a mutation has returned, and loads what shows them again. */
export const graphql: Client = new Client({
  url: '/graphql',
  fetch: send,
  preferGetMethod: false,
  requestPolicy: 'cache-and-network',
  exchanges: [
    cacheExchange,
    keepCurrent(() => graphql),
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

/** Loads data that no mutation changes: once for each value of the variables. */
export function useOnce<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Loaded<Data> {
  const client = useClient();
  const query = document.toString();
  const key = JSON.stringify(variables);
  const [{ of, data, error }, setFound] = useState<{ of?: string; data?: Data; error?: CombinedError }>({});
  const [round, setRound] = useState(0);
  // the key stands for the variables, which are a new object each time
  useEffect(() => {
    let isCurrent = true;
    client
      .query<Data>(query, variables as AnyVariables)
      .toPromise()
      .then(({ data, error }) => isCurrent && setFound({ of: key, ...(data && { data }), ...(error && { error }) }));
    return () => {
      isCurrent = false;
    };
  }, [client, query, key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { data, error, isLoading: of !== key, reload, operation: { document: query, variables: variables ?? {} } };
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

/** The errors of a request in the form of those of an input. Those of a file name each fault with its place. */
export const failuresOf = ({ graphQLErrors, message }: CombinedError): UserError[] =>
  graphQLErrors.length > 0
    ? graphQLErrors.flatMap(({ message, extensions: { code, faults } }) => {
        const messages = Array.isArray(faults) ? faults.map(placed) : [message];
        return messages.map((text) => ({ code: String(code ?? ''), message: text, path: null }));
      })
    : [{ code: 'CONNECTION', message, path: null }];

const placed = ({ path, message }: { path: string[]; message: string }): string =>
  [path.join('.'), message].filter(Boolean).join(': ');

interface Found {
  node?: object | null;
}

/** The object that data have found by its ID, of the type that the document asks for. */
export type NodeOf<Data extends Found> = Extract<NonNullable<Data['node']>, { id: string }>;

/** The object that was found by its ID, if it is of the type that the document asks for. */
export const nodeOf = <Node extends object>(node: Node | null | undefined) =>
  node && 'id' in node ? (node as Extract<Node, { id: string }>) : undefined;

/** An object that a screen shows: what was loaded with it, and how it is loaded again. */
export interface Shown<Node, Data = unknown> {
  loaded: Loaded<Data>;
  node: Node | undefined;
  /** resolves with the object as it is stored now */
  reload(): Promise<Node | undefined>;
}

/** What each tab of the screen of an object gets. */
export interface Part<Node> extends Pick<Shown<Node>, 'reload'> {
  node: Node;
}

/** Loads an object by its ID. */
export function useNode<Data extends Found, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Shown<NodeOf<Data>, Data> {
  const loaded = useLoad(document, variables);
  const nodeIn = (data: Data | undefined): NodeOf<Data> | undefined => nodeOf<NonNullable<Data['node']>>(data?.node);
  return { loaded, node: nodeIn(loaded.data), reload: async () => nodeIn(await loaded.reload()) };
}

/** A mutation of the API that is sent by its name. */
export type MutationName = keyof Mutations;

type PayloadOf<Name extends MutationName> = Mutations[Name]['payload'];
type ObjectOf<Name extends MutationName> = (typeof payloadObjects)[Name][number] & keyof PayloadOf<Name>;
type ValueOf<Name extends MutationName> = Exclude<keyof PayloadOf<Name>, ObjectOf<Name>> & string;

/** The payload of a mutation: the IDs of its objects, and the values that were asked for. */
type Answer<Name extends MutationName, Value extends ValueOf<Name>> = {
  [Key in Name]: Pick<PayloadOf<Key>, ObjectOf<Key> | 'changes' | 'userErrors' | Value>;
};

interface MutateOptions<Value> {
  /** whether it only tells what it would do */
  isDryRun?: boolean;
  /** values of the payload that are read */
  reads?: readonly Value[];
}

/** Sends a mutation by its name. The objects of its payload have the screens that show such objects loaded again. */
export function mutate<Name extends MutationName, Value extends ValueOf<Name> = never>(
  name: Name,
  input: Mutations[Name]['input'],
  { isDryRun = false, reads = [] }: MutateOptions<Value> = {},
): Promise<Outcome<Answer<Name, Value>>> {
  const document = mutationText(name, reads);
  return perform<Answer<Name, Value>, { input: Mutations[Name]['input'] }>(document, { input }, { isDryRun });
}

interface Payload {
  userErrors: UserError[];
}

/** Sends a mutation of which more is read than its name tells. `isDryRun`: only tells what it would do. */
export async function perform<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  { isDryRun = false } = {},
): Promise<Outcome<Data>> {
  const text = document.toString();
  // a dry run is the same operation with a directive, so that a preview cannot differ from what is saved
  const query = isDryRun ? text.replace('{\n', '@dryRun {\n') : text;
  const { data, error } = await graphql.mutation<Data>(query, variables as AnyVariables).toPromise();
  const payloads = Object.values(data ?? {}).filter((value): value is Payload =>
    Array.isArray((value as Partial<Payload>)?.userErrors),
  );
  const ofInput = payloads.flatMap(({ userErrors }) => userErrors).filter(({ code }) => code !== 'ABORTED');
  return { data, errors: error ? [...failuresOf(error), ...ofInput] : ofInput };
}
