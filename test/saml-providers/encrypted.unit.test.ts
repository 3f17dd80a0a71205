import { beforeAll, describe, expect, it } from 'vitest';
import { encryptElement } from '../../src/services/saml/encrypt.js';
import { assertionXml, ids, newKey, type Parts, readerOf, responseXml, signed } from './idp.js';

let key: Awaited<ReturnType<typeof newKey>>;
let stranger: typeof key;
let own: typeof key;
let good: string;

beforeAll(async () => {
  [key, stranger, own] = await Promise.all([newKey('idp'), newKey('stranger'), newKey('shop')]);
  good = responseXml(await signed(assertionXml(), 'ID_a', key));
});

/** Who is logged in by a response, or why nobody is. */
const outcome = (xml: string, settings?: Record<string, string>): Promise<string> =>
  readerOf(key.certificate, [own.privateKey])(xml, settings).then(
    ({ id }) => `logged in: ${id}`,
    (error: Error) => error.message.replace('the response is not accepted: ', ''),
  );
const withSignedAssertion = async (changed: Parts) => responseXml(await signed(assertionXml(changed), 'ID_a', key));
const encrypted = async (xml: string, certificate = own.certificate, algorithm?: string) =>
  `<saml:EncryptedAssertion>${await encryptElement(xml, { certificate, algorithm, keyAlgorithm: undefined, digest: undefined, maskGeneration: undefined })}</saml:EncryptedAssertion>`;

describe('an encrypted assertion', () => {
  it('is accepted, by algorithms that are safe, and for this realm', async () => {
    const assertion = await signed(assertionXml(), 'ID_a', key);
    const wants = { wantAssertionsEncrypted: 'true' };
    expect(await outcome(responseXml(await encrypted(assertion)), wants)).toBe('logged in: ann');
    const cbc = await encrypted(assertion, own.certificate, 'http://www.w3.org/2001/04/xmlenc#aes128-cbc');
    expect(await outcome(responseXml(cbc), wants)).toBe('logged in: ann');
    const whole = await signed(responseXml(await encrypted(assertionXml())), 'ID_r', key);
    expect(await outcome(whole, wants)).toBe('logged in: ann');
    expect(await outcome(good, wants)).toBe('not_encrypted');
    expect(await outcome(responseXml(await encrypted(assertionXml())))).toBe('unsigned_assertion');
    expect(await outcome(responseXml(await encrypted(assertion, stranger.certificate)))).toBe('cannot_be_decrypted');
    expect(await outcome(responseXml(await encrypted('<saml:Assertion')))).toBe('cannot_be_decrypted');
    expect(await outcome(responseXml((await encrypted(assertion)) + assertion))).toBe('several_assertions');
    const old = (await encrypted(assertion)).replace('rsa-oaep-mgf1p', 'rsa-1_5');
    expect(await outcome(responseXml(old))).toBe('unsupported_algorithm');
    // the library would take the first one, by its name alone
    const decoy = (await encrypted(assertion)).replace(
      '<xenc:EncryptedData',
      '<f:EncryptedData xmlns:f="urn:f"/><xenc:EncryptedData',
    );
    expect(decoy).toContain('urn:f');
    expect(await outcome(responseXml(decoy))).toBe('cannot_be_decrypted');
    const nameId = `<saml:EncryptedID>${(await encrypted('<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">ann</saml:NameID>')).replace(/<\/?saml:EncryptedAssertion>/g, '')}</saml:EncryptedID>`;
    expect(await outcome(await withSignedAssertion({ nameId }))).toBe('logged in: ann');
  });

  it('can have keys for several recipients, of which those for this realm are tried', async () => {
    const assertion = await signed(assertionXml(), 'ID_a', key);
    const keyIn = (xml: string) => /<(\w+):EncryptedKey[\s\S]*<\/\1:EncryptedKey>/.exec(xml)?.[0] ?? '';
    const mine = await encrypted(assertion);
    const other = keyIn(await encrypted(assertion, stranger.certificate));
    const named = (xml: string, name: string) => xml.replace('EncryptedKey', `EncryptedKey Recipient="${name}"`);
    const withKeys = (...keys: string[]) => outcome(responseXml(mine.replace(keyIn(mine), keys.join(''))));
    expect(await withKeys(other, keyIn(mine))).toBe('logged in: ann');
    const foreign = Array.from({ length: 9 }, () => named(other, 'https://other.example'));
    expect(await withKeys(...foreign, named(keyIn(mine), ids.audience))).toBe('logged in: ann');
    expect(await withKeys(...foreign, keyIn(mine))).toBe('logged in: ann');
    expect(await withKeys(named(other, ids.audience), keyIn(mine))).toBe('cannot_be_decrypted');
    expect(await withKeys(other.replace('rsa-oaep-mgf1p', 'rsa-1_5'), keyIn(mine))).toBe('logged in: ann');
    // the work is bounded
    expect(await withKeys(...Array.from({ length: 5 }, () => other), keyIn(mine))).toBe('cannot_be_decrypted');
    // beside the content, which names it
    const beside = mine
      .replace(keyIn(mine), '<e:RetrievalMethod URI="#k"/>')
      .replace(
        '</xenc:EncryptedData>',
        `</xenc:EncryptedData>${keyIn(mine).replace('EncryptedKey', 'EncryptedKey Id="k"')}`,
      );
    expect(await outcome(responseXml(beside))).toBe('logged in: ann');
  });
});
