import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { directoryWith, hasSlapd, manyPeople, person, storageFor } from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const realm = 'words';

describe.skipIf(!hasSlapd)('a search for very many words', () => {
  let admin: Caller;
  let proxy: LdapProxy;

  beforeAll(async () => {
    proxy = await proxyFor((await directoryWith([...manyPeople(3), person('zoe', { lastName: 'zoe zoo' })])).url);
    ({ admin } = await startWithRealm({ realm, enabled: true }));
    await storageFor(admin, realm, proxy.url);
  }, 60_000);

  const rest = async (words: readonly string[]) => {
    const { status, body } = await admin.send('GET', `/${realm}/users?search=${encodeURIComponent(words.join(' '))}`);
    return { status, names: Array.isArray(body) ? body.map(({ username }) => username) : body };
  };
  const graphql = async (words: readonly string[]) => {
    const query = `query ($search: String!) { realm(name: "${realm}") { users(filter: { search: $search }) { edges { node { username } } } } }`;
    const { status, data, errors } = await admin.graphql<{
      realm: { users: { edges: { node: { username: string } }[] } };
    }>(query, { search: words.join(' ') });
    return { status, names: errors ?? data.realm.users.edges.map(({ node }) => node.username) };
  };

  it.each([['REST', rest] as const, ['GraphQL', graphql] as const])(
    'asks the directory for a few of them, and finds who has them all: %s',
    async (_surface, find) => {
      const before = proxy.count('search');
      const zoes = Array.from({ length: 400 }, () => 'zoe');
      expect(await find(zoes)).toEqual({ status: 200, names: ['zoe'] });
      // more than one search of the directory would need, and none of them anybody's
      const others = Array.from({ length: 400 }, (_, at) => `x${at}`);
      expect(await find(others)).toEqual({ status: 200, names: [] });
      expect(await find([...Array.from({ length: 30 }, (_, at) => 'user1'.slice(0, 1 + (at % 5))), 'absent'])).toEqual({
        status: 200,
        names: [],
      });
      expect(proxy.count('search') - before).toBeLessThanOrEqual(6);
    },
  );
});
