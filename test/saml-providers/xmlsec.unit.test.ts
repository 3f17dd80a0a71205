import { beforeAll, describe, expect, it } from 'vitest';
import { encryptElement } from '../../src/services/saml/encrypt.js';
import { assertionXml, newKey, readerOf, responseXml } from './idp.js';
import { type Form, hasXmlsec, newCurveKey, signedByXmlsec, unsignedSignature } from './xmlsec.js';

let key: Awaited<ReturnType<typeof newKey>>;
let own: typeof key;
let read: ReturnType<typeof readerOf>;

beforeAll(async () => {
  key = await newKey('idp');
  own = await newKey('shop');
  read = readerOf(key.certificate, [own.privateKey]);
});

const outcome = (xml: string, settings?: Record<string, string>): Promise<string> =>
  read(xml, settings).then(
    ({ id, claims }) => `${id} ${JSON.stringify(claims)}`,
    (error: Error) => error.message.replace('the response is not accepted: ', ''),
  );
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const attributes =
  '<saml:AttributeStatement><saml:Attribute Name="unit"><saml:AttributeValue xsi:type="xs:string">sales</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>';
const after = (xml: string, added: string) => xml.replace('</saml:Issuer>', `</saml:Issuer>${added}`);

/** A response with an assertion that uses the namespaces of the response, and with the signatures that are asked for. */
function signedResponse(
  { inner, outer }: { inner?: Form; outer?: Form },
  change = (xml: string) => xml,
  signer = key,
): string {
  const plain = assertionXml({ attributes }).replace(' xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"', '');
  const assertion = inner ? after(plain, unsignedSignature('ID_a', inner)) : plain;
  const response = responseXml(assertion).replace(
    '<samlp:Response ',
    '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:unused="urn:unused" ',
  );
  let xml = change(outer ? after(response, unsignedSignature('ID_r', outer)) : response);
  if (inner) xml = signedByXmlsec(xml, 'ID_a', signer);
  return outer ? signedByXmlsec(xml, 'ID_r', signer) : xml;
}

/** The same response with declarations at the assertion. */
const withOwn = (xml: string): string =>
  xml.replace('<saml:Assertion ', '<saml:Assertion xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:own="urn:own" ');

/** The same response with default namespaces in the place of prefixes. */
const withDefaults = (xml: string): string =>
  xml
    .replaceAll(/(<\/?)saml:/g, '$1')
    .replace('<Assertion ', '<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ')
    .replace('<Issuer>', '<Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">');

describe.skipIf(!hasXmlsec)('a response that xmlsec1 has signed', () => {
  it.each<[string, { inner: Form; outer?: Form }]>([
    ['exclusive', { inner: {} }],
    ['exclusive with a list of prefixes', { inner: { prefixes: 'xs' } }],
    ['inclusive', { inner: { canonicalization: inclusive } }],
  ])('is accepted with an assertion that was encrypted without its namespaces: %s', async (_, forms) => {
    const xml = signedResponse(forms);
    const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
    const standard = { algorithm: undefined, keyAlgorithm: undefined, digest: undefined, maskGeneration: undefined };
    const encrypted = await encryptElement(assertion, { certificate: own.certificate, ...standard });
    const hidden = xml.replace(assertion, `<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`);
    expect(await outcome(hidden)).toMatch(/^ann .*sales/);
    expect(await outcome(signedByXmlsec(after(hidden, unsignedSignature('ID_r')), 'ID_r', key))).toMatch(
      /^ann .*sales/,
    );
    expect(await outcome(hidden.replace('xmlns:saml="', 'xmlns:saml="urn:other:'))).not.toMatch(/^ann/);
  });

  it.each<[string, { inner?: Form; outer?: Form }, ((xml: string) => string)?]>([
    ['exclusive', { inner: {} }],
    ['exclusive with default namespaces', { inner: {} }, withDefaults],
    ['exclusive with a list of prefixes', { inner: { prefixes: 'xs' } }],
    ['exclusive with a prefix that is declared nowhere', { inner: { prefixes: '#default xs xsd' } }],
    ['inclusive', { inner: { canonicalization: inclusive } }],
    ['the response with a list of prefixes', { outer: { prefixes: 'xs unused' } }],
    ['both', { inner: {}, outer: {} }],
    ['both with default namespaces', { inner: {}, outer: {} }, withDefaults],
    ['both, the assertion with a list of prefixes', { inner: { prefixes: 'xs' }, outer: {} }],
    ['both with lists of prefixes', { inner: { prefixes: 'xs own' }, outer: { prefixes: 'unused' } }, withOwn],
    ['both, the assertion inclusive', { inner: { canonicalization: inclusive }, outer: {} }],
    ['both inclusive', { inner: { canonicalization: inclusive }, outer: { canonicalization: inclusive } }, withOwn],
  ])('is accepted: %s', async (_, forms, change) => {
    expect(await outcome(signedResponse(forms, change))).toMatch(/^ann .*sales/);
  });

  it.each([
    ['rsa-sha384', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'rsa'],
    ['ecdsa-sha256', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', 'P-256'],
    ['ecdsa-sha384', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', 'P-384'],
    ['ecdsa-sha512', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', 'P-521'],
  ])('is accepted with %s', async (name, signature, kind) => {
    const signer = kind === 'rsa' ? await newKey(name) : newCurveKey(kind);
    const digest = 'http://www.w3.org/2001/04/xmldsig-more#sha384';
    const xml = signedResponse({ inner: { signature, digest } }, (plain) => plain, signer);
    const settings = { signingCertificate: `${key.certificate},${signer.certificate}` };
    expect(await outcome(xml, settings)).toMatch(/^ann .*sales/);
    expect(await outcome(xml.replace('>ann<', '>admin<'), settings)).toBe('invalid_signature');
    expect(await outcome(xml)).toBe('invalid_signature');
  });
});
