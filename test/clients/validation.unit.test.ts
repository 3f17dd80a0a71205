import { describe, expect, it } from 'vitest';
import { checkClient } from '../../src/services/clients/validation.js';
import { attributesOf } from '../../src/services/core/attribute-query.js';
import { Refusal } from '../../src/services/core/refusal.js';

const textOf = (client: Parameters<typeof checkClient>[0]): string => {
  try {
    checkClient(client);
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

describe('addresses of a client', () => {
  it.each([
    '*',
    '+',
    '/path/*',
    'https://a.example/x?y=%20',
    'custom.app://cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'http://ü.example',
  ])('%s may be redirected to', (uri) => {
    expect(textOf({ redirectUris: [uri] })).toBe('');
  });

  it.each(['a b', 'http://x/%zz', 'http://', ':x', '<x>', 'a\\b'])('%s is no URI', (uri) => {
    expect(textOf({ redirectUris: [uri] })).toBe('A redirect URI is not a valid URI');
  });

  it.each([
    [{ redirectUris: ['javascript:alert(1)'] }, 'A redirect URI uses an illegal scheme'],
    [{ redirectUris: ['http://x/#y'] }, 'Redirect URIs must not contain an URI fragment'],
    [{ rootUrl: 'app.example.org' }, 'Root URL is not a valid URL'],
    [{ rootUrl: 'data:x' }, 'Root URL uses an illegal scheme'],
    [{ rootUrl: 'http://x/#y' }, 'Root URL must not contain an URL fragment'],
    [{ baseUrl: 'x' }, 'Base URL is not a valid URL'],
    [{ baseUrl: '/x#y' }, ''],
    [{ rootUrl: '$' + '{authBaseUrl}', redirectUris: ['/x'] }, ''],
    [
      { rootUrl: 'no url', redirectUris: ['a b', 'c d'] },
      'Root URL is not a valid URL; A redirect URI is not a valid URI',
    ],
  ])('%j: %s', (client, text) => {
    expect(textOf(client)).toBe(text);
  });
});

describe('a query for attributes', () => {
  it('has pairs, quoted where they hold blanks', () => {
    expect(attributesOf('a:b c:"d e" "f g":h:i')).toEqual([
      ['a', 'b'],
      ['c', 'd e'],
      ['f g', 'h:i'],
    ]);
    expect(attributesOf('"say \\"x\\"":y lonely')).toEqual([['say "x"', 'y']]);
  });
});
