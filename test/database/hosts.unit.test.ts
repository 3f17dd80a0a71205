import { expect, it } from 'vitest';
import { hostsOf } from '../../src/config/database-hosts.js';

it.each([
  ['postgresql://db/realmgate', ['postgresql://db/realmgate']],
  ['postgresql:///realmgate?host=/run/postgresql', ['postgresql:///realmgate?host=/run/postgresql']],
  ['postgres://one,two:6432/r', ['postgres://one/r', 'postgres://two:6432/r']],
  [
    'postgresql://a:p,w@one,[::1]:5/r?sslmode=require',
    ['postgresql://a:p,w@one/r?sslmode=require', 'postgresql://a:p,w@[::1]:5/r?sslmode=require'],
  ],
  ['postgresql://one,two/r?target_session_attrs=read-write', ['postgresql://one/r', 'postgresql://two/r']],
  ['postgresql://one,two/r?target_session_attrs=any&a=b', ['postgresql://one/r?a=b', 'postgresql://two/r?a=b']],
  ['postgresql://one,two/r?a=b&target_session_attrs=any', ['postgresql://one/r?a=b', 'postgresql://two/r?a=b']],
])('%s names %j', (url, hosts) => {
  expect(hostsOf(url)).toEqual(hosts);
});
