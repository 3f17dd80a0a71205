// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { updateClients } from '../../src/services/clients/changing.js';
import type { ClientInput } from '../../src/services/clients/representation.js';
import { Refusal } from '../../src/services/core/refusal.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// What the REST contract can change of a client, and GraphQL of none: protocols and mappers, of many clients as of one.
const realm = 'changing';
let server: TestServer;
let admin: Caller;
const ids: string[] = [];

const mapper = (name: string, more: object = {}) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name },
  ...more,
});

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      clients: Array.from({ length: 60 }, (_, at) => ({
        clientId: `c${at}`,
        secret: 's',
        protocol: 'openid-connect',
        protocolMappers: [mapper('kept'), mapper('gone')],
      })),
    },
    {},
    slowClock,
  ));
  const clients = (await admin.send('GET', `/${realm}/clients`)).body as { id: string; clientId: string }[];
  for (const { id, clientId } of clients) if (/^c\d/.test(clientId)) ids[Number(clientId.slice(1))] = id;
});

/** Changes clients in one transaction. Tells what became of them, and with how many statements. */
async function change(at: readonly number[], inputOf: (at: number) => ClientInput) {
  const { services } = server;
  const found = await services.realms.byName(services.database.read, realm);
  if (!found) throw new Error('The realm is missing');
  const caller = { userId: 'u', realmId: found.id, realmName: realm, clientId: 'c', tokenRoles: {}, realmRoles: [] };
  const request = {
    requestId: 'r',
    ipAddress: '127.0.0.1',
    baseUrl: server.url,
    permits: new Map(),
    loaders: new Map(),
  };
  const changes = at.map((one) => ({ id: ids[one] ?? '', input: inputOf(one), demands: [] }));
  const { result: outcomes, statements } = await measureStatements(server, () =>
    services.database.transaction((tx) => {
      const ctx = { services, caller, unit: undefined, db: tx, ...request };
      return updateClients({ tx, ctx, realm: found }, changes);
    }),
  );
  return { outcomes, statements };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const shown = async (at: number) => (await admin.send('GET', `/${realm}/clients/${ids[at]}`)).body;
const withoutIds = (value: object) => JSON.parse(JSON.stringify(value).replace(/"(id|clientId)":"[^"]*",?/g, ''));

interface Shown {
  protocolMappers: { id: string; name: string }[];
}
const mapperIds = ({ protocolMappers }: Shown) => Object.fromEntries(protocolMappers.map(({ id, name }) => [name, id]));

const variants: Record<string, (at: number) => ClientInput> = {
  protocol: () => ({ protocol: 'saml' }),
  'protocol back': () => ({ protocol: 'openid-connect' }),
  'protocols of some': (at) => (at % 2 === 0 ? { protocol: 'saml' } : { name: 'x' }),
  'protocols of the others': (at) => ({ protocol: at % 2 === 0 ? 'openid-connect' : 'saml' }),
  mappers: (at) => ({ protocolMappers: [mapper('kept', { config: { 'claim.name': `c${at % 4}` } }), mapper('new')] }),
  'mappers with a service account': () => ({ serviceAccountsEnabled: true, protocolMappers: [mapper('only')] }),
  'a service account beside mappers': () => ({ serviceAccountsEnabled: false }),
  'no mappers': () => ({ protocolMappers: [] }),
};

describe('clients of the contract', () => {
  it.each(Object.entries(variants))('become many at a time what one becomes: %s', async (_title, inputOf) => {
    await change(numbers(0, 2), inputOf);
    const few = await change(numbers(2, 4), inputOf);
    const many = await change(numbers(4, 54), inputOf);
    expect([...few.outcomes, ...many.outcomes].filter((outcome) => outcome instanceof Refusal)).toEqual([]);
    expect(many.statements).toBe(few.statements);
    for (const at of [56, 57]) {
      const { status } = await admin.send('PUT', `/${realm}/clients/${ids[at]}`, inputOf(at));
      expect(status).toBe(204);
      // what an input says of a client repeats every four clients
      expect(withoutIds(await shown(at - 4))).toEqual(withoutIds(await shown(at)));
    }
  });

  it('keep the ids of mappers that keep their names, and refuse an id that is taken', async () => {
    await change(numbers(0, 3), () => ({ protocolMappers: [mapper('a'), mapper('b')] }));
    const before = mapperIds(await shown(0));
    const chosen = '00000000-0000-4000-8000-00000000c11e';
    const inputs: ClientInput[] = [
      { protocolMappers: [mapper('a'), mapper('c', { id: before.b }), mapper('d', { id: chosen })] },
      { protocolMappers: [mapper('e', { id: chosen })] },
      { protocolMappers: [mapper('e', { id: before.a })] },
    ];
    const { outcomes } = await change([0, 1, 2], (at) => inputs[at] ?? {});
    expect(outcomes.map((outcome) => (outcome instanceof Refusal ? outcome.details : 'done'))).toEqual([
      'done',
      { field: 'protocolMappers', code: 'ID_TAKEN' },
      { field: 'protocolMappers', code: 'ID_TAKEN' },
    ]);
    expect(mapperIds(await shown(0))).toEqual({ a: before.a, c: before.b, d: chosen });
    expect(Object.keys(mapperIds(await shown(1)))).toEqual(['a', 'b']);
  });

  it('are refused where they are not there', async () => {
    const { outcomes } = await change([99, 3], () => ({ name: 'there' }));
    expect(outcomes).toMatchObject([{ kind: 'notFound' }, { name: 'there' }]);
  });
});
