import { describe, expect, it } from 'vitest';
import { trigramQuery } from '../../src/database/trigram-index.js';
import { accepted } from '../../src/rest/negotiation.js';
import { decodedSegment } from '../../src/rest/router.js';
import { matchesUri } from '../../src/services/authorization/uri-pattern.js';
import { attributesOf } from '../../src/services/core/attribute-query.js';
import { network } from '../../src/services/core/failed-attempts.js';
import { matches } from '../../src/services/core/pattern.js';
import { pemBody } from '../../src/services/keys/pem.js';
import { comparableDn } from '../../src/services/ldap/entry.js';
import { containingWords } from '../../src/services/users/list.js';
import { isThorough } from '../support/sample.js';

// What callers send and store that becomes a pattern, is split or sorted. None of these would end within a lifetime if it took
// the square of the length.
const long = isThorough ? 1_000_000 : 200_000;
const runs = (...texts: string[]): string[] => texts.map((text) => text.repeat(Math.ceil(long / text.length)));
const hostile = [
  ...runs(
    'a',
    ' ',
    '"',
    '\\',
    '"\\',
    '\\"',
    ':',
    'a:',
    '":',
    '${',
    '{',
    '/*',
    '//',
    '/',
    '-',
    '-----',
    '%',
    '%_',
    ',',
    ' ,',
    ', ',
    '=',
    '*',
    '.',
    ';',
    '\n',
    '\t ',
  ),
  ...runs(' ', '/', '-', '"a', '{', '\\').map((text) => `${text}x`),
];

const places: Record<string, (text: string) => unknown> = {
  'attributes to search clients by': attributesOf,
  'words to search users by': (text) => containingWords(text),
  'pieces of a search for the index of trigrams': trigramQuery,
  'the header Accept': (text) => {
    try {
      return accepted({ headers: { accept: text } } as never);
    } catch (error) {
      return error;
    }
  },
  'a part of a path': decodedSegment,
  'names of a directory': comparableDn,
  'a certificate': pemBody,
  'an address of a sender': network,
  'an address for a pattern of a resource': (text) => matchesUri(['/a/*', '/{a}/{b}/*/c'], text),
  'a pattern of a resource': (text) => matchesUri([`/${text}*`, text], `/${'a'.repeat(1000)}`),
};

describe.each(Object.entries(places))('%s', (_name, read) => {
  it('is read in proportion to its length', () => {
    for (const text of hostile) expect(() => read(text)).not.toThrow();
  });
});

describe('patterns that backtrack', () => {
  it.each(['(a+)+$', '(a|a)*b', '(a|aa)+$', '(.*)*x', '([a-z]+)*!', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'of policies come to an end: %s',
    (pattern) => {
      expect(matches(pattern, `${'a'.repeat(50_000)}1`)).toBeFalsy();
    },
  );

  it.each(['(?:\\pL{30}){33}'.repeat(200), 'a{1000}'.repeat(3000), '(((a{100}){1}){100}){100}'])(
    'of policies are not compiled if they are too large: %#',
    (pattern) => {
      const started = process.cpuUsage();
      expect(matches(pattern, 'abc')).toBeUndefined();
      expect(process.cpuUsage(started).user).toBeLessThan(250_000); // microseconds
    },
  );

  it('of resources come to an end, and fit as before', () => {
    const stars = `/${'*a'.repeat(500)}b`;
    expect(matchesUri([stars], `/${'a'.repeat(20_000)}`)).toBeUndefined();
    expect(matchesUri([`/${'{x}'.repeat(300)}/b`], `/${'a'.repeat(20_000)}`)).toBeUndefined();
    expect(matchesUri(['/a/*', '/a/{id}', '/*', '/a/b*c'], '/a/bbc')).toBe('/a/b*c');
    expect(matchesUri(['/a/*', '/*'], '/a')).toBe('/a/*');
    expect(matchesUri(['/a.b/{id}/c+'], '/a.b/1/c+')).toBe('/a.b/{id}/c+');
    expect(matchesUri(['/a.b/{id}'], '/axb/1')).toBeUndefined();
  });
});

describe('names of a directory', () => {
  it.each([
    [' CN = Ann , OU=People,dc=x ', 'cn=ann,ou=people,dc=x'],
    ['cn=a\\, b,ou=c', 'cn=a\\, b,ou=c'],
    ['cn=a+sn = b', 'cn=a+sn=b'],
  ])('are compared without blanks around parts: %s', (name, expected) => {
    expect(comparableDn(name)).toBe(expected);
  });
});
