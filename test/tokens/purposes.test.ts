import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PurposeName, purposes } from '../../src/services/keys/purpose.js';
import { protectedClaims } from '../../src/services/tokens/protected-claims.js';
import { callerWith } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { byApp, kinds, loginTokens, openWorld, realm, type World } from './kinds.js';
import { places, posted } from './places.js';

let world: World;

beforeAll(async () => {
  world = await openWorld(await startServer({ failuresAddress: 0, failuresAccount: 0 }));
});

const names = Object.keys(purposes) as PurposeName[];
const algorithms = ['RS256', 'HS256'] as const;
/** What nobody here reads: relying parties, adapters, and registries do. */
const readElsewhere: PurposeName[] = ['logout', 'userInfo', 'authorizationResponse', 'adapterAction', 'docker'];

/** Changes how the client signs, and what its mappers write. */
async function setClient(change: object): Promise<void> {
  const path = `/admin/realms/${realm}/clients/${world.app.id}`;
  const { body } = await world.admin.send('GET', path);
  expect((await world.admin.send('PUT', path, { ...body, ...change })).status).toBe(204);
}

const signingBy = (algorithm: string) => ({
  attributes: { 'access.token.signed.response.alg': algorithm, 'id.token.signed.response.alg': algorithm },
});

describe.each(algorithms)('a token, where those of clients are signed with %s', (algorithm) => {
  beforeAll(() => setClient({ ...signingBy(algorithm), protocolMappers: [] }));

  it.each(algorithm === 'RS256' ? names : sampled(names, 3))(
    'for %s is good at its own places only',
    async (purpose) => {
      const accepting: string[] = [];
      for (const [name, { isTaken }] of Object.entries(places)) {
        // a new one for each place, as some end what it belongs to
        if (await isTaken(world.server, await kinds[purpose](world))) accepting.push(name);
      }
      const own = Object.entries(places).filter(([, { takes }]) => takes.includes(purpose));
      expect(accepting).toEqual(own.map(([name]) => name));
      expect(own.length > 0).toBe(!readElsewhere.includes(purpose));
    },
  );
});

/** Mappers that write what would make a token another one, of another purpose, client, user and session. */
const hostileMappers = (claims: Record<string, unknown>) =>
  Object.entries(claims).map(([claim, value]) => ({
    name: `hostile ${claim}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: {
      'claim.name': claim.replaceAll('.', '\\.'),
      'claim.value': typeof value === 'string' ? value : JSON.stringify(value),
      'jsonType.label': typeof value === 'string' ? 'String' : 'JSON',
      'access.token.claim': 'true',
      'id.token.claim': 'true',
      'userinfo.token.claim': 'true',
    },
  }));

const evil = 'set by a mapper';

async function disguise(typ: string): Promise<Record<string, unknown>> {
  const { sid } = decodeJwt(await kinds.access(world));
  const everything = Object.fromEntries([...protectedClaims].map((name) => [name, evil]));
  return {
    ...everything,
    typ,
    sid,
    session_state: sid,
    sub: world.boss.id,
    azp: 'security-admin-console',
    eml: world.boss.email,
    rqac: ['UPDATE_PASSWORD'],
    state_checker: evil,
    registration_auth: 'authenticated',
    permissions: [{ scopes: [] }],
    authorization: { permissions: [{ rsid: evil, scopes: [] }] },
    realm_access: { roles: ['admin', 'create-realm'] },
    resource_access: { 'realm-management': { roles: ['realm-admin', 'manage-realm', 'view-realm', 'manage-users'] } },
  };
}

describe.each(algorithms)('a client with hostile mappers, whose tokens are signed with %s', (algorithm) => {
  const types = names.flatMap((name) => purposes[name].type ?? []);

  it.each(sampled(types, 3))('makes none of type %s, and nobody else’s', async (typ) => {
    const claims = await disguise(typ);
    await setClient(signingBy(algorithm));
    const mappers = `/admin/realms/${realm}/clients/${world.app.id}/protocol-mappers`;
    const { body: before } = await world.admin.send('GET', `${mappers}/models`);
    for (const { id } of before) await world.admin.send('DELETE', `${mappers}/models/${id}`);
    expect((await world.admin.send('POST', `${mappers}/add-models`, hostileMappers(claims))).status).toBe(204);
    const { access_token: access, id_token: id } = await loginTokens(world, { username: 'mallory' });
    const mallory = (await world.admin.send('GET', `/admin/realms/${realm}/users?username=mallory`)).body[0];

    for (const [token, own] of [
      [access, 'Bearer'],
      [id, 'ID'],
    ] as const) {
      expect(decodeProtectedHeader(token).alg).toBe(algorithm);
      const written = decodeJwt(token);
      expect(written).toMatchObject({ typ: own, azp: 'app', sub: mallory.id, resource_access: expect.anything() });
      expect(written.sid).not.toBe(claims.sid);
      for (const name of protectedClaims)
        if (name !== 'typ') expect([name, written[name]]).not.toEqual([name, claims[name]]);
    }
    const userinfo = await callerWith(world.server, access).send(
      'GET',
      `/realms/${realm}/protocol/openid-connect/userinfo`,
    );
    expect(userinfo).toMatchObject({ status: 200, body: { sub: mallory.id } });
    expect(Object.keys(userinfo.body).filter((name) => protectedClaims.has(name))).toEqual(['sub']);
    const introspected = await posted(world.server, 'token/introspect', { ...byApp, token: access });
    expect(introspected.body).toMatchObject({ active: true, sub: mallory.id, username: 'mallory', client_id: 'app' });
    expect(introspected.body.authorization).toBeUndefined();

    // what its bearer may not do: be the administrator
    const settings = await callerWith(world.server, access).send('PUT', `/admin/realms/${realm}`, {
      displayName: evil,
    });
    expect(settings.status).toBe(403);
    for (const [token, purpose] of [
      [access, 'access'],
      [id, 'id'],
    ] as const) {
      const accepting: string[] = [];
      for (const [name, { isTaken }] of Object.entries(places))
        if (await isTaken(world.server, token)) accepting.push(name);
      const own = Object.entries(places).filter(([, { takes }]) => takes.includes(purpose));
      expect(accepting).toEqual(own.map(([name]) => name));
    }
  });
});

describe('the code', () => {
  it('verifies tokens of the realm at one place', () => {
    const root = join(import.meta.dirname, '../../src');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const verifying = files.filter((file) =>
      /\b(compactVerify|jwtVerify|hasHmac\()/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(verifying.toSorted()).toEqual([
      // what identity providers sign, with their own keys
      'services/brokering/provider-keys.ts',
      'services/keys/jws.ts',
      'services/login/broker/back-channel-logout.ts',
      // what clients sign, with their own keys
      'services/tokens/client-assertion.ts',
      'services/tokens/client-token.ts',
      'services/tokens/dpop.ts',
      'services/tokens/signature.ts',
    ]);
  });
});
