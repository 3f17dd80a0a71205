import { expect, it } from 'vitest';
import { excerptAt } from '../../src/cli/desired/excerpt.js';

it.each([
  ['    secret: "s3cret', 'secret: "…'],
  ["    secret: 's3cret'", "secret: '…'"],
  ['redirectUris: [https://shop.example/*, "b"', 'redirectUris: […, "…"'],
  ['  - { clientId: shop, secret: s3 cret }', '- { clientId: …, secret: … }'],
  ['password: @secret # s3cret', 'password: @… #…'],
  ['"a": "s3\\"cret", "b":1,', '"a": "…", "b":…,'],
  ['MIIEpQIBAAKCAQEA1', undefined],
  ['private key with: words', undefined],
  ['key: |', 'key: |'],
  ['', undefined],
  [`secret: ${'x'.repeat(3000)}`, undefined],
])('of %j shows no value', (line, excerpt) => {
  expect(excerptAt(`first: line\n${line}\nlast: line\n`, 12)).toBe(excerpt);
});
