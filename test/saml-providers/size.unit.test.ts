import { beforeAll, describe, expect, it } from 'vitest';
import type { AssertedClaims } from '../../src/services/brokering/saml/asserted.js';
import { assertionXml, newKey, readerOf, responseXml, signed } from './idp.js';

let key: Awaited<ReturnType<typeof newKey>>;

beforeAll(async () => {
  key = await newKey('idp');
});

const value = (group: string) =>
  `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${group}</saml:AttributeValue>`;
const statement = (content: string) =>
  `<saml:AttributeStatement><saml:Attribute Name="groups">${content}</saml:Attribute></saml:AttributeStatement>`;
const groups = (count: number) =>
  Array.from({ length: count }, (_, at) => value(`CN=group ${at},OU=groups,DC=corp`)).join('');

/** The number of values of an attribute, or why the response is refused. */
async function outcome(content: string, name = 'ID_a') {
  const assertion = assertionXml({ attributes: statement(content) });
  const xml =
    name === 'ID_a' ? responseXml(await signed(assertion, name, key)) : await signed(responseXml(assertion), name, key);
  return readerOf(key.certificate)(xml).then(
    ({ claims }) => (claims as AssertedClaims[])[0]?.attributes[0]?.values.length,
    (error: Error) => error.message.replace('the response is not accepted: ', ''),
  );
}

describe('a response', () => {
  it('can have a thousand groups', async () => {
    expect(await outcome(groups(1000))).toBe(1000);
    expect(await outcome(groups(1000), 'ID_r')).toBe(1000);
    const forged = responseXml(await signed(assertionXml({ attributes: statement(groups(1000)) }), 'ID_a', key));
    await expect(readerOf(key.certificate)(forged.replace('>ann<', '>admin<'))).rejects.toThrow('invalid_signature');
  });

  it.each([
    ['too_many_elements', '<saml:AttributeValue/>'.repeat(2500)],
    ['too_many_elements', `<a ${Array.from({ length: 51 }, (_, at) => `a${at}=""`).join(' ')}/>`],
    [
      'too_many_elements',
      `${`<a ${Array.from({ length: 50 }, (_, at) => `a${at}='>'`).join(' ')}>`.repeat(4)}${'</a>'.repeat(4)}`,
    ],
    ['too_deep', '<a>'.repeat(50) + '</a>'.repeat(50)],
    ['too_long', 'x'.repeat(200_000)],
  ])('is bounded: %s', async (reason, content) => {
    const xml = responseXml(assertionXml({ attributes: statement(content) }));
    await expect(readerOf(key.certificate)(xml)).rejects.toThrow(reason);
  });
});
