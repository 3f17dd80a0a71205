import { framed } from './framing.js';
import { exchange } from './http.js';
import { admin, startServer, type TestServer } from './server.js';

/** Sends requests to a test server as one caller. */
export interface Caller {
  token: string;
  /** A REST request on the documented mount; the path starts after /auth. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  graphql<D = Record<string, never>>(query: string, variables?: object): Promise<GraphQLAnswer<D>>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** parsed JSON, or the text */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface GraphQLAnswer<D> {
  status: number;
  data: D;
  errors?: { message: string; path?: (string | number)[]; extensions?: { code?: string } }[];
  extensions?: { cost?: { statements: number; requested: number; actual: number } };
}

/** A token by the password grant with the client admin-cli. */
export async function login(
  server: Pick<TestServer, 'url'>,
  realm: string,
  username: string,
  password: string,
): Promise<string> {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(`login of ${username} failed: ${JSON.stringify(body)}`);
  return body.access_token;
}

/** A caller with this token; none for an anonymous one. */
export function callerWith(server: Pick<TestServer, 'url'>, token: string | undefined): Caller {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    token: token ?? '',
    async send(method, path, body, headers = {}) {
      const isText = typeof body === 'string';
      const type: Record<string, string> = body === undefined || isText ? {} : { 'content-type': 'application/json' };
      const answer = await exchange(
        `${server.url}/auth${path}`,
        method,
        { ...type, ...authorization, ...headers },
        isText ? body : JSON.stringify(body),
      );
      return { status: answer.status, headers: answer.headers, body: parsed(framed(answer).text) };
    },
    async graphql(query, variables) {
      const answer = await exchange(
        `${server.url}/graphql`,
        'POST',
        { ...authorization, 'content-type': 'application/json', accept: 'application/json' },
        JSON.stringify({ query, variables }),
      );
      return { status: answer.status, ...(JSON.parse(framed(answer).text) as object) } as never;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The administrator of the master realm. */
export const administrator = async (server: TestServer): Promise<Caller> =>
  callerWith(server, await login(server, 'master', admin.username, admin.password));

/** A user of the realm, who was created with a password. */
export const userOf = async (server: TestServer, realm: string, username: string, password: string): Promise<Caller> =>
  callerWith(server, await login(server, realm, username, password));

/** A new server with a realm, and its administrator. Throws unless the realm is created. */
export async function startWithRealm(
  realm: object,
  ...settings: Parameters<typeof startServer>
): Promise<{ server: TestServer; admin: Caller }> {
  const server = await startServer(...settings);
  const caller = await administrator(server);
  const { status, body } = await caller.send('POST', '/', realm);
  if (status !== 201) throw new Error(`The realm was not created: ${status} ${JSON.stringify(body)}`);
  return { server, admin: caller };
}
