import { type GraphQLInputType, getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Parameters, parametersOf, realmWithEverything } from '../matrix/addresses.js';
import { least, typeOfId } from '../matrix/inputs.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { realmAdmin } from './rules.js';

// Every mutation with ids of things that are elsewhere and of things that are nowhere: the answers are the same.
const mutations = Object.values(graphqlSchema().getMutationType()?.getFields() ?? {});
const nowhere = '00000000-0000-4000-8000-000000000000';

let boss: Caller;
let own: Parameters;
let elsewhere: Parameters;

beforeAll(async () => {
  const server = await startServer();
  const admin = await administrator(server);
  for (const realm of ['one', 'other'])
    await admin.send('POST', '/', realmWithEverything(realm, { users: [realmAdmin] }));
  boss = await userOf(server, 'one', 'boss', 'pw');
  await userOf(server, 'other', 'boss', 'pw');
  const known = async (realm: string): Promise<Parameters> => {
    const { id } = (await admin.send('GET', `/${realm}`)).body;
    const session = await server.database.read.userSession.findFirst({ where: { realmId: id }, select: { id: true } });
    return { ...(await parametersOf(admin, realm)), Realm: id, UserSession: session?.id ?? '' };
  };
  own = await known('one');
  elsewhere = await known('other');
});

const idIn = (params: Parameters, typename: string): string => {
  const names: Record<string, string> = {
    Realm: 'Realm',
    User: 'users:id',
    Group: 'groups:id',
    Client: 'clients:id',
    ClientScope: 'client-scopes:id',
    ProtocolMapper: 'mapperId',
    Role: 'role-id',
    Credential: 'credentialId',
    UserSession: 'UserSession',
  };
  return params[names[typename] ?? ''] ?? nowhere;
};
const globalId = (typename: string, id: string) => Buffer.from(`${typename}:${id}`).toString('base64');

const idFields = (type: GraphQLInputType | undefined): string[] => {
  const named = type && getNamedType(type);
  if (!named || !isInputObjectType(named)) return [];
  return Object.values(named.getFields())
    .filter((field) => isNonNullType(field.type) && getNamedType(field.type).name === 'ID')
    .map(({ name }) => name);
};

const cases = mutations.flatMap((mutation) =>
  idFields(mutation.args[0]?.type).map((field) => [mutation.name, field, mutation] as const),
);

describe('what is in another realm is not there', () => {
  it.each(cases)('%s: %s', async (name, field, mutation) => {
    const inputType = mutation.args[0]?.type as GraphQLInputType;
    const typename = typeOfId(getNamedType(inputType).name, field);
    const input = least(inputType, name, 'input', (of) => globalId(of, idIn(own, of)));
    const ask = async (id: string) => {
      const given = { ...(input as Record<string, unknown>) };
      given[field] = Array.isArray(given[field]) ? [globalId(typename, id)] : globalId(typename, id);
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const { data, errors } = await boss.graphql(
        `mutation ($input: ${type}!) @dryRun { ${name}(input: $input) { userErrors { code path message } adminEvents { id } } }`,
        { input: given },
      );
      const answer = { data, errors: errors?.map(({ message, extensions }) => [message, extensions?.code]) };
      return JSON.stringify(answer)
        .replaceAll(id, nowhere)
        .replaceAll(globalId(typename, id), globalId(typename, nowhere));
    };
    expect(await ask(idIn(elsewhere, typename))).toBe(await ask(nowhere));
  });
});
