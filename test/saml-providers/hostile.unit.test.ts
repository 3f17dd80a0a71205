import { beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers } from '../support/random.js';
import { isThorough } from '../support/sample.js';
import { assertionXml, endpoint, ids, instant, newKey, type Parts, readerOf, responseXml, signed } from './idp.js';

let key: Awaited<ReturnType<typeof newKey>>;
let stranger: typeof key;
let read: ReturnType<typeof readerOf>;
let good: string;

beforeAll(async () => {
  [key, stranger] = await Promise.all([newKey('idp'), newKey('stranger')]);
  read = readerOf(key.certificate);
  good = responseXml(await signed(assertionXml(), 'ID_a', key));
});

/** Who is logged in by a response, or why nobody is. */
const outcome = (xml: string | Buffer, settings?: Record<string, string>): Promise<string> =>
  read(xml, settings).then(
    ({ id }) => `logged in: ${id}`,
    (error: Error) => error.message.replace('the response is not accepted: ', ''),
  );
const withSignedAssertion = async (changed: Parts) =>
  responseXml(await signed(assertionXml(changed), 'ID_a', key), changed);
const evil = (id = 'ID_e') => assertionXml({ nameId: '<saml:NameID>admin</saml:NameID>' }, id);
const signatureIn = (xml: string): string => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? '';

