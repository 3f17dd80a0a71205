import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isObject } from '../../services/core/json.js';
import type { ShownApply } from '../../services/realms/applied/representation.js';
import type { Json } from '../../services/realms/desired/kinds.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import { type RealmAccess, RefusedFile } from './access.js';
import type { Server } from './credentials.js';
import { liveChanges } from './events.js';
import { exchange, jsonOf, reasonOf } from './http.js';

/** The realms of a server, over REST. */
export function serverAccess(server: Server): RealmAccess {
  const post = (realm: string, action: string, input: object, headers: Record<string, string> = {}) =>
    ask(server, realm, `/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    }) as Promise<ShownPlan>;
  const exists = async (realm: string): Promise<boolean> => {
    const response = await send(server, `/${encodeURIComponent(realm)}`, { method: 'GET' });
    await response.body?.cancel();
    return response.status !== 404;
  };
  return {
    async create(realm) {
      if (await exists(realm)) return false;
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const body = JSON.stringify({ realm, enabled: true });
      const response = await send(server, '', { method: 'POST', headers, body });
      if (!response.ok) throw new Error(refusedBy(server, realm, response, await jsonOf(response)));
      await response.body?.cancel();
      return true;
    },
    async remove(realm) {
      const response = await send(server, `/${encodeURIComponent(realm)}`, { method: 'DELETE' });
      if (!response.ok) throw new Error(refusedBy(server, realm, response, await jsonOf(response)));
      await response.body?.cancel();
    },
    plan: (realm, input) => post(realm, 'plan', input),
    // an attempt whose answer was lost is not performed twice
    apply: (realm, input) => post(realm, 'apply', input, { 'idempotency-key': randomUUID() }),
    async pull(realm, { users, secrets }) {
      if (secrets) throw new Error('--secrets requires the database: leave --url out, and set DATABASE_URL.');
      return (await ask(server, realm, `/export?users=${users}`, { method: 'GET' })) as Json;
    },
    applies: async (realm, most) => (await listOf(server, realm, `/applies?max=${most}`)) as ShownApply[],
    revertPlan: async (realm, id) =>
      (await ask(server, realm, `/applies/${encodeURIComponent(id)}/revert-plan`, { method: 'GET' })) as ShownPlan,
    revert: (realm, id, expected) =>
      post(realm, `applies/${encodeURIComponent(id)}/revert`, expected, { 'idempotency-key': randomUUID() }),
    changes: (realm, signal) => liveChanges(server, realm, signal),
  };
}

interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
}

/** The answer with the faults of a file. */
const FaultsBody = z.object({ faults: z.array(z.object({ path: z.array(z.string()), message: z.string() })) });

/** The answer of the administration API about a realm. Throws a sentence for everything but success. */
async function ask(server: Server, realm: string, path: string, request: Request): Promise<unknown> {
  const body = await answer(server, realm, path, request);
  if (isObject(body)) return body;
  throw new Error(`The address ${server.url} answers without JSON: check that --url names a Realmgate server.`);
}

/** Requests a list. */
async function listOf(server: Server, realm: string, path: string): Promise<unknown[]> {
  const body = await answer(server, realm, path, { method: 'GET' });
  if (Array.isArray(body)) return body;
  throw new Error(`The address ${server.url} answers without a list: check that --url names a Realmgate server.`);
}

/** Requests a path of the administration API below its realms. */
const send = async (server: Server, path: string, { headers, ...request }: Request): Promise<Response> =>
  exchange({
    url: `${server.url}/auth/admin/realms${path}`,
    headers: { accept: 'application/json', authorization: `Bearer ${await server.token()}`, ...headers },
    ...request,
  });

async function answer(server: Server, realm: string, path: string, request: Request): Promise<unknown> {
  const response = await send(server, `/${encodeURIComponent(realm)}${path}`, request);
  const body = await jsonOf(response);
  if (!response.ok) {
    const sentence = refusedBy(server, realm, response, body);
    const faults = FaultsBody.safeParse(body);
    throw faults.success ? new RefusedFile(sentence, faults.data.faults) : new Error(sentence);
  }
  return body;
}

/** The reason why a request was refused, in one sentence. */
function refusedBy({ url, renew }: Server, realm: string, { status, headers }: Response, body: unknown): string {
  const reason = reasonOf(body);
  const detail = reason === undefined ? '' : ` (${reason})`;
  if (status === 401) return `The server ${url} does not accept the token${detail}: ${renew}.`;
  if (status === 403) return `The token lacks a permission in the realm "${realm}"${detail}.`;
  if (status === 404)
    return `The realm "${realm}" was not found on ${url}${detail}: create it first (--create), or name another one with --realm.`;
  if (status === 503) return `The server ${url} is busy or cannot reach its database${detail}: try again later.`;
  if (status >= 500) {
    const id = headers.get('x-request-id') ?? (isObject(body) ? body.errorId : undefined);
    return `The server ${url} failed with status ${status}${id === undefined ? '' : `: its log has the reason under ${id}`}.`;
  }
  return reason ?? `The server ${url} refused the request with status ${status}.`;
}
