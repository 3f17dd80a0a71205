import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { agentOf } from '../login/agent.js';
import { callback, keySetOf } from '../oauth/relying-party.js';
import { atEndOfFile } from '../support/database.js';
import { signedObject } from './algorithms.js';
import { credentials, keyFor, newClient, post, realm, tokensFor, type World } from './world.js';

/** Starts a server of a client. Returns its address. */
export async function siteOf(answer: (message: IncomingMessage, body: string) => string): Promise<string> {
  const site = createServer(async (message, response) => {
    let body = '';
    for await (const part of message) body += part;
    response.end(answer(message, body));
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  atEndOfFile(async () => {
    site.close();
  });
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

/** Opens a login by the address of a request object: only one that the client has registered is read. */
export async function requestByAddress(world: World): Promise<void> {
  let object = '';
  const site = await siteOf(() => object);
  const { jwk } = await keyFor('PS256');
  const client = await newClient(world, { ...keySetOf(jwk), 'request.uris': `${site}/one##${site}/two` });
  object = await signedObject(world, client, 'PS256');
  const open = (request_uri: string) => {
    const query = new URLSearchParams({ client_id: client, redirect_uri: callback, request_uri });
    return agentOf(world.server).get(`/auth/realms/${realm}/protocol/openid-connect/auth?${query}`);
  };
  for (const name of ['one', 'two']) expect((await open(`${site}/${name}`)).text).toContain('name="password"');
  expect((await open(`${site}/three`)).location).toContain('error=invalid_request_uri');
}

/** Ends a session: the client is told by a logout token, with the session if it wants that. */
export async function toldOfLogout(world: World): Promise<void> {
  const told: string[] = [];
  const site = await siteOf((_, body) => {
    told.push(new URLSearchParams(body).get('logout_token') ?? '');
    return '';
  });
  for (const required of ['true', 'false']) {
    const attributes = { 'backchannel.logout.url': site, 'backchannel.logout.session.required': required };
    const client = await newClient(world, attributes);
    const { refresh_token = '', session_state } = await tokensFor(world, client);
    const { status } = await post(world, 'logout', { ...credentials(client), refresh_token });
    expect(status).toBe(204);
    const claims = decodeJwt(told.at(-1) ?? '');
    expect(claims).toMatchObject({ aud: client, typ: 'Logout' });
    expect(claims.sid).toBe(required === 'true' ? session_state : undefined);
  }
}