describe('a response', () => {
  it('logs in the user whom a signed assertion or a signed response names', async () => {
    expect(await outcome(good)).toBe('logged in: ann');
    expect(await outcome(await signed(responseXml(assertionXml()), 'ID_r', key))).toBe('logged in: ann');
    expect(await outcome(await signed(good, 'ID_r', key))).toBe('logged in: ann');
    expect(await outcome(good, { wantAssertionsSigned: 'true' })).toBe('logged in: ann');
    const isSigned = { wantAssertionsSigned: 'true' };
    expect(await outcome(await signed(responseXml(assertionXml()), 'ID_r', key), isSigned)).toBe('unsigned_assertion');
  });

  it('has to be signed by the provider, whatever the settings say', async () => {
    const off = { validateSignature: 'false', wantAssertionsSigned: 'false' };
    expect(await outcome(responseXml(assertionXml()), off)).toBe('unsigned_assertion');
    expect(await outcome(responseXml(await signed(assertionXml(), 'ID_a', stranger)), off)).toBe('invalid_signature');
    // a good signature of the whole does not make up for one that does not hold
    const inner = responseXml(await signed(assertionXml(), 'ID_a', stranger));
    expect(await outcome(await signed(inner, 'ID_r', key))).toBe('invalid_signature');
    expect(await outcome(good, { signingCertificate: '' })).toBe('no_certificate');
    expect(await outcome(good, { signingCertificate: `${stranger.certificate},${key.certificate}` })).toContain('ann');
    expect(await outcome(good.replace('>ann<', '>admin<'))).toBe('invalid_signature');
  });

  it('may be signed with SHA-1 only if the settings name it, and never with a shared secret', async () => {
    const old = responseXml(await signed(assertionXml(), 'ID_a', key, 'RSA_SHA1'));
    expect(await outcome(old)).toBe('unsupported_algorithm');
    expect(await outcome(old, { signatureAlgorithm: 'RSA_SHA1' })).toBe('logged in: ann');
    const uri = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
    for (const other of [
      'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
      'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
    ])
      expect(await outcome(good.replace(uri, other))).toBe('unsupported_algorithm');
  });

  it.each<[string, Parts]>([
    ['audience', { audience: '' }],
    [
      'audience',
      { audience: '<saml:AudienceRestriction><saml:Audience>other</saml:Audience></saml:AudienceRestriction>' },
    ],
    [
      'audience',
      {
        audience: `<saml:AudienceRestriction><saml:Audience>${ids.audience}</saml:Audience></saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>other</saml:Audience></saml:AudienceRestriction>`,
      },
    ],
    ['unknown_condition', { audience: '<saml:Condition/>' }],
    ['issuer', { ownIssuer: '<saml:Issuer>other</saml:Issuer>' }],
    ['issuer', { ownIssuer: '<saml:Issuer></saml:Issuer>' }],
    ['issuer', { issuer: '<saml:Issuer>other</saml:Issuer>' }],
    [
      'recipient',
      {
        confirmed: `NotOnOrAfter="${instant(300)}" Recipient="${endpoint.replace('corp', 'other')}" InResponseTo="${ids.request}"`,
      },
    ],
    ['recipient', { confirmed: `NotOnOrAfter="${instant(300)}" InResponseTo="${ids.request}"` }],
    ['in_response_to', { confirmed: `NotOnOrAfter="${instant(300)}" Recipient="${endpoint}" InResponseTo="ID_other"` }],
    ['in_response_to', { confirmed: `NotOnOrAfter="${instant(300)}" Recipient="${endpoint}"` }],
    ['in_response_to', { answers: ' InResponseTo="ID_other"' }],
    ['expired', { confirmed: `NotOnOrAfter="${instant(-61)}" Recipient="${endpoint}" InResponseTo="${ids.request}"` }],
    ['expired', { confirmed: `Recipient="${endpoint}" InResponseTo="${ids.request}"` }],
    ['expired', { times: `NotOnOrAfter="${instant(-61)}"` }],
    ['expired', { times: 'NotOnOrAfter="later"' }],
    ['not_yet_valid', { times: `NotBefore="${instant(61)}"` }],
    ['not_yet_valid', { times: 'NotBefore="earlier"' }],
    ['no_bearer', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }],
    ['no_login', { login: '' }],
    ['version', { version: 'Version="1.1"' }],
    ['issue_instant', { issued: `IssueInstant="${instant(-3600)}"` }],
    [
      'invalid_destination',
      { destination: ' Destination="https://id.example/auth/realms/shop/broker/other/endpoint"' },
    ],
    ['no_name_id', { nameId: '' }],
    ['no_name_id', { nameId: '<saml:NameID></saml:NameID>' }],
    ['several_NameID', { nameId: '<saml:NameID>ann</saml:NameID><saml:NameID>admin</saml:NameID>' }],
    ['markup_in_text', { nameId: '<saml:NameID>ad<x/>min</saml:NameID>' }],
    [
      'transient_name_id',
      { nameId: '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">a</saml:NameID>' },
    ],
    [
      'encrypted_attribute',
      { attributes: '<saml:AttributeStatement><saml:EncryptedAttribute/></saml:AttributeStatement>' },
    ],
  ])('is refused: %s', async (reason, changed) => {
    expect(await outcome(await withSignedAssertion(changed))).toBe(reason);
  });

  it('is refused if the settings do not name the attribute that identifies accounts', async () => {
    const attribute =
      '<saml:Attribute Name="givenName"><saml:AttributeValue>Maria</saml:AttributeValue></saml:Attribute>';
    const xml = await withSignedAssertion({
      attributes: `<saml:AttributeStatement>${attribute}</saml:AttributeStatement>`,
    });
    for (const principalType of ['ATTRIBUTE', 'FRIENDLY_ATTRIBUTE'])
      expect(await outcome(xml, { principalType })).toBe('no_principal');
  });

  it('tells of a refusal, whatever assertion comes with it', async () => {
    const status = (code: string) =>
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${code}"/></samlp:StatusCode></samlp:Status>`;
    const refused = await withSignedAssertion({ status: status('RequestDenied') });
    await expect(read(refused)).rejects.toMatchObject({
      error: 'access_denied',
      message: 'the provider has refused: Responder RequestDenied',
    });
    await expect(read(responseXml('', { status: status('NoPassive') }))).rejects.toMatchObject({
      error: 'login_required',
    });
    expect(await outcome(await withSignedAssertion({ status: '' }))).toBe('the provider has refused: ');
    expect(await outcome(await signed(responseXml(assertionXml(), { destination: '' }), 'ID_r', key))).toBe(
      'missing_required_destination',
    );
  });

  it('is never read from other bytes than those that were signed', async () => {
    const assertion = await signed(assertionXml(), 'ID_a', key);
    const bare = assertion.replace(signatureIn(assertion), '');
    const signature = signatureIn(assertion);
    const inside = (xml: string, inner: string) => xml.replace('</saml:Issuer>', `</saml:Issuer>${inner}`);
    const object = (inner: string) =>
      signature.replace('</ds:Signature>', `<ds:Object>${inner}</ds:Object></ds:Signature>`);
    const whole = await signed(responseXml(assertionXml()), 'ID_r', key);
    const wholeSignature = signatureIn(whole);
    const shapes: Record<string, string> = {
      'XSW1: the signed response in its own signature': inside(
        responseXml(evil(), {}, 'ID_x'),
        wholeSignature.replace(
          '</ds:Signature>',
          `<ds:Object>${whole.replace(wholeSignature, '')}</ds:Object></ds:Signature>`,
        ),
      ),
      'XSW2: the signed response beside its signature': inside(
        responseXml(evil(), {}, 'ID_x'),
        whole.replace(wholeSignature, '') + wholeSignature,
      ),
      'XSW3: another assertion before the signed one': responseXml(evil() + assertion),
      'XSW4: the signed assertion in another one': responseXml(
        evil().replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
      ),
      'XSW5: the signature in another assertion, the original at the end': responseXml(
        inside(evil(), signature) + bare,
      ),
      'XSW6: the original in the signature of another one': responseXml(inside(evil(), object(bare))),
      'XSW7: another assertion in extensions': responseXml(
        `<samlp:Extensions>${evil()}</samlp:Extensions>${assertion}`.replace(
          /^(<samlp:Extensions>.*<\/samlp:Extensions>)(.*)$/s,
          '$2$1',
        ),
      ),
      'XSW8: the original in an object, under the same ID': responseXml(inside(evil('ID_a'), object(bare))),
      'the signed assertion as advice': responseXml(
        evil().replace('</saml:Conditions>', `</saml:Conditions><saml:Advice>${assertion}</saml:Advice>`),
      ),
      'the signed assertion in the status': responseXml(evil(), {
        status: `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/><samlp:StatusDetail>${assertion}</samlp:StatusDetail></samlp:Status>`,
      }),
      'the signature of the assertion as that of the response': inside(responseXml(evil()), signature),
      'an assertion of another namespace': responseXml(
        evil().replaceAll('SAML:2.0:assertion"', 'SAML:2.0:assertion "') + assertion,
      ),
    };
    for (const [name, xml] of Object.entries(shapes)) {
      const found = await outcome(xml);
      // what stands beside the signed assertion may be passed over
      expect(found.startsWith('logged in') ? found : 'refused', name).toMatch(/^(refused|logged in: ann)$/);
      if (name.startsWith('XSW') && !name.startsWith('XSW7')) expect(found, name).not.toContain('logged in');
    }
    for (const [name, xml] of Object.entries({
      comment: good.replace('>ann<', '>ann<!-- -->.evil<'),
      entity: `<!DOCTYPE x [<!ENTITY e "admin">]>${good.replace('>ann<', '>&e;<')}`,
      'external entity': `<!DOCTYPE x SYSTEM "http://evil.example/x.dtd">${good}`,
      cdata: good.replace('>ann<', '><![CDATA[ann]]><'),
      instruction: good.replace('>ann<', '>ann<?x?><'),
    }))
      expect(await outcome(xml), name).toBe('markup');
    expect(await outcome(`${good.slice(0, -17)}${' '.repeat(200_000)}</samlp:Response>`)).toBe('too_long');
    const transform = '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>';
    expect(await outcome(good.replace('</ds:Transforms>', transform))).toBe('invalid_signature');
    expect(
      await outcome(
        good.replace('samlp:Response', 'samlp:ArtifactResponse').replace(/samlp:Response>$/, 'samlp:ArtifactResponse>'),
      ),
    ).toBe('no_response');
  });

  it('logs nobody else in after random changes', async () => {
    const count = isThorough ? 10_000 : 300;
    const sources = [good, await signed(good, 'ID_r', key), await signed(responseXml(assertionXml()), 'ID_r', key)];
    const pieces = [
      '<!-- -->',
      '&#65;',
      '<x/>',
      ' ',
      'admin',
      'ID="ID_a" ',
      evil(),
      evil('ID_a'),
      '<saml:NameID>admin</saml:NameID>',
    ];
    let refused = 0;
    for (let seed = 0; seed < count; seed += 1) {
      const next = randomNumbers(seed);
      const below = (limit: number) => Math.floor(next() * limit);
      let xml = sources[below(sources.length)] ?? good;
      for (let changes = 1 + below(3); changes > 0; changes -= 1) {
        const tags = [...xml.matchAll(/<[^>]*>/g)];
        const { index = 0, 0: tag = '' } = tags[below(tags.length)] ?? {};
        const element = [...xml.matchAll(/<((?:ds|saml|samlp):\w+)[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g)][below(12)];
        const at = below(xml.length);
        const put = (where: number, text: string, skipped = 0) =>
          xml.slice(0, where) + text + xml.slice(where + skipped);
        xml =
          [
            () => put(at, String.fromCharCode(32 + below(95)), 1),
            () => put(at, '', 1 + below(3)),
            () => put(index, pieces[below(pieces.length)] ?? ''),
            () => put(index, tag),
            () => put(index, element?.[0] ?? ''),
            () => put(element?.index ?? 0, '', element?.[0].length ?? 0),
            () => xml.replace(/>ann</, '>admin<'),
          ][below(7)]?.() ?? xml;
      }
      const found = await outcome(xml);
      if (found.startsWith('logged in')) expect(found, `seed ${seed}`).toBe('logged in: ann');
      else refused += 1;
    }
    expect(refused).toBeGreaterThan(count / 2);
  }, 600_000);
});
