import type { TypedDocument } from './document.js';
import { RequestError, type ServerAnswer } from './errors.js';
import { messagesOf, within } from './event-stream.js';
import { isBusy, isPassing, isRepeatable, pause } from './repeat.js';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Address of the endpoint, e.g. `https://id.example.com/graphql`. */
  url: string | URL;
  /** Access token, or a function that returns one. The function is called before each attempt. */
  token: string | (() => string | Promise<string>);
  /** Number of attempts of a request that can be repeated, and of connections in a row without a message. Default 4. */
  attempts?: number;
  /** Milliseconds without data after which the connection of a subscription counts as lost. Default 30,000. */
  silence?: number;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Options of one request. */
export interface RequestOptions {
  /** Ends the request or subscription. */
  signal?: AbortSignal;
}

/** The variables may be omitted if none is required. */
type Arguments<Variables> =
  Partial<Variables> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

/** Sends documents to one endpoint. */
export interface RealmgateClient {
  /**
   * The data of a query or mutation. Throws a RequestError if the answer has errors. Repeats queries, dry runs, and mutations
   * with an `idempotencyKey` while the server is busy or cannot be reached.
   */
  request<Data, Variables>(document: TypedDocument<Data, Variables>, ...rest: Arguments<Variables>): Promise<Data>;
  /**
   * The messages of a subscription. A document with the variable `$after` that selects `cursor` is continued after a lost
   * connection, without lost or repeated events. Others throw a ConnectionLostError.
   */
  subscribe<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Arguments<Variables>
  ): AsyncGenerator<Data, void, void>;
}

type Values = Readonly<Record<string, unknown>>;

/** Makes a client of one endpoint. It holds no connection and no cache. */
export function createClient(options: ClientOptions): RealmgateClient {
  const { url, token, attempts = 4, silence = 30_000 } = options;

  async function send(query: string, variables: Values, accept: string, signal?: AbortSignal): Promise<Response> {
    const bearer = typeof token === 'string' ? token : await token();
    return (options.fetch ?? fetch)(url, {
      method: 'POST',
      headers: { accept, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      ...(signal && { signal }),
    });
  }

  async function request(query: string, variables: Values = {}, { signal }: RequestOptions = {}): Promise<unknown> {
    const most = isRepeatable(query, variables) ? attempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const data = dataOf(await answerOf(await send(query, variables, 'application/json', signal)));
        if (attempt >= most || !isBusy(data)) return data;
      } catch (error) {
        if (attempt >= most || !isPassing(error)) throw error;
      }
      await pause(attempt, signal);
    }
  }

  async function* messages(
    query: string,
    variables: Values,
    signal?: AbortSignal,
  ): AsyncGenerator<unknown, void, void> {
    const connection = new AbortController();
    const ends = signal ? AbortSignal.any([connection.signal, signal]) : connection.signal;
    try {
      const response = await within(silence, send(query, variables, 'text/event-stream', ends));
      const { status, headers } = response;
      if (!headers.get('content-type')?.startsWith('text/event-stream')) {
        // a refusal, which is an answer with errors
        dataOf(await answerOf(response));
        throw new RequestError(status, {});
      }
      for await (const answer of messagesOf(response, silence)) yield dataOf({ status, ...answer });
    } finally {
      connection.abort();
    }
  }

  async function* subscribe(
    query: string,
    variables: Values = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<unknown, void, void> {
    let after = variables.after;
    /** whether the next connection can begin after the last message */
    let isContinued = true;
    for (let attempt = 1; ; attempt += 1) {
      let isBegun = false;
      try {
        for await (const data of messages(query, { ...variables, after }, signal)) {
          attempt = 1;
          isBegun = true;
          after = cursorOf(data);
          isContinued = after !== undefined && /\$after\b/.test(query);
          yield data;
        }
        if (!isContinued || attempt >= attempts) return;
      } catch (error) {
        if (signal?.aborted) return;
        if (!isContinued || attempt >= attempts) throw error;
        if (!isPassing(error) && !(isBegun && typeof token === 'function' && isExpired(error))) throw error;
      }
      await pause(attempt, signal).catch(() => undefined);
      if (signal?.aborted) return;
    }
  }

  return {
    request: (document, ...[variables, more]) => request(String(document), variables as Values, more) as never,
    subscribe: (document, ...[variables, more]) => subscribe(String(document), variables as Values, more) as never,
  };
}

async function answerOf(response: Response): Promise<ServerAnswer & { status: number }> {
  const answer = await response.json().catch(() => ({}));
  return { ...answer, status: response.status };
}

function dataOf({ status, ...answer }: ServerAnswer & { status: number }): unknown {
  if (answer.errors?.length || answer.data == null) throw new RequestError(status, answer);
  return answer.data;
}

/** The cursor of a message, which has one root field. */
function cursorOf(data: unknown): unknown {
  const [message] = Object.values(data ?? {});
  return message?.cursor;
}

/** Whether the server ended a subscription because its token expired. */
const isExpired = (error: unknown): boolean => error instanceof RequestError && error.code === 'UNAUTHENTICATED';
