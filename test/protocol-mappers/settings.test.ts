import { beforeAll, describe, expect, it } from 'vitest';
import { mapperTypes } from '../../src/graph/protocol-mappers/choices.js';
import { mapperSettings } from '../../src/graph/protocol-mappers/settings.js';
import { allMapperTypes } from '../../src/services/providers/protocol-mappers.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { jsonServer } from '../support/json-server.js';
import { slowClock } from '../support/server.js';

// The settings of every type of protocol mappers, written by GraphQL and read by REST, and the other way round.
const realm = 'mapper-settings';
let admin: Caller;
let client: string;
let sector: string;
const owner = () => Buffer.from(`Client:${client}`).toString('base64');
const models = () => `/${realm}/clients/${client}/protocol-mappers/models`;

beforeAll(async () => {
  sector = `${await jsonServer(() => ['https://app.example/*'])}/sector`;
  ({ admin } = await startWithRealm(
    { realm, enabled: true, clients: [{ clientId: 'app', redirectUris: ['https://app.example/*'] }] },
    { fetchPrivateAddresses: true },
    slowClock,
  ));
  client = (await admin.send('GET', `/${realm}/clients?clientId=app`)).body[0].id;
});

const selected = `id type settings { ${mapperSettings.map(({ name }) => name).join(' ')} } config { name value }`;

interface Result {
  protocolMapper: { id: string; type: string; settings: Record<string, unknown>; config: object[] } | null;
  userErrors: { code: string; path: string[]; message: string }[];
}

async function mutate(verb: 'Create' | 'Update', input: object): Promise<Result> {
  const name = `protocolMapper${verb}`;
  const { data, errors } = await admin.graphql<Record<string, Result>>(
    `mutation ($input: ProtocolMapper${verb}Input!) { ${name}(input: $input) {
      protocolMapper { ${selected} } userErrors { code path message } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Result;
}
const create = (name: string, type: string, more: object) => mutate('Create', { owner: owner(), name, type, ...more });
const inRest = async ({ protocolMapper }: Result) => {
  const local = Buffer.from(protocolMapper?.id ?? '', 'base64')
    .toString()
    .split(':')[1];
  return (await admin.send('GET', `${models()}/${local}`)).body;
};

/** A value of a setting, in GraphQL and as it is stored. */
function sampleOf({ kind, name }: (typeof mapperSettings)[number]): [given: unknown, stored: string] {
  if (kind === 'flag') return [true, 'true'];
  if (name === 'jsonType') return ['LONG', 'long'];
  if (name === 'attributeNameFormat') return ['URI_REFERENCE', 'URI Reference'];
  if (name === 'sectorIdentifierUri') return [sector, sector];
  return ['one', 'one'];
}

const types = Object.entries(mapperTypes.values).map(([type, [id = '']]) => [type, id] as const);

describe('the types of protocol mappers', () => {
  it('have a name each, and a field for each setting', () => {
    expect(types.map(([, id]) => id).sort()).toEqual(allMapperTypes.map(({ id }) => id).sort());
    const entries = new Set(mapperSettings.map(({ entry }) => entry));
    const all = allMapperTypes.flatMap(({ properties }) => properties.map(({ name }) => name));
    expect(all.filter((name) => !entries.has(name))).toEqual([]);
    expect(mapperSettings.filter(({ entry }) => !all.includes(entry))).toEqual([]);
  });

  it.each(types)('are written and read: %s', async (type, id) => {
    const own = new Set(allMapperTypes.find((one) => one.id === id)?.properties.map(({ name }) => name));
    const rows = mapperSettings.filter(({ entry }) => own.has(entry));
    const settings = Object.fromEntries(rows.map((row) => [row.name, sampleOf(row)[0]]));
    const config = Object.fromEntries(rows.map((row) => [row.entry, sampleOf(row)[1]]));
    const made = await create(`a ${type}`, type, { settings });
    expect(made.userErrors).toEqual([]);
    expect(await inRest(made)).toMatchObject({ protocolMapper: id, config });
    const none = Object.fromEntries(mapperSettings.map(({ name }) => [name, null]));
    expect(made.protocolMapper).toMatchObject({ type, settings: { ...none, ...settings }, config: [] });
  });
});

describe('settings of protocol mappers', () => {
  it('are changed one by one, and beside them what no setting has', async () => {
    const given = { settings: { claimName: 'a', isMultivalued: false }, config: [{ name: 'own', value: '1' }] };
    const made = await create('changed', 'USER_ATTRIBUTE', given);
    const id = made.protocolMapper?.id;
    const update = async (input: object) => inRest(await mutate('Update', { id, ...input }));
    const stored = { 'claim.name': 'a', multivalued: 'false', own: '1' };
    expect((await inRest(made)).config).toEqual(stored);
    const renamed = await update({ settings: { claimName: 'b', userAttribute: 'x' } });
    expect(renamed.config).toEqual({ ...stored, 'claim.name': 'b', 'user.attribute': 'x' });
    const other = await update({ settings: { userAttribute: null }, config: [{ name: 'other', value: '2' }] });
    expect(other.config).toEqual({ 'claim.name': 'b', multivalued: 'false', other: '2' });
    const unread = { ...other, config: { 'jsonType.label': 'odd', 'claim.name': 'c' } };
    expect((await admin.send('PUT', `${models()}/${other.id}`, unread)).status).toBe(204);
    const { protocolMapper } = await mutate('Update', { id });
    expect(protocolMapper?.settings).toMatchObject({ jsonType: null, claimName: 'c', isMultivalued: null });
  });

  it('are refused where the type does not have them, as config, and as null', async () => {
    const refused = async (type: string, more: object) =>
      (await create('refused', type, more)).userErrors.map(({ code, path }) => [code, path.join('.')]);
    expect(await refused('FULL_NAME', { settings: { claimName: 'a', script: 'b', isInIdToken: true } })).toEqual([
      ['INVALID', 'settings.claimName'],
      ['INVALID', 'settings.script'],
    ]);
    expect(await refused('USER_ATTRIBUTE', { config: [{ name: 'claim.name', value: 'a' }] })).toEqual([
      ['INVALID', 'config.0.name'],
    ]);
    const { data } = await admin.graphql<{ protocolMappersCreate: Result }>(
      `mutation ($input: ProtocolMappersCreateInput!) { protocolMappersCreate(input: $input) { userErrors { path } } }`,
      {
        input: {
          owner: owner(),
          protocolMappers: [
            { name: 'one', type: 'FULL_NAME' },
            { name: 'two', type: 'ROLE_NAME', settings: { claimName: 'a' } },
          ],
        },
      },
    );
    expect(data.protocolMappersCreate.userErrors).toEqual([
      { path: ['protocolMappers', '1', 'settings', 'claimName'] },
    ]);
    const made = await create('kept', 'USER_ATTRIBUTE', {});
    const update = async (input: object) =>
      (await mutate('Update', { id: made.protocolMapper?.id, ...input })).userErrors;
    expect(await update({ settings: null })).toMatchObject([{ code: 'INVALID', path: ['settings'] }]);
    expect(await update({ config: null })).toMatchObject([{ code: 'INVALID', path: ['config'] }]);
  });
});
